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
  /** How long the log was when it was looked at. */
  size: number;
}

/** What is known of a folder of logs. Its time changes when a log is added, and the beginning of a log never does. */
interface Folder {
  changedAt: number;
  beginnings: Map<string, Beginning>;
}

const folders = new Map<string, Folder>();
const mostFolders = 1_000;

/**
 * A session that is resumed may be copied into a new log under a new id. Both begin with the same message: the oldest log
 * of the folder that does is the session, and what the copy adds belongs to it. Undefined where there is no folder to
 * look at.
 */
export async function originalSession(file: SourceFile, firstId: string | undefined): Promise<string | undefined> {
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
    // A log without a message yet may have one now.
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
    return { ...firstIn(await headOf(path)), bornAt: birthtimeMs > 0 ? birthtimeMs : mtimeMs, size };
  } catch {
    // Removed or not ours to read: it says nothing about the others.
    return unknown;
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
