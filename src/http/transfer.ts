import { extname } from 'node:path';
import type { Context } from 'hono';
import { createTimeSlice } from '../concurrency/yielding.js';
import type { Principal } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import { operations } from '../operations/table.js';
import type { Variables } from './admission.js';
import type { DoorParts } from './door.js';
import { errorAnswer } from './errors.js';
import { answerOnce } from './idempotency.js';
import { receiveUpload } from './upload.js';

type Request = Context<Variables>;

const types = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};
const fileNames = { jsonl: 'threadkeep.jsonl', markdown: 'threadkeep.md', html: 'threadkeep.html' };

/** `GET /memory/export`: streamed, so that memory use does not grow with the store. */
export async function exportAnswer(parts: DoorParts, context: Request, principal: Principal): Promise<Response> {
  const { tags, ...query } = context.req.query();
  const asked = { ...query, ...(tags === undefined ? {} : { tags: context.req.queries('tags') ?? [] }) };
  const call = { principal, defaultSource: 'unknown' };
  const { format, pieces } = await operations.export.execute(parts.service, call, asked);
  const ownStyle = format === 'html' ? "style-src 'unsafe-inline'; " : '';
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
export async function importAnswer(parts: DoorParts, context: Request, principal: Principal): Promise<Response> {
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
export async function importJobAnswer(parts: DoorParts, context: Request, principal: Principal): Promise<Response> {
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
      // A reader that keeps up would otherwise be served without a pause for anyone else.
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

/** Letters that are encoded at once. */
const portionLength = 262_144;

/** An offset that does not split a surrogate pair. */
function wholeCharacter(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
}
