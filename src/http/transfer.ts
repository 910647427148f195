import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Context } from 'hono';
import { createTimeSlice } from '../concurrency/yielding.js';
import type { Principal } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import { styleSource } from '../operations/export-html.js';
import { operations } from '../operations/table.js';
import type { Variables } from './admission.js';
import { refuseCompressed } from './body.js';
import type { DoorParts } from './door.js';
import { errorAnswer } from './errors.js';
import { answerOnce } from './idempotency.js';

type TransferContext = Context<Variables>;

const types = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};
const fileNames = { jsonl: 'threadkeep.jsonl', markdown: 'threadkeep.md', html: 'threadkeep.html' };

/** `GET /memory/export`: streamed, so that memory use does not grow with the store. */
export async function exportAnswer(
  parts: DoorParts,
  context: TransferContext,
  principal: Principal,
): Promise<Response> {
  const { tags, ...query } = context.req.query();
  const asked = { ...query, ...(tags === undefined ? {} : { tags: context.req.queries('tags') ?? [] }) };
  const call = { principal, defaultSource: 'unknown' };
  const { format, pieces } = await operations.export.execute(parts.service, call, asked);
  const ownStyle = format === 'html' ? `style-src ${styleSource}; ` : '';
  return new Response(streamOf(textsOf(pieces)), {
    headers: {
      'content-type': types[format],
      'content-disposition': `attachment; filename="${fileNames[format]}"`,
      // If a browser shows it anyway, no script runs and nothing is cached.
      'content-security-policy': `default-src 'none'; ${ownStyle}sandbox; frame-ancestors 'none'`,
      'cache-control': 'no-store',
    },
  });
}

async function* textsOf(pieces: AsyncGenerator<{ text: string }>): AsyncGenerator<string> {
  for await (const { text } of pieces) yield text;
}

/** `POST /memory/import`: one report, or with `Accept: application/x-ndjson` progress lines followed by the report. */
export async function importAnswer(
  parts: DoorParts,
  context: TransferContext,
  principal: Principal,
): Promise<Response> {
  const upload = await receiveUpload(context.req.raw, { maxBytes: parts.settings.maxImportBytes });
  const { filename: _, ...query } = context.req.query();
  const asked = { ...upload.fields, ...query };
  const { signal } = context.req.raw;
  const read = async (onProgress?: OnProgress): Promise<object> => {
    const file = { path: upload.path, signal, ...(onProgress === undefined ? {} : { onProgress }) };
    const call = { principal, defaultSource: 'import' };
    const report = await operations.import.execute(parts.service, call, { ...asked, file });
    // A partial report must not be stored as the answer to this idempotency key.
    if (signal.aborted) throw new MemoryError('invalid_input', 'The import was cancelled; send it again to finish it');
    return report;
  };
  const request = JSON.stringify([Object.entries(asked).sort(), upload.digest]);
  const run = (onProgress?: OnProgress): Promise<object> =>
    answerOnce(parts, context, { principal, request: () => request }, () => read(onProgress)).finally(upload.remove);
  if (!(context.req.header('accept') ?? '').includes('application/x-ndjson')) return context.json(await run());
  const requestId = context.get('requestId');
  return new Response(streamOf(progressLines(run, requestId)), { headers: { 'content-type': types.jsonl } });
}

/** `POST /memory/imports`: answers once the file is received; the job continues without the connection. */
export async function importJobAnswer(
  parts: DoorParts,
  context: TransferContext,
  principal: Principal,
): Promise<Response> {
  const upload = await receiveUpload(context.req.raw, { maxBytes: parts.settings.maxImportBytes });
  try {
    const { filename = upload.filename, ...query } = context.req.query();
    const { path, digest, bytes } = upload;
    const file = { path, digest, bytes, ending: extname(path), ...(filename === undefined ? {} : { filename }) };
    const call = { principal, defaultSource: 'import' };
    const asked = { ...upload.fields, ...query, file };
    return context.json(await operations.imports_create.execute(parts.service, call, asked));
  } finally {
    // Does nothing if a job has taken over the file.
    await upload.remove();
  }
}

type OnProgress = (progress: { read: number }) => void;

const progressEvery = 200;

async function* progressLines(
  run: (onProgress: OnProgress) => Promise<object>,
  requestId: string,
): AsyncGenerator<string> {
  let read = 0;
  let ended = false;
  const running = run((progress) => {
    read = progress.read;
  })
    .then((report) => ({ type: 'report', ...report }))
    // The response headers are already sent, so the failure is its last line.
    .catch((error: unknown) => ({ type: 'error', ...errorAnswer(error, requestId).body }))
    .finally(() => {
      ended = true;
    });
  while (!ended) {
    yield `${JSON.stringify({ type: 'progress', read })}\n`;
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, progressEvery))]);
  }
  yield `${JSON.stringify(await running)}\n`;
}

/** Pull-based, so that a slow reader slows down the source (back-pressure). */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const slice = createTimeSlice();
  let rest = '';
  return new ReadableStream({
    async pull(controller) {
      // Yields, because a fast reader would otherwise keep other requests from being served.
      if (slice.isOver()) await slice.yield();
      if (rest === '') {
        const next = await pieces.next();
        if (next.done === true) return controller.close();
        rest = next.value;
      }
      const end = wholeCharacter(rest, portionLength);
      controller.enqueue(encoder.encode(rest.slice(0, end)));
      rest = rest.slice(end);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** The number of characters encoded at once. */
const portionLength = 262_144;

/** An offset that does not split a surrogate pair. */
function wholeCharacter(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
}

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
async function receiveUpload(request: Request, { maxBytes }: { maxBytes: number }): Promise<Upload> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  refuseCompressed(request);
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  await sweep();
  if (request.body === null) throw new MemoryError('invalid_input', 'Send the export as the body');
  const body = Readable.fromWeb(request.body as NodeReadableStream);
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
