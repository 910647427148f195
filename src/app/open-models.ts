import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as nextEventLoopPass } from 'node:timers/promises';
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

/** Opens the configured embedder with protection, metrics and validation. `isFailing`: its last call failed. */
export async function openObservedEmbedder(
  config: Config,
  { observer, dependencies, around }: { observer: Observer; dependencies: Dependencies; around: Around },
): Promise<{ embedder: Embedder; isFailing: () => boolean }> {
  const { embeddings: provider, embeddingModel: model, embeddingDimension: dimension } = config.providers;
  const { baseUrl, apiKey } = config.embeddingEndpoint;
  const raw = await openEmbedder({
    provider,
    model,
    dimension,
    ...(baseUrl === undefined ? {} : { endpoint: { baseUrl, ...(apiKey === '' ? {} : { apiKey }) } }),
    batchSize: config.embeddings.batchSize,
    concurrency: config.embeddings.concurrency,
    timeoutMs: config.embeddings.timeoutMs,
    maxRetries: config.embeddings.maxRetries,
    ...(dependencies.endpoint === undefined ? {} : { breaker: dependencies.endpoint }),
  });
  // One call makes many requests, some of them retried.
  const limit = provider === 'http' ? { withinMs: config.embeddings.timeoutMs * 10 } : {};
  const guarded = guardedEmbedder(around.embedder?.(raw) ?? raw, dependencies.embedding, limit);
  observer.count('memory_embedding_failures_total', { provider, error_type: 'embedding_unavailable' }, 0);
  let failing = false;
  const embedder = observedEmbedder(guarded, ({ milliseconds, failed, error }) => {
    observer.duration('memory_embedding_duration_ms', milliseconds, { provider, model: modelName(model) });
    if (failed) observer.count('memory_embedding_failures_total', { provider, error_type: errorType(error) });
    // A cancelled call says nothing about the model.
    if (!failed || errorType(error) !== 'aborted') failing = failed;
  });
  return { embedder, isFailing: () => failing };
}

/** A model from a folder is reported by the folder's name, so that the path is not exposed. */
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
  /** Identifies the model: results of different models cannot be compared. */
  fingerprint: string;
}

/** Opens the model for reading and tagging, if either is enabled. Its thread starts with the first request. */
export async function openReading({ models }: Config): Promise<OpenedReading | undefined> {
  if (!models.reader && !models.tagger) return undefined;
  if (!existsSync(modelFile)) {
    throw new StartupError('model_unusable', 'The reading model is missing from this installation.', {
      hint: 'Reinstall Threadkeep, or set models.reader and models.tagger to false.',
    });
  }
  const weights = JSON.parse(await readFile(weightsFile, 'utf8')) as ReadingWeights;
  return { reader: openReader(modelFile), weights, fingerprint: await fingerprintOf(modelFile) };
}

/** Version of how messages are split and presented to the model. */
const layout = 1;

/**
 * A gzip file ends with the checksum and length of its content, so the last bytes identify it without reading the whole
 * file.
 */
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

/** Does what the first searches would otherwise wait for, in the background of a server's start. */
export async function warmUp(vectors: VectorStore, { observer, now }: { observer: Observer; now: () => string }) {
  await vectors.warm?.().catch((error) => observer.log('debug', 'vector_warming_failed', {}, error));
  // Regular expressions are compiled on first use and optimised on the second: 50 ms in all.
  for (let use = 0; use < 2; use++) {
    await nextEventLoopPass();
    timeIntent('What was it last spring?', now());
  }
}
