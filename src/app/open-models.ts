import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ReadingWeights } from '../answers/read-answer.js';
import type { Config } from '../config/schema.js';
import type { Embedder } from '../embeddings/contract.js';
import { guardedEmbedder, observedEmbedder, openEmbedder } from '../embeddings/open.js';
import { timeIntent } from '../language/time/time-intent.js';
import { MemoryError, StartupError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import type { Reader } from '../reading/contract.js';
import { openReader } from '../reading/open.js';
import type { VectorStore } from '../stores/vector/contract.js';
import type { Around, Dependencies } from './dependencies.js';

/** The configured embedder, guarded, measured and checked. `isFailing`: the last call of it failed. */
export async function openObservedEmbedder(
  config: Config,
  { observer, dependencies, around }: { observer: Observer; dependencies: Dependencies; around: Around },
): Promise<{ embedder: Embedder; isFailing: () => boolean }> {
  const { embeddings: provider, embedding_model: model, embedding_dimension: dimension } = config.providers;
  const { base_url: baseUrl, api_key: apiKey } = config.embedding_endpoint;
  const raw = await openEmbedder({
    provider,
    model,
    dimension,
    ...(baseUrl === undefined ? {} : { endpoint: { baseUrl, ...(apiKey === '' ? {} : { apiKey }) } }),
    batchSize: config.embeddings.batch_size,
    concurrency: config.embeddings.concurrency,
    timeoutMs: config.embeddings.timeout_ms,
    maxRetries: config.embeddings.max_retries,
    ...(dependencies.endpoint === undefined ? {} : { breaker: dependencies.endpoint }),
  });
  // A call is many requests, some of them repeated.
  const limit = provider === 'http' ? { withinMs: config.embeddings.timeout_ms * 10 } : {};
  const guarded = guardedEmbedder(around.embedder?.(raw) ?? raw, dependencies.embedding, limit);
  observer.count('memory_embedding_failures_total', { provider, error_type: 'embedding_unavailable' }, 0);
  let failing = false;
  const embedder = observedEmbedder(guarded, ({ milliseconds, failed, error }) => {
    observer.duration('memory_embedding_duration_ms', milliseconds, { provider, model: modelName(model) });
    if (failed) observer.count('memory_embedding_failures_total', { provider, error_type: errorType(error) });
    // A caller who goes away says nothing about the model.
    if (!failed || errorType(error) !== 'aborted') failing = failed;
  });
  return { embedder, isFailing: () => failing };
}

/** A model from a folder goes by the folder's name: where it lies is nobody's business. */
function modelName(model: string): string {
  return basename(model).slice(0, 80);
}

function errorType(error: unknown): string {
  if (error instanceof MemoryError) return error.code;
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'aborted';
}

const modelFile = fileURLToPath(new URL('../../models/reader.bin', import.meta.url));
const weightsFile = fileURLToPath(new URL('../../models/answers.json', import.meta.url));

export interface OpenedReading {
  reader: Reader;
  weights: ReadingWeights;
  /** Another model has another one: what this one made of messages cannot be compared with what another made. */
  fingerprint: string;
}

/** The model that reads and tags, where either is switched on. Its thread starts with the first request. */
export async function openReading({ models }: Config): Promise<OpenedReading | undefined> {
  if (!models.reader && !models.tagger) return undefined;
  if (!existsSync(modelFile)) {
    throw new StartupError('model_unusable', 'The reading model is missing from this installation.', {
      hint: 'Install Threadkeep again, or set models.reader and models.tagger to false.',
    });
  }
  const weights = JSON.parse(await readFile(weightsFile, 'utf8')) as ReadingWeights;
  return { reader: openReader(modelFile), weights, fingerprint: await fingerprintOf(modelFile) };
}

/** How the messages are cut and put to the model. */
const layout = 1;

/** A gzip file ends with the checksum and the length of what is in it, so the file need not be read whole. */
async function fingerprintOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, Math.max(0, size - 8));
    return `${layout}-${buffer.toString('hex')}`;
  } finally {
    await file.close();
  }
}

/** What the first searches would wait for otherwise, done beside the start of a server. */
export async function warmUp(vectors: VectorStore, { observer, now }: { observer: Observer; now: () => string }) {
  await vectors.warm?.().catch((error) => observer.log('debug', 'vector_warming_failed', {}, error));
  // Patterns are compiled when they are first used, and once more, to run faster, the second time: 50 ms in all.
  for (let use = 0; use < 2; use++) {
    await nextTurn();
    timeIntent('What was it last spring?', now());
  }
}
