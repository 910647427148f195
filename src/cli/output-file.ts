import { createWriteStream } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { writeWhole } from '../backup/draft.js';
import { fileError } from '../model/file-error.js';

/**
 * Writes to whatever the path leads to. A file, or none yet, is there when it is whole, for its owner alone, and a link
 * to it stays a link. A pipe, a terminal or another device is written into, because a file in its place would replace it.
 */
export async function writeOutput(path: string, fill: (into: Writable) => Promise<void>): Promise<void> {
  const file = await replaceable(path);
  if (file !== undefined) return writeWhole(file, fill);
  await fill(createWriteStream(path, { mode: 0o600 })).catch((error: unknown) => {
    throw fileError(path, 'written', error);
  });
}

/** Where a whole file may take the place of what is there; undefined where something else than a file is. */
async function replaceable(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return realpath(path).catch(() => undefined);
  if (found !== undefined) return undefined;
  // A link that leads nowhere yet is written through.
  const link = await lstat(path).catch(() => undefined);
  return link === undefined ? path : undefined;
}
