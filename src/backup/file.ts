import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import type { Stanza } from 'age-encryption';
import { fileError, MemoryError, StartupError } from '../model/errors.js';
import { textLines } from '../model/text.js';
import type { Row } from '../stores/metadata/contract.js';
import { writeWhole } from './draft.js';

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
  const { Encrypter, Stanza } = await library();
  const encrypter = new Encrypter();
  encrypter.addRecipient({
    async wrapFileKey(fileKey) {
      const salt = randomBytes(16);
      const cipher = createCipheriv(cipherName, await keyOf(passphrase, salt, workFactor), nonce, { authTagLength });
      const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
      return [new Stanza(['scrypt', unpadded(salt), String(workFactor)], new Uint8Array(body))];
    },
  });
  return Readable.fromWeb((await encrypter.encrypt(Readable.toWeb(content) as Web)) as ReadableStream);
}

async function unseal(content: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await library();
  const decrypter = new Decrypter();
  decrypter.addIdentity({ unwrapFileKey: (stanzas: Stanza[]) => fileKeyIn(stanzas, passphrase) });
  try {
    return Readable.fromWeb((await decrypter.decrypt(Readable.toWeb(content) as Web)) as ReadableStream);
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The passphrase does not decrypt this backup', { cause });
  }
}

/**
 * The passphrase recipient of age (https://age-encryption.org/v1, "scrypt"). The package has it too, but derives the key
 * in JavaScript, which holds the event loop for seconds; Node does it in a thread of its own and in less time.
 */
const workFactor = 18;
const mostWork = 20;
const cipherName = 'chacha20-poly1305';
const authTagLength = 16;
const nonce = Buffer.alloc(12);

async function fileKeyIn(stanzas: readonly Stanza[], passphrase: string): Promise<Uint8Array | null> {
  const [stanza] = stanzas;
  const [kind, text = '', work = ''] = stanza?.args ?? [];
  if (stanza === undefined || kind !== 'scrypt') return null;
  const salt = Buffer.from(text, 'base64');
  const isValid = stanzas.length === 1 && stanza.args.length === 3 && salt.length === 16 && unpadded(salt) === text;
  if (!isValid || stanza.body.length !== 32 || !/^[1-9][0-9]?$/.test(work)) throw new Error('invalid scrypt stanza');
  if (Number(work) > mostWork) throw new Error('the scrypt work factor is too high');
  const decipher = createDecipheriv(cipherName, await keyOf(passphrase, salt, Number(work)), nonce, { authTagLength });
  decipher.setAuthTag(stanza.body.subarray(16));
  const fileKey = decipher.update(stanza.body.subarray(0, 16));
  try {
    decipher.final();
    return new Uint8Array(fileKey);
  } catch {
    // Another passphrase: the caller says so.
    return null;
  }
}

function keyOf(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const [N, r] = [2 ** work, 8];
  const labelled = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]);
  return new Promise((resolve, reject) => {
    scrypt(passphrase, labelled, 32, { N, r, p: 1, maxmem: 128 * r * N + 2 ** 20 }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
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

/**
 * A backup consists of JSON lines: a manifest, one line per row (`[table, row]`), then the row counts and a checksum
 * over all lines before. The format does not depend on the store, so any store can read what another wrote.
 */
export interface Manifest {
  format: 'threadkeep-backup';
  version: 1;
  id: string;
  created_at: string;
  schema_version: number;
  made_by: string;
}

export interface TableRow {
  table: string;
  row: Row;
}

export type Counts = Record<string, number>;

/** Encodes a backup as lines. `onRow` receives the number of rows written so far, for a progress bar. */
export async function* encodeLines(
  manifest: Manifest,
  rows: AsyncIterable<TableRow>,
  onRow: (rows: number) => void = () => {},
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const counts: Counts = {};
  let written = 0;
  const line = (value: unknown): string => {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    return text;
  };
  yield line(manifest);
  for await (const { table, row } of rows) {
    counts[table] = (counts[table] ?? 0) + 1;
    yield line([table, row]);
    onRow(++written);
  }
  yield `${JSON.stringify({ counts, sha256: hash.digest('hex') })}\n`;
}

export interface Reading {
  manifest: Manifest;
  /** Throws at the end when the counts or the checksum do not match what was read. */
  rows: AsyncGenerator<TableRow, Counts>;
}

export async function decodeLines(lines: AsyncIterable<string>): Promise<Reading> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  const manifest = first.done === true ? undefined : manifestOf(first.value);
  if (manifest === undefined) throw damaged('it does not start like a Threadkeep backup');
  const hash = createHash('sha256').update(`${first.value}\n`);
  return { manifest, rows: rowsOf(iterator, hash) };
}

async function* rowsOf(
  lines: AsyncIterator<string>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<TableRow, Counts> {
  const counts: Counts = {};
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const value = parsed(next.value);
    if (isRow(value)) {
      const [table, row] = value;
      hash.update(`${next.value}\n`);
      counts[table] = (counts[table] ?? 0) + 1;
      yield { table, row };
      continue;
    }
    const end = (value ?? {}) as { counts?: Counts; sha256?: string };
    if (end.sha256 !== hash.digest('hex')) throw damaged('its checksum does not match its content');
    if (JSON.stringify(end.counts) !== JSON.stringify(counts)) throw damaged('its row counts do not match');
    if ((await lines.next()).done !== true) throw damaged('there is data after its end');
    return counts;
  }
  throw damaged('its end is missing');
}

function manifestOf(line: string): Manifest | undefined {
  const value = parsed(line) as Partial<Manifest> | null;
  if (value === null || value.format !== 'threadkeep-backup') return undefined;
  if (value.version !== 1) {
    throw new MemoryError('invalid_input', `This backup has version ${value.version}; read it with a newer Threadkeep`);
  }
  return value as Manifest;
}

function isRow(value: unknown): value is [string, Row] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'object';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's message would quote stored text.
    throw damaged('one of its lines is not JSON');
  }
}

export function damaged(how: string, cause?: unknown): MemoryError {
  return new MemoryError('invalid_input', `The backup is damaged: ${how}`, cause === undefined ? {} : { cause });
}
