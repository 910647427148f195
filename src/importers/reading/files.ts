import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Entry, ZipFile } from 'yauzl';
import { MemoryError } from '../../model/errors.js';
import { type Found, type Importer, limits, type ReadOptions, type SourceFile } from '../contract.js';

/*
 * Finds the files that an import reads, and watches them for changes.
 */

/**
 * The files at a path: the file itself, the files of a folder or zip that belong to the format, or standard input for
 * `-`. A single file is accepted whatever its name. `shown` is the path to show in messages.
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
    if (cause.code === 'ENOENT') throw new MemoryError('not_found', `${shown} does not exist`, { cause });
    throw new MemoryError('invalid_input', `${shown} cannot be read (${cause.code ?? 'unknown reason'})`, { cause });
  });
  if (found.isDirectory()) yield* filesIn(path, importer);
  else if (/\.zip$/i.test(path)) yield* filesInZip({ path, shown, size: found.size }, importer);
  else yield onDisk(path, basename(shown), found);
}

/** The files of a folder that belong to the format; with `below`, only those in that part of it. */
async function* filesIn(
  folder: string,
  importer: Pick<Importer, 'accepts'>,
  below = folder,
): AsyncGenerator<SourceFile> {
  const listed: Listed[] = [];
  if ((await stat(below).catch(() => undefined))?.isFile() === true) listed.push({ name: below, unreadable: false });
  else await list(below, listed);
  for (const { name, unreadable } of listed.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    // Not the rest of the name: of `./exports` its own name has no dot.
    const shown = relative(folder, name).replaceAll('\\', '/');
    if (!unreadable && !importer.accepts(shown)) continue;
    // A program may rename or remove its files while they are listed.
    const found = await stat(name).catch(() => undefined);
    if (found !== undefined) yield onDisk(name, shown === '' ? basename(folder) : shown, found);
  }
}

interface Listed {
  name: string;
  /** A folder without read permission. It is listed like a file, so that reading it reports the error. */
  unreadable: boolean;
}

/** One folder at a time, so that an unreadable one hides only its own contents. */
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

/** The contents of a file. If reading fails, the rest of the file is skipped and the next files are still read. */
export async function* foundIn(importer: Importer, file: SourceFile, options?: ReadOptions): AsyncGenerator<Found> {
  try {
    yield* importer.read(file, options);
  } catch (error) {
    const reason = whyUnreadable(error);
    if (reason === undefined) throw error;
    yield { kind: 'skipped', place: file.path, reason };
  }
}

/** Why reading a file failed, if the file is the cause: damage, missing permission or a failing disk. */
function whyUnreadable(error: unknown): string | undefined {
  if (error instanceof UnreadableEntry) return error.message;
  return error instanceof Error && 'syscall' in error ? 'it cannot be read' : undefined;
}

/** An archive entry that cannot be unpacked; its message is the reason shown in reports. */
class UnreadableEntry extends Error {}

/** Maximum ratio of unpacked to packed size. Text compresses to about a tenth, repetitive logs to a fiftieth. */
const mostGrowth = 100;

/**
 * The files of a zip that belong to the format. They are unpacked while they are read, so a zip of gigabytes needs no
 * disk space and little memory. A zip bomb is rejected.
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
  const others = new Map<string, Promise<Uint8Array | undefined>>();
  const inArchive = (name: string): Promise<Uint8Array | undefined> => {
    const known = others.get(name) ?? entryOf(path, name);
    others.set(name, known);
    return known;
  };
  try {
    const entries = zip.eachEntry()[Symbol.asyncIterator]();
    for (;;) {
      const { value: entry, done } = await entries.next().catch(unreadable);
      if (done === true) return;
      if (entry.fileName.endsWith('/') || !importer.accepts(entry.fileName)) continue;
      yield {
        path: entry.fileName,
        archive: basename(shown),
        inArchive,
        size: entry.uncompressedSize,
        changedAt: entry.getLastModDate().toISOString(),
        read: () => unpack(entry),
      };
    }
  } finally {
    zip.close();
  }
}

/** One file of a zip as a whole; undefined where it is missing, too large or damaged. */
async function entryOf(path: string, name: string): Promise<Uint8Array | undefined> {
  for await (const file of filesInZip({ path, shown: path, size: 0 }, { accepts: (each) => each === name })) {
    const parts: Uint8Array[] = [];
    try {
      for await (const part of file.read()) parts.push(part);
    } catch {
      // The files of the export are read without it.
      return undefined;
    }
    return Buffer.concat(parts);
  }
  return undefined;
}

/** Counts the unpacked bytes of all entries together. */
function createUnpacking(zip: ZipFile, mostBytes: number) {
  let unpacked = 0;
  return async function* unpack(entry: Entry): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of await zip.openReadStreamPromise(entry)) {
        unpacked += part.length;
        if (unpacked > mostBytes) throw new UnreadableEntry('it unpacks to far more data than an export of its size');
        yield part;
      }
    } catch (cause) {
      throw cause instanceof UnreadableEntry ? cause : new UnreadableEntry('it is damaged', { cause });
    }
  };
}

export interface Watched {
  importer: Importer;
  path: string;
}

export interface ChangedFile {
  importer: Importer;
  file: SourceFile;
}

/**
 * Finds files in the watched folders that are new or have changed since the last scan. Comparing names, sizes and
 * times works on every file system and misses nothing when the machine was asleep. Folders may appear and disappear
 * in the meantime. With `places`, only these files and folders are examined, which costs almost nothing. Files in
 * `again` are reported whether they have changed or not.
 */
export function createLook(watched: () => readonly Watched[]) {
  const seen = new Map<string, string>();
  return async function* look(places?: readonly string[], again?: ReadonlySet<string>): AsyncGenerator<ChangedFile> {
    for (const { importer, path } of watched()) {
      for await (const file of filesThere(path, importer, places)) {
        const key = `${importer.name} ${file.onDisk ?? file.path}`;
        const state = await stateOf(file);
        if (seen.get(key) === state && again?.has(file.onDisk ?? '') !== true) continue;
        seen.set(key, state);
        yield { importer, file };
      }
    }
  };
}

async function* filesThere(
  path: string,
  importer: Importer,
  places: readonly string[] = [path],
): AsyncGenerator<SourceFile> {
  try {
    for (const place of places) {
      if (place === path) yield* filesAt(path, importer);
      else if (place.startsWith(`${path}${sep}`)) yield* filesIn(path, importer, place);
    }
  } catch (error) {
    // It was removed between two scans.
    if (!(error instanceof MemoryError) || error.code !== 'not_found') throw error;
  }
}

/** A database in use changes its write-ahead log first, and its main file much later. */
async function stateOf({ onDisk = '', size, changedAt }: SourceFile): Promise<string> {
  const log = /\.(vscdb|db)$/.test(onDisk) ? await stat(`${onDisk}-wal`).catch(() => undefined) : undefined;
  return [size, changedAt, log?.size, log?.mtimeMs].join(' ');
}
