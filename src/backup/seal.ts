import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { MemoryError, StartupError } from '../model/errors.js';
import { fileError } from '../model/file-error.js';

/** Sealed backups are age files, so that `age --decrypt` opens them too. */
const mark = 'age-encryption.org/v1';

type Web = globalThis.ReadableStream<Uint8Array>;

export async function isSealed(path: string): Promise<boolean> {
  const beginning = await beginningOf(path, mark.length).catch((error: unknown) => {
    throw fileError(path, 'read', error);
  });
  return beginning.toString('latin1') === mark;
}

async function beginningOf(path: string, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return (await file.read(Buffer.alloc(length), 0, length, 0)).buffer;
  } finally {
    await file.close();
  }
}

export async function seal(content: Readable, passphrase: string): Promise<Readable> {
  const { Encrypter } = await library();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return Readable.fromWeb((await encrypter.encrypt(Readable.toWeb(content) as Web)) as ReadableStream);
}

export async function unseal(content: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await library();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return Readable.fromWeb((await decrypter.decrypt(Readable.toWeb(content) as Web)) as ReadableStream);
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The passphrase does not open this backup', { cause });
  }
}

async function library(): Promise<typeof import('age-encryption')> {
  try {
    return await import('age-encryption');
  } catch (cause) {
    throw new StartupError('package_missing', 'A sealed backup needs the package age-encryption.', {
      hint: 'Install it with: npm install age-encryption@0.3.1',
      cause,
    });
  }
}
