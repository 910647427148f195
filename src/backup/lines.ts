import { createHash } from 'node:crypto';
import { MemoryError } from '../model/errors.js';
import type { Row } from '../stores/metadata/contract.js';

/**
 * A backup consists of JSON lines: a manifest, one line per row (`[table, row]`), then the row counts and a checksum
 * over all lines before. The format does not depend on the store, so any store can read what another wrote.
 */
export interface Manifest {
  format: 'threadkeep-backup';
  version: 1;
  id: string;
  created_at: string;
  schema_version: number;
  made_by: string;
}

export interface TableRow {
  table: string;
  row: Row;
}

export type Counts = Record<string, number>;

/** Encodes a backup as lines. `onRow` receives the number of rows written so far, for a progress bar. */
export async function* encodeLines(
  manifest: Manifest,
  rows: AsyncIterable<TableRow>,
  onRow: (rows: number) => void = () => {},
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const counts: Counts = {};
  let written = 0;
  const line = (value: unknown): string => {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    return text;
  };
  yield line(manifest);
  for await (const { table, row } of rows) {
    counts[table] = (counts[table] ?? 0) + 1;
    yield line([table, row]);
    onRow(++written);
  }
  yield `${JSON.stringify({ counts, sha256: hash.digest('hex') })}\n`;
}

export interface Reading {
  manifest: Manifest;
  /** Throws at the end when the counts or the checksum do not match what was read. */
  rows: AsyncGenerator<TableRow, Counts>;
}

export async function decodeLines(lines: AsyncIterable<string>): Promise<Reading> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  const manifest = first.done === true ? undefined : manifestOf(first.value);
  if (manifest === undefined) throw damaged('it does not start like a Threadkeep backup');
  const hash = createHash('sha256').update(`${first.value}\n`);
  return { manifest, rows: rowsOf(iterator, hash) };
}

async function* rowsOf(
  lines: AsyncIterator<string>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<TableRow, Counts> {
  const counts: Counts = {};
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const value = parsed(next.value);
    if (isRow(value)) {
      const [table, row] = value;
      hash.update(`${next.value}\n`);
      counts[table] = (counts[table] ?? 0) + 1;
      yield { table, row };
      continue;
    }
    const end = (value ?? {}) as { counts?: Counts; sha256?: string };
    if (end.sha256 !== hash.digest('hex')) throw damaged('its checksum does not match its content');
    if (JSON.stringify(end.counts) !== JSON.stringify(counts)) throw damaged('its row counts do not match');
    if ((await lines.next()).done !== true) throw damaged('there is data after its end');
    return counts;
  }
  throw damaged('its end is missing');
}

function manifestOf(line: string): Manifest | undefined {
  const value = parsed(line) as Partial<Manifest> | null;
  if (value === null || value.format !== 'threadkeep-backup') return undefined;
  if (value.version !== 1) {
    throw new MemoryError('invalid_input', `This backup has version ${value.version}; read it with a newer Threadkeep`);
  }
  return value as Manifest;
}

function isRow(value: unknown): value is [string, Row] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'object';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's message would quote stored text.
    throw damaged('one of its lines is not JSON');
  }
}

export function damaged(how: string, cause?: unknown): MemoryError {
  return new MemoryError('invalid_input', `The backup is damaged: ${how}`, cause === undefined ? {} : { cause });
}
