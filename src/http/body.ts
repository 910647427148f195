import { runYielding } from '../concurrency/yielding.js';
import { MemoryError } from '../model/errors.js';
import { isSmall, jsonPieces } from '../model/json.js';
import { finished, type Steps } from '../model/steps.js';
import type { RouteContext } from './admission.js';
import { parsingJson } from './parse-json.js';

/** Reads a JSON body. A body that is too large is rejected before or while reading. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new MemoryError('unsupported_media_type', 'Send JSON with the header Content-Type: application/json');
  }
  refuseCompressed(request);
  const bytes = await readBytes(request, maxBytes).catch((cause: unknown) => {
    if (cause instanceof MemoryError) throw cause;
    // The client disconnected: it will not see this answer, and we did not cause it.
    throw new MemoryError('invalid_input', 'The body was not received completely', { cause });
  });
  if (bytes.length < largeBytes) return jsonOf(() => JSON.parse(decoded(bytes)));
  return runYielding(readingJson(bytes));
}

/** The same in steps, between which other requests are served. */
function* readingJson(bytes: Uint8Array): Steps<unknown> {
  const text = yield* decoding(bytes);
  const steps = parsingJson(text);
  for (;;) {
    const step = jsonOf(() => steps.next());
    if (step.done) return step.value;
    yield;
  }
}

function jsonOf<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    // The parser's own message quotes the text around the error, which may be private.
    throw new MemoryError('invalid_input', 'The body is not valid JSON');
  }
}

function decoded(bytes: Uint8Array): string {
  return finished(decoding(bytes));
}

function* decoding(bytes: Uint8Array): Steps<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (let start = 0; start < bytes.length; start += portionBytes) {
      text += decoder.decode(bytes.subarray(start, start + portionBytes), { stream: true });
      yield;
    }
    return text + decoder.decode();
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The body is not valid UTF-8', { cause });
  }
}

/** Bytes that are decoded at once. */
const portionBytes = 262_144;

/** A larger body is decoded and parsed in portions; a smaller one takes a few milliseconds. */
const largeBytes = 262_144;

/** A JSON response. A large one is written in portions, between which other requests are served. */
export async function jsonAnswer(context: RouteContext, value: object): Promise<Response> {
  context.header('content-type', 'application/json');
  if (isSmall(value)) return context.body(JSON.stringify(value));
  return context.body(await runYielding(writingJson(value)));
}

function* writingJson(value: object): Steps<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for (const piece of jsonPieces(value)) {
    parts.push(Buffer.from(piece));
    yield;
  }
  return Buffer.concat(parts);
}

/** Decompressing untrusted input could take any amount of memory, and locally it saves little. */
export function refuseCompressed(request: Request): void {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new MemoryError('unsupported_media_type', 'The body is compressed (Content-Encoding); send it uncompressed');
}

export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  // Node enforces a declared length; only a body without one must be counted.
  if (declared !== null) return new Uint8Array(await request.arrayBuffer());
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(maxBytes: number): MemoryError {
  return new MemoryError('payload_too_large', `The body is larger than ${maxBytes} bytes (limits.max_body_bytes)`);
}

/**
 * Reads the body of a request without a token within a short time limit, because Node's own limit is long enough for a
 * large import. On time-out the connection is closed after the answer, since the rest of the body could still arrive.
 */
export async function inTime<Body>(context: RouteContext, given: Promise<Body>): Promise<Body> {
  const reading = given.catch(notWhole);
  const milliseconds = context.get('bodyTimeoutMs');
  if (milliseconds === undefined) return reading;
  // It rejects when the connection ends, and by then the result is no longer used.
  reading.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      context.header('connection', 'close');
      const seconds = milliseconds / 1_000;
      reject(new MemoryError('invalid_input', `The body was not received within ${seconds} seconds; send it again`));
    }, milliseconds);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The client disconnected: it will not see this answer, and we did not cause it. */
function notWhole(cause: unknown): never {
  if (cause instanceof MemoryError) throw cause;
  throw new MemoryError('invalid_input', 'The body was not received completely', { cause });
}
