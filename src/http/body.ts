import { createTimeSlice, runYielding } from '../concurrency/yielding.js';
import { MemoryError } from '../model/errors.js';
import { isSmall, jsonPieces } from '../model/json.js';
import { finished, type Steps } from '../model/steps.js';
import type { RouteContext } from './admission.js';

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

/** The same in steps, which yield to other requests. */
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

/** The number of bytes decoded at once. */
const portionBytes = 262_144;

/** Larger bodies are decoded and parsed in portions; smaller ones take a few milliseconds. */
const largeBytes = 262_144;

/** A JSON response. A large one is written in portions and yields to other requests in between. */
export async function jsonAnswer(context: RouteContext, value: object): Promise<Response> {
  context.header('content-type', 'application/json');
  if (isSmall(value)) return context.body(JSON.stringify(value));
  const parts = await runYielding(writingJson(value));
  context.header('content-length', String(parts.reduce((sum, { length }) => sum + length, 0)));
  return context.body(streamOf(parts));
}

function* writingJson(value: object): Steps<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let text = '';
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length >= portionBytes) {
      parts.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  return [...parts, Buffer.from(text)];
}

/** Written in parts, because joining them would copy tens of megabytes at once. */
function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = parts.values();
  const slice = createTimeSlice();
  return new ReadableStream({
    async pull(controller) {
      // Yields, because a fast reader would otherwise keep other requests from being served.
      if (slice.isOver()) await slice.yield();
      const next = rest.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
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

/*
 * Parses JSON in steps, because `JSON.parse` can block for seconds on a body of the default limit. The result is the
 * same; more values or keys than a conversation can have are rejected before they are held in memory.
 */

/** Ten thousand messages with a dozen fields each have fewer values, and so has ordinary metadata. */
const mostValues = 200_000;
/** Larger objects are slow to extend, which blocks. */
const mostKeys = 20_000;
/** The number of characters of a string that are parsed at once. */
const portionLength = 65_536;

type Container = { items: unknown[] } | { entries: Map<string, unknown>; key: string | undefined };

/** Throws a SyntaxError when `JSON.parse` would. */
export function* parsingJson(text: string): Steps<unknown> {
  const containers: Container[] = [];
  let at = 0;
  let values = 0;
  for (;;) {
    at = skipBlanks(text, at);
    const inside = containers.at(-1);
    if (inside !== undefined && 'entries' in inside && inside.key === undefined) {
      // Expects a key: after the opening brace or a comma.
      const key = yield* readString(text, at);
      inside.key = key.value;
      at = skipBlanks(text, key.end);
      if (text[at] !== ':') throw malformed();
      at = skipBlanks(text, at + 1);
    }
    values += 1;
    if (values > mostValues) throw tooMany(`more than ${mostValues} values`);
    const begins = text[at];
    let value: unknown;
    if (begins === '{' || begins === '[') {
      const first = skipBlanks(text, at + 1);
      if (text[first] !== (begins === '{' ? '}' : ']')) {
        containers.push(begins === '{' ? { entries: new Map(), key: undefined } : { items: [] });
        at = first;
        yield;
        continue;
      }
      value = begins === '{' ? {} : [];
      at = first + 1;
    } else {
      const read: { value: unknown; end: number } = begins === '"' ? yield* readString(text, at) : readWord(text, at);
      value = read.value;
      at = read.end;
    }
    yield;
    // Closes every container that ends here.
    for (;;) {
      at = skipBlanks(text, at);
      const container = containers.at(-1);
      if (container === undefined) {
        if (at < text.length) throw malformed();
        return value;
      }
      add(container, value);
      const follows = text[at];
      at += 1;
      if (follows === ',') break;
      if (follows !== ('items' in container ? ']' : '}')) throw malformed();
      containers.pop();
      // Built from entries, so that a key such as __proto__ is an ordinary key.
      value = 'items' in container ? container.items : Object.fromEntries(container.entries);
      yield;
    }
  }
}

function add(container: Container, value: unknown): void {
  if ('items' in container) {
    container.items.push(value);
    return;
  }
  container.entries.set(container.key ?? '', value);
  container.key = undefined;
  if (container.entries.size > mostKeys) throw tooMany(`an object with more than ${mostKeys} keys`);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break;
  }
  return at;
}

function* readString(text: string, from: number): Steps<{ value: string; end: number }> {
  if (text[from] !== '"') throw malformed();
  let value = '';
  let start = from + 1;
  let at = start;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (Number.isNaN(unit)) throw malformed();
    if (unit === quote) return { value: value + parsed(`"${text.slice(start, at)}"`), end: at + 1 };
    // Never cuts inside an escape sequence.
    at += unit === backslash ? (text[at + 1] === 'u' ? 6 : 2) : 1;
    if (at - start < portionLength) continue;
    value += parsed(`"${text.slice(start, at)}"`);
    start = at;
    yield;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** A number, true, false or null. */
function readWord(text: string, from: number): { value: unknown; end: number } {
  word.lastIndex = from;
  const [found] = word.exec(text) ?? [];
  if (found === undefined) throw malformed();
  return { value: parsed(found), end: from + found.length };
}

// Longer than any number that a client writes.
const word = /[-+.\w]{1,1000}/y;

function parsed(json: string): unknown {
  return JSON.parse(json);
}

function malformed(): SyntaxError {
  return new SyntaxError('not valid JSON');
}

function tooMany(what: string): MemoryError {
  return new MemoryError('payload_too_large', `The body contains ${what}; send less at once`);
}
