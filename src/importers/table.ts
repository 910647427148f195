import { open } from 'node:fs/promises';
import type { Head, Importer, SourceFile } from './contract.js';
import { aider } from './formats/aider.js';
import { amp } from './formats/amp.js';
import { chatgpt } from './formats/chatgpt.js';
import { claude } from './formats/claude.js';
import { claudeCode } from './formats/claude-code.js';
import { cline } from './formats/cline.js';
import { codex } from './formats/codex.js';
import { continueDev } from './formats/continue.js';
import { copilotChat, copilotCli, microsoftCopilot } from './formats/copilot.js';
import { cursor, cursorAgent } from './formats/cursor.js';
import { deepseek } from './formats/deepseek.js';
import { discord } from './formats/discord.js';
import { geminiCli } from './formats/gemini-cli.js';
import { geminiTakeout } from './formats/gemini-takeout.js';
import { generic } from './formats/generic.js';
import { goose } from './formats/goose.js';
import { grok } from './formats/grok.js';
import { jetbrains } from './formats/jetbrains.js';
import { leChat } from './formats/le-chat.js';
import { librechat } from './formats/librechat.js';
import { lmStudio } from './formats/lm-studio.js';
import { openWebui } from './formats/open-webui.js';
import { opencode } from './formats/opencode.js';
import { perplexity } from './formats/perplexity.js';
import { slack } from './formats/slack.js';
import { telegram } from './formats/telegram.js';
import { threadkeep } from './formats/threadkeep.js';
import { whatsapp } from './formats/whatsapp.js';
import { windsurf } from './formats/windsurf.js';
import { zed } from './formats/zed.js';
import { openDatabase } from './reading/database.js';
import { filesAt } from './reading/files.js';

/**
 * All formats, in the order of the help and of detection: formats with weaker signs come later. To add a format, add a
 * file and a line here.
 */
export const importers: readonly Importer[] = [
  chatgpt,
  claude,
  geminiTakeout,
  claudeCode,
  codex,
  geminiCli,
  cursor,
  cursorAgent,
  copilotChat,
  copilotCli,
  opencode,
  cline,
  continueDev,
  aider,
  zed,
  windsurf,
  goose,
  amp,
  jetbrains,
  openWebui,
  librechat,
  lmStudio,
  grok,
  deepseek,
  perplexity,
  microsoftCopilot,
  leChat,
  slack,
  whatsapp,
  telegram,
  discord,
  threadkeep,
  generic,
];

/** How much of a file is read for detection: the first conversation of an export shows its fields well before that. */
const headBytes = 65_536;
/** The maximum number of files in a folder or zip that are checked until one is recognized. */
const mostLooked = 200;

const anyFile = { accepts: (path: string) => !/(^|\/)(\.git|node_modules)\//.test(path) };

/**
 * The formats found at a path, each once, in the order of the table. The generic format counts only if nothing else
 * is found, because exports contain other files beside their conversations.
 */
export async function formatsAt(path: string, shown = path): Promise<Importer[]> {
  const found = new Set<Importer>();
  let looked = 0;
  for await (const file of filesAt(path, anyFile, shown)) {
    if (found.size > 0 && looked >= mostLooked) break;
    looked += 1;
    const head = await headOf(file);
    if (head === undefined) continue;
    // In a folder or zip a format accepts only its own files; a single file is accepted by its content.
    const isAlone = file.onDisk === path;
    const format = importers.find((each) => (isAlone || each.accepts(file.path)) && each.recognises(head));
    if (format !== undefined) found.add(format);
  }
  const known = importers.filter((importer) => found.has(importer));
  const named = known.filter(({ name }) => name !== 'json');
  return named.length > 0 ? named : known;
}

async function headOf(file: SourceFile): Promise<Head | undefined> {
  const bytes = await firstBytes(file);
  if (bytes === undefined) return undefined;
  if (bytes.toString('latin1', 0, 15) !== 'SQLite format 3') {
    return { path: file.path, text: bytes.toString('utf8').replace(/^\uFEFF/, '') };
  }
  const database = file.onDisk === undefined ? undefined : await openDatabase(file.onDisk);
  database?.close();
  return { path: file.path, text: '', ...(database === undefined ? {} : { tables: database.tables }) };
}

async function firstBytes({ onDisk, read }: SourceFile): Promise<Buffer | undefined> {
  try {
    if (onDisk !== undefined) return await firstOnDisk(onDisk);
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of read()) {
      parts.push(part);
      size += part.length;
      if (size >= headBytes) break;
    }
    return Buffer.concat(parts).subarray(0, headBytes);
  } catch {
    // No permission, or damaged: the format is unknown. Reading the file reports the error.
    return undefined;
  }
}

/** The beginning of a file as text; undefined for a folder and for a file that cannot be read. */
export async function textHeadOf(path: string): Promise<string | undefined> {
  // Reading the file as an export reports why it cannot be read.
  const bytes = await firstOnDisk(path).catch(() => undefined);
  return bytes?.toString('utf8');
}

async function firstOnDisk(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
