import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { MemoryError } from '../model/errors.js';
import { damaged } from './lines.js';
import { isSealed, seal, unseal } from './seal.js';

/**
 * Writes the lines compressed, and sealed when a passphrase is given, into a file that only its owner may read. The
 * name appears when everything is on disk: a backup that broke off leaves none behind.
 */
export async function writeBackup(path: string, lines: AsyncIterable<string>, passphrase?: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const compressed = new PassThrough();
  const compressing = pipeline(Readable.from(lines), createGzip({ level: 6 }), compressed);
  try {
    const content = passphrase === undefined ? compressed : await seal(compressed, passphrase);
    await Promise.all([compressing, pipeline(content, createWriteStream(unfinished, { mode: 0o600, flush: true }))]);
    await rename(unfinished, path);
    const folder = await open(dirname(path), 'r');
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The lines of a backup. What is broken (a flipped bit, a missing end, a wrong passphrase) throws while reading. */
export async function* readBackup(path: string, passphrase?: string): AsyncGenerator<string> {
  const sealed = await isSealed(path);
  if (sealed && passphrase === undefined) {
    throw new MemoryError('invalid_input', 'This backup is sealed with a passphrase; give it with --passphrase-file');
  }
  const file = createReadStream(path);
  const compressed = sealed ? await unseal(file, passphrase ?? '') : file;
  const plain = createGunzip();
  const done = pipeline(compressed, plain);
  // The reader below notices first; this keeps a failure from being unhandled until it is looked at.
  done.catch(() => {});
  try {
    for await (const line of createInterface({ input: plain, crlfDelay: Number.POSITIVE_INFINITY })) yield line;
    await done;
  } catch (error) {
    throw error instanceof MemoryError ? error : damaged('it cannot be read to its end', error);
  }
}
