import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { MemoryError } from '../model/errors.js';
import { refuseCompressed } from './body.js';

export interface Upload {
  path: string;
  /** Of its content, by which the same file is known again. */
  digest: string;
  bytes: number;
  /** What the form calls it. */
  filename?: string;
  /** The other fields of a form. */
  fields: Record<string, string>;
  remove(): Promise<void>;
}

/** Names a file may end with; what is behind the last dot tells a reader how to read it. */
const endings = new Set(['.json', '.jsonl', '.ndjson', '.csv', '.zip', '.vscdb', '.db']);

const endingOfType: Record<string, string> = {
  'application/zip': '.zip',
  'application/x-zip-compressed': '.zip',
  'text/csv': '.csv',
  'application/x-ndjson': '.jsonl',
  'application/jsonl': '.jsonl',
  'application/json': '.json',
};

/**
 * Puts what is sent into a temporary file that only we can read, because a zip is read from its end. Either the bare
 * content of the file, or a form with one file in it. Stops at the limit, while receiving.
 */
export async function receiveUpload(request: Request, { maxBytes }: { maxBytes: number }): Promise<Upload> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  refuseCompressed(request);
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  await sweep();
  if (request.body === null) throw new MemoryError('invalid_input', 'Send the export as the body');
  const body = Readable.fromWeb(request.body as ReadableStream);
  if (type === 'multipart/form-data') return receiveForm(body, request.headers, maxBytes);
  const name = new URL(request.url).searchParams.get('filename') ?? '';
  const path = place(endingOf(name) ?? endingOfType[type] ?? '.json');
  return uploadAt(path, await save(body, path, maxBytes), { fields: {} });
}

async function receiveForm(body: Readable, headers: Headers, maxBytes: number): Promise<Upload> {
  const form = await formReader(headers.get('content-type') ?? '');
  const fields: Record<string, string> = {};
  let path: string | undefined;
  let saving: Promise<Saved> | undefined;
  let named: string | undefined;
  let file: Readable | undefined;
  const stop = (error: Error): void => {
    body.destroy(error);
    // What was sent may have arrived already; then only the form is left to wait for.
    form.destroy(error);
  };
  const refuse = (): void => stop(new MemoryError('invalid_input', 'Send one file at a time, with at most 20 fields'));
  form.on('filesLimit', refuse).on('fieldsLimit', refuse);
  form.on('field', (name: string, value: string) => {
    fields[name] = value;
  });
  form.on('file', (_name: string, content: Readable, filename: string) => {
    path = place(endingOf(filename) ?? '.json');
    named = filename;
    file = content;
    saving = save(content, path, maxBytes);
    // What is too large is not read to its end.
    saving.catch(stop);
  });
  try {
    await pipeline(body, form);
  } catch (cause) {
    file?.destroy();
    // What was saved of it is of no use; that it may have failed too is said by the error below.
    await saving?.catch(() => undefined);
    if (path !== undefined) await rm(path, { force: true });
    if (cause instanceof MemoryError) throw cause;
    throw new MemoryError('invalid_input', 'The form was not received whole', { cause });
  }
  if (saving === undefined || path === undefined) throw new MemoryError('invalid_input', 'The form holds no file');
  return uploadAt(path, await saving, { fields, ...(named === undefined ? {} : { filename: named }) });
}

async function formReader(type: string) {
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { files: 1, fields: 20, fieldSize: 10_000 } });
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The form has no boundary; let your client make the Content-Type', {
      cause,
    });
  }
}

/** Of what was saved. */
type Saved = Pick<Upload, 'digest' | 'bytes'>;

async function save(content: Readable, path: string, maxBytes: number): Promise<Saved> {
  const digest = createHash('sha256');
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      digest.update(chunk);
      done(size > maxBytes ? tooLarge(maxBytes) : null, chunk);
    },
  });
  try {
    await pipeline(content, counted, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    return { digest: digest.digest('hex'), bytes: size };
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof MemoryError) throw error;
    if (isOfTheDisk(error)) throw new MemoryError('metadata_unavailable', noRoom, { cause: error });
    throw new MemoryError('invalid_input', 'The body was not received whole', { cause: error });
  }
}

const noRoom =
  'The temporary folder cannot take the upload: see that it exists, has space and may be written to, then try again';

/** Codes of the operating system that say nothing about the client. */
const diskTroubles = new Set([
  'ENOSPC',
  'EDQUOT',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOENT',
  'ENOTDIR',
  'EIO',
  'EMFILE',
  'ENFILE',
]);

function isOfTheDisk(error: unknown): boolean {
  return error instanceof Error && diskTroubles.has(String((error as NodeJS.ErrnoException).code));
}

const prefix = 'threadkeep-upload-';
const day = 86_400_000;

function place(ending: string): string {
  return join(tmpdir(), `${prefix}${randomUUID()}${ending}`);
}

/** A process that was killed left its file behind; nobody reads one for a day. */
async function sweep(): Promise<void> {
  // A folder that cannot be read is told of by whoever writes into it.
  const names = (await readdir(tmpdir()).catch(() => [])).filter((name) => name.startsWith(prefix));
  for (const path of names.map((name) => join(tmpdir(), name))) {
    // Somebody else's, or gone already: not ours to remove.
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > day) await rm(path, { force: true }).catch(() => undefined);
  }
}

function endingOf(name: string): string | undefined {
  const ending = extname(name).toLowerCase();
  return endings.has(ending) ? ending : undefined;
}

function uploadAt(path: string, saved: Saved, form: Pick<Upload, 'fields' | 'filename'>): Upload {
  return { path, ...saved, ...form, remove: () => rm(path, { force: true }) };
}

function tooLarge(maxBytes: number): MemoryError {
  return new MemoryError('payload_too_large', `The export is larger than ${maxBytes} bytes (limits.max_import_bytes)`);
}
