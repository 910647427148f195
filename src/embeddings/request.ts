import { MemoryError } from '../model/errors.js';
import { linkAbort } from './abort.js';
import { readAnswer } from './answer.js';
import { TextsRefused } from './contract.js';
import type { Endpoint } from './endpoint.js';
import { type Attempt, parseRetryAfter } from './retry.js';

export interface EmbeddingRequest {
  endpoint: Endpoint;
  model: string;
  texts: readonly string[];
  dimension: number;
  /** Ask the model for this dimension; some servers refuse a request that does. */
  sendDimensions: boolean;
  timeoutMs: number;
  now: () => number;
  signal: AbortSignal;
}

/** `refused` is a 400 or 422, which the same request without `dimensions` may mend. */
export type RequestOutcome = Attempt<Float32Array[]> | { kind: 'refused'; error: TextsRefused };

/** One POST. Throws what no further request can mend, and the signal's reason when it aborts. */
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
    // A redirect would carry texts and key to another place. "manual" hands us the 3xx itself, so that it fails at once;
    // "error" looks like a broken network, which would be tried again.
    redirect: 'manual',
    signal,
  });
  if (response.ok) return { response, body: await response.text() };
  // The body of a failure may echo the texts and is of no use to us; not reading it gives the connection back.
  await response.body?.cancel();
  return { response, body: '' };
}

/** Servers refuse an empty text and stumble over half a surrogate pair; both get the nearest thing that is allowed. */
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
  if (status === 429) return unavailable('asks for fewer requests (HTTP 429): wait a while or raise its limit.');
  if (status === 408 || status >= 500) return unavailable(`failed (HTTP ${status}): look at that service's own log.`);
  if (status < 400) {
    return unavailable(`redirects elsewhere (HTTP ${status}): put the final address into embedding_endpoint.base_url.`);
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
