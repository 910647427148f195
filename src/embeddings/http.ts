/*
 * An OpenAI-compatible `/embeddings` endpoint. Texts are sent in batches, with a bounded number of concurrent requests
 * across all calls. Transient failures are retried; any other failure rejects the whole call with a message that says
 * what to do. Errors never contain the key, the texts or a response body.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryError } from '../model/errors.js';
import type { Breaker, CallOutcome } from '../resilience/breaker.js';
import type { Embedder } from './contract.js';
import {
  type Attempt,
  linkAbort,
  type RequestOutcome,
  readEndpoint,
  requestEmbeddings,
  withRetries,
} from './request.js';

export interface HttpEmbedderOptions {
  baseUrl: string;
  apiKey?: string;
  model: string;
  dimension: number;
  batchSize: number;
  concurrency: number;
  timeoutMs: number;
  maxRetries: number;
  /** Stops requests, including retries, to a server that keeps failing. */
  breaker?: Breaker;
  /** Waits between attempts; rejects when the signal aborts. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  random?: () => number;
  /** Milliseconds since 1970, for comparison with a Retry-After date. */
  now?: () => number;
}

/**
 * An embedder over HTTP. It sends nothing before the first `embed`. Throws `StartupError` for an unusable address or
 * key.
 */
export function createHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { model, dimension, batchSize, concurrency, timeoutMs, maxRetries, breaker } = options;
  const { wait = waitFor, random = Math.random, now = Date.now } = options;
  const endpoint = readEndpoint(options);
  const limiter = createLimiter(concurrency);
  const closing = new AbortController();
  // Every open call adds a listener, and there may be as many as there are requests.
  setMaxListeners(0, closing.signal);
  let sendDimensions = true;

  async function attempt(texts: string[], signal: AbortSignal): Promise<Attempt<Float32Array[]>> {
    const request = { endpoint, model, texts, dimension, timeoutMs, now, signal };
    const outcome = await unlessOpen(breaker, () => requestEmbeddings({ ...request, sendDimensions }));
    if (outcome.kind !== 'refused') return outcome;
    if (!sendDimensions) throw outcome.error;
    const plain = await unlessOpen(breaker, () => requestEmbeddings({ ...request, sendDimensions: false }));
    if (plain.kind === 'refused') throw plain.error;
    if (plain.kind === 'answered') sendDimensions = false;
    return plain;
  }

  return {
    trust: 1,
    async embed(texts, { signal: caller } = {}) {
      const call = linkAbort([caller, closing.signal]);
      const { signal } = call;
      const embedBatch = (batch: string[]) =>
        limiter.run(() => withRetries(() => attempt(batch, signal), { maxRetries, wait, random, signal }), signal);
      try {
        signal.throwIfAborted();
        const batches = await Promise.all(inBatches(texts, batchSize).map(embedBatch));
        return batches.flat();
      } catch (error) {
        // The results of the other batches of this call are no longer needed.
        call.abort(error);
        // An interrupted wait reports its own error; the abort reason is more useful.
        caller?.throwIfAborted();
        closing.signal.throwIfAborted();
        throw error;
      } finally {
        call.release();
      }
    },
    // The address is left out, because the same model at another address makes the same vectors.
    describe: () => ({ provider: 'http', model, dimension, options: {} }),
    async close() {
      closing.abort(new MemoryError('embedding_unavailable', 'The embedder is closed: open it again to use it.'));
    },
  };
}

/**
 * A failed connection, a time-out or a temporary status (408, 429, 5xx) is a failure; any other response means the
 * server is up.
 */
async function unlessOpen(
  breaker: Breaker | undefined,
  request: () => Promise<RequestOutcome>,
): Promise<RequestOutcome> {
  if (breaker === undefined) return request();
  const ticket = breaker.enter();
  if (ticket === undefined) throw leftAlone(breaker);
  let outcome: CallOutcome = 'unknown';
  try {
    const ended = await request();
    outcome = ended.kind === 'failed' ? 'failed' : 'answered';
    return ended;
  } catch (error) {
    if (error instanceof MemoryError) outcome = 'answered';
    else if (error instanceof Error && error.name === 'TimeoutError') outcome = 'failed';
    throw error;
  } finally {
    breaker.settle(ticket, outcome);
  }
}

function leftAlone(breaker: Breaker): MemoryError {
  const fields = { retry_after: String(Math.max(1, Math.ceil(breaker.pause() / 1_000))) };
  return new MemoryError(
    'embedding_unavailable',
    'The embedding endpoint keeps failing, so requests to it are paused: check that service.',
    { fields },
  );
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal });
}

/** Splits the items into batches of at most `size`, in order; no batch is empty. */
function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  const batches: Item[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}

interface Limiter {
  /** Runs the task when a slot is free, in order of arrival. A task aborted while waiting never starts. */
  run<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** More waiting tasks than this are rejected, because each holds its texts in memory. */
const mostWaiting = 1_000;

/** At most `places` concurrent tasks. A task that finds too many waiting fails with `embedding_unavailable`. */
export function createLimiter(places: number): Limiter {
  let free = places;
  const waiting = new Set<() => void>();

  function release(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  }

  function enter(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    if (waiting.size >= mostWaiting) return Promise.reject(overcrowded());
    return new Promise((resolve, reject) => {
      const admit = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal.reason);
      };
      const leave = () => {
        waiting.delete(admit);
        signal.removeEventListener('abort', giveUp);
      };
      waiting.add(admit);
      signal.addEventListener('abort', giveUp);
    });
  }

  return {
    async run(task, signal) {
      signal.throwIfAborted();
      await enter(signal);
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
}

function overcrowded(): MemoryError {
  const fields = { retry_after: '5' };
  return new MemoryError(
    'embedding_unavailable',
    'Too many requests are waiting for the embedding endpoint; try again.',
    {
      fields,
    },
  );
}
