import { setMaxListeners } from 'node:events';
import { MemoryError, StartupError } from '../model/errors.js';
import { backoff } from '../resilience/guard.js';
import { TextsRefused } from './contract.js';

/*
 * One request to an embedding server: its address, the request itself, retries, and parsing the response.
 */

interface EmbeddingRequest {
  endpoint: Endpoint;
  model: string;
  texts: readonly string[];
  dimension: number;
  /** Send the `dimensions` parameter; some servers reject it. */
  sendDimensions: boolean;
  timeoutMs: number;
  now: () => number;
  signal: AbortSignal;
}

/** `refused` is a 400 or 422, which the same request without `dimensions` may avoid. */
export type RequestOutcome = Attempt<Float32Array[]> | { kind: 'refused'; error: TextsRefused };

/** Sends one POST. Throws permanent failures, and the signal's reason when it aborts. */
export async function requestEmbeddings(request: EmbeddingRequest): Promise<RequestOutcome> {
  const { texts, dimension, timeoutMs, signal } = request;
  signal.throwIfAborted();
  const deadline = linkAbort([signal]);
  const timer = setTimeout(() => deadline.abort(timedOut), timeoutMs);
  let answer: { response: Response; body: string };
  try {
    answer = await exchange(request, deadline.signal);
  } catch (cause) {
    signal.throwIfAborted();
    return { kind: 'failed', error: unreachable(cause, timeoutMs), retryAfterMs: undefined };
  } finally {
    clearTimeout(timer);
    deadline.release();
  }
  const { response, body } = answer;
  if (response.ok) return { kind: 'answered', value: readAnswer(body, { count: texts.length, dimension }) };
  const error = statusError(response.status);
  if (isTemporary(response.status)) {
    return { kind: 'failed', error, retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), request.now()) };
  }
  if (error instanceof TextsRefused && response.status !== 413) return { kind: 'refused', error };
  throw error;
}

const timedOut = Symbol('timed out');

async function exchange(request: EmbeddingRequest, signal: AbortSignal): Promise<{ response: Response; body: string }> {
  const { endpoint, model, texts, dimension, sendDimensions } = request;
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: endpoint.headers,
    body: JSON.stringify({
      model,
      input: texts.map(carriable),
      encoding_format: 'float',
      ...(sendDimensions ? { dimensions: dimension } : {}),
    }),
    // A redirect would send the texts and the key to another host. "manual" returns the 3xx itself, so that it fails at
    // once; "error" looks like a network failure, which would be retried.
    redirect: 'manual',
    signal,
  });
  if (response.ok) return { response, body: await response.text() };
  // The body of an error response may echo the texts and is not needed; cancelling it frees the connection.
  await response.body?.cancel();
  return { response, body: '' };
}

/** Servers reject empty texts and fail on half a surrogate pair; both are replaced with the nearest valid text. */
function carriable(text: string): string {
  return text === '' ? ' ' : text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function isTemporary(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function unreachable(cause: unknown, timeoutMs: number): MemoryError {
  if (cause === timedOut) {
    return unavailable(`did not answer within ${timeoutMs} ms: check that it is running and not overloaded.`);
  }
  return unavailable(
    'could not be reached: check that it is running and that embedding_endpoint.base_url is right.',
    cause,
  );
}

function statusError(status: number): MemoryError {
  if (status === 401 || status === 403) {
    return unavailable(`refused the key (HTTP ${status}): check embedding_endpoint.api_key.`);
  }
  if (status === 404) {
    return unavailable('was not found (HTTP 404): check embedding_endpoint.base_url and providers.embedding_model.');
  }
  if (status === 429) return unavailable('is rate limiting requests (HTTP 429): wait a while or raise its limit.');
  if (status === 408 || status >= 500) return unavailable(`failed (HTTP ${status}): check that service's log.`);
  if (status < 400) {
    return unavailable(
      `redirects to another address (HTTP ${status}): set embedding_endpoint.base_url to the final address.`,
    );
  }
  const refused = `refused the request (HTTP ${status}): check providers.embedding_model and the length of the texts.`;
  return status === 400 || status === 413 || status === 422
    ? new TextsRefused(subject + refused)
    : unavailable(refused);
}

const subject = 'The embedding endpoint ';

function unavailable(what: string, cause?: unknown): MemoryError {
  return new MemoryError('embedding_unavailable', subject + what, { cause });
}

/** The outcome of one attempt. Permanent failures are thrown instead. */
export type Attempt<Result> =
  | { kind: 'answered'; value: Result }
  | { kind: 'failed'; error: MemoryError; retryAfterMs: number | undefined };

interface RetryOptions {
  maxRetries: number;
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  signal: AbortSignal;
}

/** Retries until it succeeds, at most `1 + maxRetries` attempts; then throws the last failure. */
export async function withRetries<Result>(
  attempt: () => Promise<Attempt<Result>>,
  { maxRetries, wait, random, signal }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    const outcome = await attempt();
    if (outcome.kind === 'answered') return outcome.value;
    if (failures >= maxRetries) throw outcome.error;
    await wait(outcome.retryAfterMs ?? backoff(failures, { ...pauses, random }), signal);
  }
}

const pauses = { first: 500, longest: 30_000 };
const longestRetryAfterMs = 60_000;

/**
 * The delay in milliseconds of a Retry-After header, in seconds or as an HTTP date; undefined when it is not usable.
 */
function parseRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : httpDate(value) - now;
  if (Number.isNaN(milliseconds)) return undefined;
  return Math.min(Math.max(milliseconds, 0), longestRetryAfterMs);
}

/** `Date.parse` alone would read "-5" as a day in May. */
function httpDate(value: string): number {
  return /^[A-Z][a-z]+, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
}

/**
 * The vectors of an OpenAI-compatible response, ordered by their `index`. Throws `embedding_unavailable` unless there
 * is exactly one vector of finite numbers for each text; the message never quotes the response.
 */
function readAnswer(body: string, { count, dimension }: { count: number; dimension: number }): Float32Array[] {
  const data = parseData(body);
  if (data.length !== count) throw unusable(`with ${data.length} vectors for ${count} texts`);
  const vectors = new Map<number, Float32Array>();
  for (const item of data) {
    const { index, embedding } = item ?? {};
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw unusable('with a vector that belongs to no text');
    }
    if (vectors.has(index)) throw unusable('with two vectors for one text');
    vectors.set(index, readVector(embedding, dimension));
  }
  return [...vectors].sort(([left], [right]) => left - right).map(([, vector]) => vector);
}

/** The configured dimension differs from the model's; the message names both. */
export function dimensionMismatch(expected: number, received: number): MemoryError {
  return new MemoryError(
    'embedding_unavailable',
    `The embedding model returned ${received} dimensions instead of ${expected}: fix providers.embedding_dimension.`,
  );
}

interface AnswerItem {
  index?: unknown;
  embedding?: unknown;
}

function parseData(body: string): (AnswerItem | null)[] {
  let parsed: { data?: unknown } | null;
  try {
    parsed = JSON.parse(body);
  } catch {
    // The parser's message quotes the body, which may echo the texts, so it is not kept as the cause.
    throw unusable('with a body that is not JSON');
  }
  if (!Array.isArray(parsed?.data)) throw unusable('without a "data" list');
  return parsed.data;
}

function readVector(embedding: unknown, dimension: number): Float32Array {
  if (!Array.isArray(embedding)) throw unusable('with a vector that is not a list of numbers');
  if (embedding.length !== dimension) throw dimensionMismatch(dimension, embedding.length);
  for (const value of embedding) {
    // Rounded to the stored precision: 1e300 is a finite number but not a finite 32-bit one.
    if (typeof value !== 'number' || !Number.isFinite(Math.fround(value))) {
      throw unusable('with a vector that holds something other than finite numbers');
    }
  }
  return Float32Array.from(embedding);
}

function unusable(what: string): MemoryError {
  return new MemoryError(
    'embedding_unavailable',
    `The embedding endpoint answered ${what}: check that embedding_endpoint.base_url is an OpenAI-compatible embeddings API.`,
  );
}

interface Endpoint {
  /** The URL that texts are sent to. */
  url: URL;
  headers: Record<string, string>;
  /** The base address, safe to show in diagnostics. */
  publicAddress: string;
}

/**
 * The URL and headers of a request. Throws `StartupError` for an invalid address or key, because the errors that
 * `fetch` would raise later quote both.
 */
export function readEndpoint({ baseUrl, apiKey }: { baseUrl: string; apiKey?: string | undefined }): Endpoint {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new StartupError('config_invalid', 'embedding_endpoint.base_url must be an http or https address.', {
      hint: 'An example is http://localhost:11434/v1.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new StartupError('config_invalid', 'embedding_endpoint.base_url must not contain a user name or password.', {
      hint: 'Put the key into embedding_endpoint.api_key.',
    });
  }
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (apiKey !== undefined && apiKey !== '') {
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new StartupError(
        'config_invalid',
        'embedding_endpoint.api_key contains characters that are not allowed in a header.',
        {
          hint: 'Check it for spaces, line breaks and quotation marks.',
        },
      );
    }
    headers.authorization = `Bearer ${apiKey}`;
  }
  const publicAddress = withoutSecrets(url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  return { url, headers, publicAddress };
}

/** Origin and path: credentials, query and fragment may hold keys. */
export function withoutSecrets(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * A signal that follows others until it is released. Unlike `AbortSignal.any`, it leaves no listeners behind on them.
 */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  release(): void;
}

/** Aborts when one of `sources` does, with its reason, or on request. Release it when the work is done. */
export function linkAbort(sources: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const source of sources) {
    if (source === undefined) continue;
    const follow = () => controller.abort(source.reason);
    if (source.aborted) follow();
    // Many calls may follow one closing signal; Node warns about a leak from the eleventh listener on.
    setMaxListeners(0, source);
    source.addEventListener('abort', follow);
    releases.push(() => source.removeEventListener('abort', follow));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release() {
      for (const release of releases) release();
    },
  };
}
