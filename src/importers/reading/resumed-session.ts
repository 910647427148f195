import { open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SourceFile } from '../contract.js';
import { object, type Shape, text } from './shape.js';

/** How much of a log is looked at for its first message. */
const headBytes = 65_536;

interface Beginning {
  firstId: string | undefined;
  sessionId: string | undefined;
  bornAt: number;
}

/** By path, size and time of change: a folder of sessions is looked at for each of them. */
const known = new Map<string, Beginning>();
const mostKnown = 20_000;

/**
 * A session that is resumed may be copied into a new log under a new id. Both begin with the same message: the oldest log
 * of the folder that does is the session, and what the copy adds belongs to it. Undefined where there is no folder to
 * look at.
 */
export async function originalSession(file: SourceFile, firstId: string | undefined): Promise<string | undefined> {
  if (file.onDisk === undefined || firstId === undefined) return undefined;
  const folder = dirname(file.onDisk);
  const names = await readdir(folder).catch(() => []);
  let original: Beginning | undefined;
  for (const name of names) {
    if (!name.endsWith('.jsonl')) continue;
    const beginning = await beginningOf(join(folder, name));
    if (beginning?.firstId !== firstId || beginning.sessionId === undefined) continue;
    if (original === undefined || isOlder(beginning, original)) original = beginning;
  }
  return original?.sessionId;
}

function isOlder(one: Beginning, other: Beginning): boolean {
  if (one.bornAt !== other.bornAt) return one.bornAt < other.bornAt;
  return (one.sessionId ?? '') < (other.sessionId ?? '');
}

async function beginningOf(path: string): Promise<Beginning | undefined> {
  try {
    const { size, mtimeMs, birthtimeMs } = await stat(path);
    // A log only grows, so that its beginning stays.
    const key = `${path} ${birthtimeMs} ${size < headBytes ? `${size} ${mtimeMs}` : ''}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const beginning = { ...firstIn(await headOf(path)), bornAt: birthtimeMs > 0 ? birthtimeMs : mtimeMs };
    if (known.size >= mostKnown) known.clear();
    known.set(key, beginning);
    return beginning;
  } catch {
    // Removed or not ours to read: it says nothing about the others.
    return undefined;
  }
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function firstIn(head: string): Pick<Beginning, 'firstId' | 'sessionId'> {
  for (const line of head.split('\n')) {
    const record = recordOf(line);
    if (record.type !== 'user' && record.type !== 'assistant') continue;
    return { firstId: text(record.uuid), sessionId: text(record.sessionId) };
  }
  return { firstId: undefined, sessionId: undefined };
}

function recordOf(line: string): Shape {
  if (!line.startsWith('{')) return {};
  try {
    return object(JSON.parse(line));
  } catch {
    // The line that the beginning is cut in.
    return {};
  }
}
