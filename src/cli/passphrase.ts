import { readFile } from 'node:fs/promises';
import { MemoryError } from '../model/errors.js';

/** The first line of a file: on the command line itself others could read it in the list of processes. */
export async function passphraseFrom(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MemoryError('not_found', `The file ${path} cannot be read`, { cause });
  });
  const [passphrase = ''] = text.split(/\r?\n/);
  if (passphrase === '') throw new MemoryError('invalid_input', `The file ${path} begins with an empty line`);
  return passphrase;
}
