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
  /** Hash of the content, to recognise the same file. */
  digest: string;
  bytes: number;
  /** The file name given in the form. */
  filename?: string;
  /** The other fields of a form. */
  fields: Record<string, string>;
  remove(): Promise<void>;
}

/** Accepted extensions, which tell the importer how to read the file. */
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
 * Saves the upload to a temporary file that only we can read, because a zip is read from its end. Accepts the raw file
 * content or a form with one file. Stops receiving at the size limit.
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
    // The upload may already be complete; then only the form parser is still waiting.
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
    // Stops reading an upload that is too large.
    saving.catch(stop);
  });
  try {
    await pipeline(body, form);
  } catch (cause) {
    file?.destroy();
    // The partial file is useless; if saving failed too, the error below reports it.
    await saving?.catch(() => undefined);
    if (path !== undefined) await rm(path, { force: true });
    if (cause instanceof MemoryError) throw cause;
    throw new MemoryError('invalid_input', 'The form was not received completely', { cause });
  }
  if (saving === undefined || path === undefined) throw new MemoryError('invalid_input', 'The form contains no file');
  return uploadAt(path, await saving, { fields, ...(named === undefined ? {} : { filename: named }) });
}

async function formReader(type: string) {
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { files: 1, fields: 20, fieldSize: 10_000 } });
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The form has no boundary; let your client set the Content-Type', {
      cause,
    });
  }
}

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
    throw new MemoryError('invalid_input', 'The body was not received completely', { cause: error });
  }
}

const noRoom =
  'The temporary folder cannot store the upload: check that it exists, has space and is writable, then try again';

/** System error codes that are not the client's fault. */
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

/** Removes files left by killed processes: no upload is in use for a day. */
async function sweep(): Promise<void> {
  // An unreadable folder is reported when it is written to.
  const names = (await readdir(tmpdir()).catch(() => [])).filter((name) => name.startsWith(prefix));
  for (const path of names.map((name) => join(tmpdir(), name))) {
    // Another user's file, or one that is already gone.
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
