import { createWriteStream } from 'node:fs';
import { lstat, mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeWhole } from '../../backup/draft.js';
import { fileError, invalidInput } from '../../model/errors.js';
import type { ExportPiece } from '../../operations/export.js';
import type { Command } from '../command.js';
import { type FilterOptions, filterFields, filterOptions, given, statusOption } from '../filters.js';
import { withRuntime } from '../open.js';
import { counted } from '../terminal.js';

interface ExportOptions extends FilterOptions {
  output: string;
  format?: string;
  memoryStatus?: string;
  projectId?: string;
}

export const exportCommand: Command<ExportOptions> = {
  name: 'export',
  summary: 'Write your conversations and facts into a file that any program can read',
  options: [
    {
      flags: '--output <file>',
      text: 'The file to write; - prints it, with --json too; a folder gets one Markdown file per conversation',
      default: '-',
    },
    {
      flags: '--format <format>',
      text: 'JSON lines, Markdown, or one HTML page to read and print (default: jsonl)',
      choices: ['jsonl', 'markdown', 'html'],
    },
    ...filterOptions,
    statusOption('all'),
    { flags: '--project-id <id>', text: 'Only this project (default: all of yours)' },
  ],
  examples: [
    'threadkeep export --output memory.jsonl',
    'threadkeep export --format markdown --source claude --output claude.md',
    'threadkeep export --format markdown --output notes/',
    'threadkeep export --format html --date-from 2026-01-01 --output this-year.html',
    'threadkeep import threadkeep memory.jsonl --config new.yaml',
  ],
  async run(invocation) {
    const { options } = invocation;
    const payload = given({
      format: options.format,
      ...filterFields(options),
      memory_status: options.memoryStatus,
      project_id: options.projectId,
    });
    const { operations } = await import('../../operations/table.js');
    const isFolder = await leadsToFolder(options.output);
    if (isFolder && options.format !== 'markdown') throw invalidInput('--output', 'is a folder; name a file in it');
    const written = await withRuntime(invocation, async ({ runtime, call }) => {
      const { pieces } = await operations.export.execute(runtime.service, call, payload);
      const count = { conversations: 0 };
      if (!isFolder) return { bytes: await write(counting(pieces, count), options.output), ...count };
      return writeFiles(pieces, options.output).catch((error: unknown) => {
        throw fileError(options.output, 'written', error);
      });
    });
    if (options.output === '-') return undefined;
    const { bytes } = written;
    const json = { status: 'ok', file: options.output, ...written };
    return {
      json,
      text: (style) =>
        `${style.strong('Exported')} ${counted(written.conversations, 'conversation')}, ${counted(bytes, 'byte')}, to ${options.output}`,
    };
  },
};

async function write(pieces: AsyncGenerator<ExportPiece>, output: string): Promise<number> {
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const texts = Readable.from(textsOf(pieces));
  if (output === '-') {
    await pipeline(texts, measure, process.stdout, { end: false });
    return bytes;
  }
  await writeOutput(output, (file) => pipeline(texts, measure, file));
  return bytes;
}

/**
 * Counts exported conversations: in Markdown each named part is one, in JSON lines and HTML the start tells.
 */
async function* counting(
  pieces: AsyncGenerator<ExportPiece>,
  count: { conversations: number },
): AsyncGenerator<ExportPiece> {
  for await (const piece of pieces) {
    if (piece.name !== undefined || /^(?:\{"type":"conversation"|<article )/.test(piece.text)) count.conversations += 1;
    yield piece;
  }
}

async function* textsOf(pieces: AsyncGenerator<ExportPiece>): AsyncGenerator<string> {
  for await (const { text } of pieces) yield text;
}

async function leadsToFolder(output: string): Promise<boolean> {
  if (output === '-') return false;
  if (/[/\\]$/.test(output)) return true;
  return (await stat(output).catch(() => undefined))?.isDirectory() === true;
}

/** Overwrites the file of a conversation that was exported before: its name does not change. */
async function writeFiles(
  pieces: AsyncGenerator<ExportPiece>,
  folder: string,
): Promise<{ bytes: number; files: number; conversations: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let bytes = 0;
  let files = 0;
  for await (const { text, name = `${files}.md` } of pieces) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    bytes += Buffer.byteLength(text);
    files += 1;
  }
  return { bytes, files, conversations: files };
}

/**
 * Writes to the target of the path. A regular file is written atomically and readable only by its owner, and a link to
 * it stays a link. A pipe, a terminal or another device is written to directly, because renaming a file over it would
 * replace it.
 */
async function writeOutput(path: string, fill: (into: Writable) => Promise<void>): Promise<void> {
  const file = await replaceable(path);
  if (file !== undefined) return writeWhole(file, fill);
  await fill(createWriteStream(path, { mode: 0o600 })).catch((error: unknown) => {
    throw fileError(path, 'written', error);
  });
}

/** The path that may be replaced by a file; undefined if something other than a regular file is there. */
async function replaceable(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return realpath(path).catch(() => undefined);
  if (found !== undefined) return undefined;
  // A dangling link is written through.
  const link = await lstat(path).catch(() => undefined);
  return link === undefined ? path : undefined;
}
