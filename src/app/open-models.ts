import { createHash } from 'node:crypto';
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
import { createLanguageModel, type EndpointKey } from '../language-model/chat.js';
import type { LanguageModel } from '../language-model/contract.js';
import { MemoryError, StartupError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import type { Reader } from '../reading/contract.js';
import { openReader } from '../reading/open.js';
import { type Breaker, type CircuitKind, createBreaker } from '../resilience/breaker.js';
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

/**
 * Opens the model for reading and tagging, if either is enabled. Its thread starts with the first request. `cache` is a
 * folder for an unpacked copy.
 */
export async function openReading({ models }: Config, cache: string | undefined): Promise<OpenedReading | undefined> {
  if (!models.reader && !models.tagger) return undefined;
  if (!existsSync(modelFile)) {
    throw new StartupError('model_unusable', 'The reading model is missing from this installation.', {
      hint: 'Reinstall Threadkeep, or set models.reader and models.tagger to false.',
    });
  }
  const weights = JSON.parse(await readFile(weightsFile, 'utf8')) as ReadingWeights;
  return { reader: openReader(modelFile, { cache }), weights, fingerprint: await fingerprintOf(modelFile) };
}

/** Version of how messages are split and presented to the model. */
const layout = 1;

/** Identifies the file by its size and samples from all over it: reading the whole of it would slow down every start. */
async function fingerprintOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const hash = createHash('sha256');
    for (let sample = 0; sample <= samples; sample++) {
      const at = Math.floor((sample * Math.max(0, size - sampleSize)) / samples);
      const { buffer } = await file.read(Buffer.alloc(sampleSize), 0, sampleSize, at);
      hash.update(buffer);
    }
    return `${layout}-${size}-${hash.digest('hex').slice(0, 16)}`;
  } finally {
    await file.close();
  }
}

const samples = 64;
const sampleSize = 32;

interface WarmUp {
  schemaCheck: () => Promise<unknown>;
  observer: Observer;
  now: () => string;
}

/** Warms up what the first searches and inserts would otherwise wait for, in the background of a server's start. */
export async function warmUp(vectors: VectorStore, { schemaCheck, observer, now }: WarmUp) {
  await vectors.warm?.().catch((error) => observer.log('debug', 'vector_warming_failed', {}, error));
  // Regular expressions are compiled on first use and optimised on the second: 50 ms in all.
  for (let use = 0; use < 2; use++) {
    await nextEventLoopPass();
    timeIntent('What was it last spring?', now());
  }
  // An insert would report the error.
  await schemaCheck().catch(() => undefined);
}

type ReportedEndpoint =
  | { configured: false }
  | { configured: true; model: string; host: string; circuit: CircuitKind; failures: number };

/** The configured models and their addresses, without keys. */
export interface LanguageModelReport {
  ask: ReportedEndpoint;
  facts: ReportedEndpoint;
}

export interface LanguageModels {
  ask?: LanguageModel;
  facts?: LanguageModel;
  report(): LanguageModelReport;
  /** Logs where texts will be sent. */
  announce(): void;
  close(): Promise<void>;
}

/** Opens the user's configured language models. Throws `StartupError` for settings that cannot work. */
export function openLanguageModels(config: Config, observer: Observer): LanguageModels {
  const settings = { 'ask.model': config.ask.model, 'facts.model': config.facts.model };
  if (config.facts.model.baseUrl !== undefined && !config.models.tagger) {
    throw new StartupError(
      'config_invalid',
      'facts.model gives the tagger a second opinion, but models.tagger is off.',
      {
        hint: 'Set models.tagger to true or remove facts.model.base_url.',
      },
    );
  }
  const ask = openEndpoint('ask.model', settings['ask.model'], { config, observer });
  const facts = openEndpoint('facts.model', settings['facts.model'], { config, observer });
  return {
    ...(ask === undefined ? {} : { ask: ask.model }),
    ...(facts === undefined ? {} : { facts: facts.model }),
    report: () => ({ ask: reportOf(ask), facts: reportOf(facts) }),
    announce() {
      for (const [reason, { baseUrl }] of Object.entries(settings)) {
        if (baseUrl === undefined) continue;
        observer.log('info', 'language_model_configured', { reason, url: new URL(baseUrl).origin });
      }
    },
    async close() {
      await ask?.model.close();
      await facts?.model.close();
    },
  };
}

interface OpenEndpoint {
  model: LanguageModel;
  breaker: Breaker;
}

function openEndpoint(
  key: EndpointKey,
  settings: Config['ask']['model'],
  { config, observer }: { config: Config; observer: Observer },
): OpenEndpoint | undefined {
  const { baseUrl, model: name, apiKey, timeoutMs, maxTokens } = settings;
  if (baseUrl === undefined) return undefined;
  if (name === '') {
    throw new StartupError('config_invalid', `${key}.base_url is set but ${key}.model is not.`, {
      hint: `Set ${key}.model to a name the server knows, such as llama3.1.`,
    });
  }
  const breaker = createBreaker({
    failures: config.circuit.failures,
    pauseMs: config.circuit.pauseMs,
    onChange(kind) {
      const retry = kind === 'open' ? { retry_in_ms: config.circuit.pauseMs } : {};
      observer.log(kind === 'open' ? 'warn' : 'info', `circuit_${kind}`, { reason: key, ...retry });
    },
  });
  const model = createLanguageModel({ key, baseUrl, apiKey, model: name, timeoutMs, maxTokens, breaker });
  return { model, breaker };
}

function reportOf(opened: OpenEndpoint | undefined): ReportedEndpoint {
  if (opened === undefined) return { configured: false };
  const { kind, failures } = opened.breaker.state();
  return { configured: true, ...opened.model.describe(), circuit: kind, failures };
}
