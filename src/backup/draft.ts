import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { fileError } from '../model/errors.js';

/**
 * Writes a file that only its owner may read. Its name appears when everything is on disk: one that broke off leaves
 * none behind. Until then it has a name that nobody can foresee and that is always a new file, so that no link and no
 * rights laid there before lead elsewhere.
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
