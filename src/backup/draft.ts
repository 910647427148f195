import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { fileError } from '../model/errors.js';

/**
 * Writes a file atomically, readable only by its owner: it gets its name once everything is on disk, so an interrupted
 * write leaves no partial file under that name. Until then it has an unpredictable name and is created exclusively, so
 * that a planted link or file cannot redirect the write.
 */
export async function writeWhole(path: string, fill: (into: Writable) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.unfinished`;
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw fileError(path, 'written', error);
  });
  const file = handle.createWriteStream({ flush: true });
  try {
    await fill(file);
    await rename(draft, path);
  } catch (error) {
    file.destroy();
    await rm(draft, { force: true });
    throw fileError(path, 'written', error);
  }
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}
