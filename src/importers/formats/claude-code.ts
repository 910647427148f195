import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textLines } from '../../model/text.js';
import { type Importer, limits, type NotKept, notKept, type SourceFile } from '../contract.js';
import { joined, list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';
import { firstWords, readSessionLog, type Session, say } from '../reading/session-log.js';
import { withoutTagged } from '../reading/tagged.js';

/** Claude Code's session logs: one JSON record per line, below `.claude/projects`. */
export const claudeCode: Importer = {
  name: 'claude-code',
  label: 'Claude Code',
  howTo: 'It keeps its sessions in ~/.claude/projects; give that folder',
  accepts: (path) => path.endsWith('.jsonl'),
  recognises: ({ text: head }) =>
    /"sessionId"\s*:/.test(head) &&
    /"type"\s*:\s*"(user|assistant|summary|attachment)"/.test(head) &&
    /"(uuid|leafUuid)"/.test(head),
  places: ['.claude/projects'],
  read: (file) =>
    readSessionLog(file, {
      line,
      async finish({ about, messages }) {
        const original = await originalSession(file, text(about.firstId));
        return {
          source: 'claude-code',
          ...present({
            title: text(about.customTitle) ?? text(about.aiTitle) ?? text(about.summary) ?? firstWords({ messages }),
            timestamp: time(about.timestamp) ?? file.changedAt,
          }),
          metadata: present({
            upstream_thread_id: original ?? text(about.sessionId),
            resumed_as: original === undefined || original === about.sessionId ? undefined : text(about.sessionId),
            directory: text(about.cwd),
            git_branch: text(about.gitBranch),
            model: text(about.model),
            capture_client_version: text(about.version),
            importer: 'claude-code',
            platform: 'claude-code',
          }),
        };
      },
    }),
};

function line(record: Shape, session: Session): void {
  const { about } = session;
  if (record.type === 'summary') about.summary ??= record.summary;
  if (record.type === 'ai-title') about.aiTitle = record.aiTitle;
  if (record.type === 'custom-title') about.customTitle = record.customTitle;
  const queued = record.type === 'attachment' ? object(record.attachment) : {};
  if (queued.type === 'queued_command') {
    queuedPrompt(record, queued, session);
    return;
  }
  if (record.type !== 'user' && record.type !== 'assistant') return;
  for (const key of ['sessionId', 'cwd', 'gitBranch', 'timestamp', 'version']) about[key] ??= record[key];
  about.firstId ??= record.uuid;
  const message = object(record.message);
  const reason = message.model === '<synthetic>' ? notKept.program : notSaid(record);
  if (reason !== undefined) {
    session.leftOut.add(reason);
    return;
  }
  if (record.type === 'assistant') about.model ??= message.model;
  const said = saidIn(message.content);
  if (said === '' && isWork(message.content)) {
    session.leftOut.add(workOf(message.content));
    return;
  }
  say(session, { role: record.type, text: said, ...saidAt(record.timestamp), key: text(record.uuid) });
}

/** A prompt typed while the program was busy has no other record. Task notifications have the same form. */
function queuedPrompt(record: Shape, queued: Shape, session: Session): void {
  const origin = text(object(queued.origin).kind) ?? 'human';
  const isPrompt = queued.commandMode === undefined || queued.commandMode === 'prompt';
  if (origin !== 'human' || !isPrompt || record.isSidechain === true) {
    session.leftOut.add(notKept.program);
    return;
  }
  const at = saidAt(queued.timestamp, record.timestamp);
  say(session, { role: 'user', text: saidIn(queued.prompt), ...at, key: text(record.uuid) });
}

/** Compaction summaries, program notes and errors, prompts not typed by the user, and side chains of other agents. */
function notSaid(record: Shape): NotKept | undefined {
  if (record.isSidechain === true) return notKept.agents;
  const flags = ['isCompactSummary', 'isVisibleInTranscriptOnly', 'isMeta', 'isApiErrorMessage'];
  if (flags.some((flag) => record[flag] === true) || record.promptSource === 'system') return notKept.program;
  const origin = text(object(record.origin).kind);
  return origin !== undefined && origin !== 'human' ? notKept.program : undefined;
}

function isWork(content: unknown): boolean {
  return Array.isArray(content) && content.some((block) => /tool|thinking/.test(text(object(block).type) ?? ''));
}

function workOf(content: unknown): NotKept {
  return list(content).some((block) => /tool/.test(text(object(block).type) ?? '')) ? notKept.tool : notKept.thinking;
}

/** Only text blocks: tool calls, their results and thinking are left out. */
function saidIn(content: unknown): string {
  if (typeof content === 'string') return visible(content);
  const blocks = list(content).map(object);
  return visible(joined(blocks.map((block) => (block.type === 'text' ? text(block.text) : imageNote(block)))));
}

function imageNote({ type }: Shape): string | undefined {
  return type === 'image' ? '[image]' : undefined;
}

const around = [
  ...['system-reminder', 'local-command-stdout', 'local-command-stderr', 'local-command-caveat', 'command-message'],
  ...['bash-input', 'bash-stdout', 'bash-stderr', 'task-notification', 'teammate-message', 'user-prompt-submit-hook'],
  ...['ide_opened_file', 'ide_selection', 'ide_diagnostics', 'new-diagnostics'],
].join('|');
const wrapped = new RegExp(`<(${around})(?=[\\s>])[^<>]{0,1000}>`, 'g');

/** The text without the tags that the program adds to a prompt. */
function visible(said: string): string {
  if (/^\[Request interrupted by user[^\]]*\]$/.test(said.trim())) return '';
  if (!said.includes('<')) return said.trim();
  return withCommands(withoutTagged(said, { opening: wrapped })).trim();
}

const words = { opening: '<command-args>', closing: '</command-args>' };
const command = /<command-name>([^<>]{0,500})<\/command-name>(?:\s{0,100}<command-args>)?/g;

/** A bare command is dropped; a command with text is a prompt. */
function withCommands(said: string): string {
  const kept: string[] = [];
  let at = 0;
  let isUnclosed = false;
  for (const { index, 0: tags, 1: name = '' } of said.matchAll(command)) {
    if (index < at) continue;
    const hasWords = tags.endsWith(words.opening);
    const from = index + tags.length;
    // A closing tag that is missing is searched once.
    const end: number = hasWords && !isUnclosed ? said.indexOf(words.closing, from) : -1;
    isUnclosed ||= hasWords && end < 0;
    const typed = end < 0 ? '' : said.slice(from, end).trim();
    kept.push(said.slice(at, index), typed === '' ? '' : `${name.trim()} ${typed}`);
    if (end >= 0) at = end + words.closing.length;
    else at = hasWords ? from - words.opening.length : from;
  }
  return [...kept, said.slice(at)].join('');
}

/** How much of a log is read at once to find its first message. */
const headBytes = 65_536;

interface Beginning {
  firstId: string | undefined;
  sessionId: string | undefined;
  bornAt: number;
  /** The size of the log when it was read. */
  size: number;
}

/**
 * Cached data of a log folder. Its modification time changes when a log is added, and the start of a log never changes.
 */
interface Folder {
  changedAt: number;
  beginnings: Map<string, Beginning>;
}

const folders = new Map<string, Folder>();
const mostFolders = 1_000;

/**
 * Resuming a session may copy it into a new log under a new id. Both begin with the same message: the oldest log in the
 * folder with that message is the original session, and the copy's new messages belong to it. Undefined where there is
 * no folder to search.
 */
async function originalSession(file: SourceFile, firstId: string | undefined): Promise<string | undefined> {
  if (file.onDisk === undefined || firstId === undefined) return undefined;
  let original: Beginning | undefined;
  for (const beginning of await beginningsIn(dirname(file.onDisk))) {
    if (beginning.firstId !== firstId || beginning.sessionId === undefined) continue;
    if (original === undefined || isOlder(beginning, original)) original = beginning;
  }
  return original?.sessionId;
}

async function beginningsIn(path: string): Promise<Iterable<Beginning>> {
  const changedAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const known = folders.get(path);
  const folder = known?.changedAt === changedAt ? known : { changedAt, beginnings: await namesIn(path) };
  if (folders.size >= mostFolders) folders.clear();
  folders.set(path, folder);
  for (const [name, before] of folder.beginnings) {
    // A log that had no message yet may have one now.
    if (before.firstId === undefined) folder.beginnings.set(name, await beginningOf(join(path, name), before));
  }
  return folder.beginnings.values();
}

async function namesIn(path: string): Promise<Map<string, Beginning>> {
  const names = await readdir(path).catch(() => []);
  return new Map(names.filter((name) => name.endsWith('.jsonl')).map((name) => [name, unknown]));
}

const unknown: Beginning = { firstId: undefined, sessionId: undefined, bornAt: 0, size: -1 };

function isOlder(one: Beginning, other: Beginning): boolean {
  if (one.bornAt !== other.bornAt) return one.bornAt < other.bornAt;
  return (one.sessionId ?? '') < (other.sessionId ?? '');
}

async function beginningOf(path: string, before: Beginning): Promise<Beginning> {
  try {
    const { size, mtimeMs, birthtimeMs } = await stat(path);
    if (size === before.size) return before;
    return { ...(await firstIn(path)), bornAt: birthtimeMs > 0 ? birthtimeMs : mtimeMs, size };
  } catch {
    // Removed, or no permission; the other files may still be readable.
    return unknown;
  }
}

/** The first message of a log. A prompt with a picture in it makes the first lines longer than a usual beginning. */
async function firstIn(path: string): Promise<Pick<Beginning, 'firstId' | 'sessionId'>> {
  const file = createReadStream(path, { highWaterMark: headBytes, end: limits.lineBytes });
  for await (const lines of textLines(file, limits.lineBytes)) {
    for (const line of lines) {
      const record = line === undefined ? {} : recordOf(line);
      if (record.type !== 'user' && record.type !== 'assistant') continue;
      return { firstId: text(record.uuid), sessionId: text(record.sessionId) };
    }
  }
  return { firstId: undefined, sessionId: undefined };
}

function recordOf(line: string): Shape {
  if (!line.startsWith('{')) return {};
  try {
    return object(JSON.parse(line));
  } catch {
    // The last line, which was cut off.
    return {};
  }
}
