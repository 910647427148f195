import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import { fileError, MemoryError, StartupError } from '../model/errors.js';
import { textLines } from '../model/text.js';
import { writeWhole } from './draft.js';
import { damaged } from './lines.js';

/** Writes the lines compressed, and encrypted when a passphrase is given, into a file that only its owner may read. */
export async function writeBackup(path: string, lines: AsyncIterable<string>, passphrase?: string): Promise<void> {
  await writeWhole(path, async (file) => {
    const compressed = new PassThrough();
    const compressing = pipeline(Readable.from(lines), createGzip({ level: 6 }), sameHead(), compressed);
    const content = passphrase === undefined ? compressed : await seal(compressed, passphrase);
    await Promise.all([compressing, pipeline(content, file)]);
  });
}

/** Reads the lines of a backup. Damage (a flipped bit, a missing end, a wrong passphrase) throws while reading. */
export async function* readBackup(path: string, passphrase?: string): AsyncGenerator<string> {
  const sealed = await isSealed(path);
  if (sealed && passphrase === undefined) {
    throw new MemoryError(
      'invalid_input',
      'This backup is encrypted with a passphrase; give it with --passphrase-file',
    );
  }
  const file = createReadStream(path);
  const compressed = sealed ? await unseal(file, passphrase ?? '') : file;
  const plain = createGunzip();
  const done = pipeline(compressed, checkedHead(), plain);
  // The reader below reports the failure; this handler only prevents an unhandled rejection.
  done.catch(() => {});
  try {
    for await (const lines of textLines(plain, Number.POSITIVE_INFINITY)) {
      for (const line of lines) if (line !== undefined) yield line;
    }
    await done;
  } catch (error) {
    throw error instanceof MemoryError ? error : damaged('it cannot be read to the end', error);
  }
}

/**
 * A fixed gzip header: no flags, no time, no hint, the same operating system everywhere, so that any change to it is
 * detected.
 */
const head = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03]);

function sameHead(): Transform {
  return onHead(() => head);
}

function checkedHead(): Transform {
  return onHead((found) => {
    if (!found.equals(head)) throw damaged('it does not start like a Threadkeep backup');
    return found;
  });
}

/** Passes the stream through, with its first ten bytes transformed by `change`. */
function onHead(change: (found: Buffer) => Buffer): Transform {
  let first: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (first === undefined) return done(null, chunk);
      first = Buffer.concat([first, chunk]);
      if (first.length < head.length) return done();
      try {
        this.push(Buffer.concat([change(first.subarray(0, head.length)), first.subarray(head.length)]));
        first = undefined;
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      done(first === undefined ? null : damaged('its end is missing'));
    },
  });
}

/** Encrypted backups are age files, so that `age --decrypt` opens them too. */
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

async function unseal(content: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await library();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return Readable.fromWeb((await decrypter.decrypt(Readable.toWeb(content) as Web)) as ReadableStream);
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The passphrase does not decrypt this backup', { cause });
  }
}

async function library(): Promise<typeof import('age-encryption')> {
  try {
    return await import('age-encryption');
  } catch (cause) {
    throw new StartupError('package_missing', 'An encrypted backup needs the package age-encryption.', {
      hint: 'Install it with: npm install age-encryption@0.3.1',
      cause,
    });
  }
}
