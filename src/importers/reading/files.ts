import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Entry, ZipFile } from 'yauzl';
import { MemoryError } from '../../model/errors.js';
import {
  type Found,
  type ImportedConversation,
  type Importer,
  limits,
  type ReadOptions,
  type SourceFile,
} from '../contract.js';

/*
 * The files that an import reads, and watching them for changes.
 */

/**
 * The files behind a path: the file itself, those of a folder or a zip that belong to the format, or standard input for `-`.
 * A single file is taken at the person's word, whatever its name. `shown` is what the person calls it.
 */
export async function* filesAt(
  path: string,
  importer: Pick<Importer, 'accepts'>,
  shown = path,
): AsyncGenerator<SourceFile> {
  if (path === '-') {
    yield { path: 'standard input', read: () => process.stdin };
    return;
  }
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new MemoryError(cause.code === 'ENOENT' ? 'not_found' : 'invalid_input', `${shown} cannot be read`, {
      cause,
    });
  });
  if (found.isDirectory()) yield* filesIn(path, importer);
  else if (/\.zip$/i.test(path)) yield* filesInZip({ path, shown, size: found.size }, importer);
  else yield onDisk(path, basename(shown), found);
}

async function* filesIn(folder: string, importer: Pick<Importer, 'accepts'>): AsyncGenerator<SourceFile> {
  const listed: Listed[] = [];
  await list(folder, listed);
  for (const { name, unreadable } of listed.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const shown = name.slice(folder.length).replaceAll('\\', '/').replace(/^\//, '');
    if (!unreadable && !importer.accepts(shown)) continue;
    // A program may rename or remove its files while we look.
    const found = await stat(name).catch(() => undefined);
    if (found !== undefined) yield onDisk(name, shown === '' ? basename(folder) : shown, found);
  }
}

interface Listed {
  name: string;
  /** A folder we may not read. It is listed like a file, so that reading it reports the error. */
  unreadable: boolean;
}

/** Folder by folder, so that one that cannot be read hides only what is in it. */
async function list(folder: string, listed: Listed[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) listed.push({ name: folder, unreadable: true });
  for (const entry of entries ?? []) {
    const name = join(folder, entry.name);
    if (entry.isDirectory()) await list(name, listed);
    else if (entry.isFile()) listed.push({ name, unreadable: false });
  }
}

function onDisk(path: string, shown: string, { size, mtime }: { size: number; mtime: Date }): SourceFile {
  return { path: shown, onDisk: path, size, changedAt: mtime.toISOString(), read: () => createReadStream(path) };
}

/** What a file holds. Where it cannot be read the rest of it is left out, and the files after it are read all the same. */
export async function* foundIn(importer: Importer, file: SourceFile, options?: ReadOptions): AsyncGenerator<Found> {
  try {
    yield* importer.read(file, options);
  } catch (error) {
    const reason = whyUnreadable(error);
    if (reason === undefined) throw error;
    yield { kind: 'skipped', place: file.path, reason };
  }
}

/** Why reading a file failed, where the file is to blame: damage, or the system's refusal (permissions, a failing disk). */
function whyUnreadable(error: unknown): string | undefined {
  if (error instanceof UnreadableEntry) return error.message;
  return error instanceof Error && 'syscall' in error ? 'it cannot be read' : undefined;
}

/** An entry of an archive that cannot be unpacked; its message says why, as reports do. */
class UnreadableEntry extends Error {}

/** How much larger than its zip an export may be. Text gets about ten times smaller, and logs that repeat themselves fifty. */
const mostGrowth = 100;

/**
 * The files of a zip that belong to the format. They are unpacked while they are read: a zip of gigabytes needs no room on
 * disk and little in memory. One made to unpack to a thousand times its size is given up.
 */
async function* filesInZip(
  { path, shown, size }: { path: string; shown: string; size: number },
  importer: Pick<Importer, 'accepts'>,
): AsyncGenerator<SourceFile> {
  const unreadable = (cause: unknown): never => {
    throw new MemoryError('invalid_input', `${shown} is not a zip file that can be read`, { cause });
  };
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(path, { autoClose: false }).catch(unreadable);
  const unpack = createUnpacking(zip, Math.max(limits.fileBytes, size * mostGrowth));
  try {
    const entries = zip.eachEntry()[Symbol.asyncIterator]();
    for (;;) {
      const { value: entry, done } = await entries.next().catch(unreadable);
      if (done === true) return;
      if (entry.fileName.endsWith('/') || !importer.accepts(entry.fileName)) continue;
      yield {
        path: entry.fileName,
        size: entry.uncompressedSize,
        changedAt: entry.getLastModDate().toISOString(),
        read: () => unpack(entry),
      };
    }
  } finally {
    zip.close();
  }
}

/** Counts what all entries together unpack to. */
function createUnpacking(zip: ZipFile, mostBytes: number) {
  let unpacked = 0;
  return async function* unpack(entry: Entry): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of await zip.openReadStreamPromise(entry)) {
        unpacked += part.length;
        if (unpacked > mostBytes) throw new UnreadableEntry('it unpacks to far more than an export of its size holds');
        yield part;
      }
    } catch (cause) {
      throw cause instanceof UnreadableEntry ? cause : new UnreadableEntry('it is damaged', { cause });
    }
  };
}

interface Watched {
  importer: Importer;
  path: string;
}

interface ChangedFile {
  importer: Importer;
  file: SourceFile;
  /** Look at it next time as well, changed or not. */
  again(): void;
}

/**
 * Which files of the watched folders are new or have changed since the last look. Looking at names, sizes and times every
 * few seconds works on every file system, costs little, and forgets nothing when the machine was asleep. Folders may come
 * and go meanwhile.
 */
export function createLook(watched: () => readonly Watched[]) {
  const seen = new Map<string, string>();
  return async function* look(): AsyncGenerator<ChangedFile> {
    for (const { importer, path } of watched()) {
      for await (const file of filesThere(path, importer)) {
        const key = `${importer.name} ${file.onDisk ?? file.path}`;
        const state = await stateOf(file);
        if (seen.get(key) === state) continue;
        seen.set(key, state);
        yield { importer, file, again: () => seen.delete(key) };
      }
    }
  };
}

async function* filesThere(path: string, importer: Importer): AsyncGenerator<SourceFile> {
  try {
    yield* filesAt(path, importer);
  } catch (error) {
    // It went between two looks.
    if (!(error instanceof MemoryError) || error.code !== 'not_found') throw error;
  }
}

/** A database that is in use changes its log first, and itself much later. */
async function stateOf({ onDisk = '', size, changedAt }: SourceFile): Promise<string> {
  const log = /\.(vscdb|db)$/.test(onDisk) ? await stat(`${onDisk}-wal`).catch(() => undefined) : undefined;
  return [size, changedAt, log?.size, log?.mtimeMs].join(' ');
}

/** `changed`: look again later. `new`: it has come to rest since it was taken last. `known`: it was taken like this. */
type Rest = 'changed' | 'new' | 'known';

/**
 * Programs that rewrite a file while an answer streams in show half a sentence first. A conversation is at rest when two
 * looks in a row see the same, so that the half is never taken for the whole.
 */
export function createRest() {
  const seen = new Map<string, { digest: string; taken: boolean }>();
  return function restOf(place: string, { messages }: Pick<ImportedConversation, 'messages'>): Rest {
    const digest = createHash('sha256').update(JSON.stringify(messages)).digest('base64');
    const before = seen.get(place);
    if (before?.digest !== digest) {
      seen.set(place, { digest, taken: false });
      return 'changed';
    }
    if (before.taken) return 'known';
    seen.set(place, { digest, taken: true });
    return 'new';
  };
}
