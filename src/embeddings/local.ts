import { setImmediate as nextTurn } from 'node:timers/promises';
import { StartupError } from '../model/errors.js';
import type { Embedder } from './contract.js';
import { hashingSteps } from './local-hash.js';

export interface LocalEmbedderOptions {
  model: string;
  dimension: number;
}

/** An embedder computed in this process. Throws `StartupError` for a model that does not exist or an impossible dimension. */
export function createLocalEmbedder({ model, dimension }: LocalEmbedderOptions): Embedder {
  if (!Object.hasOwn(models, model)) {
    throw new StartupError('driver_unavailable', `There is no local embedding model "${model}".`, {
      hint: `Set providers.embedding_model to one of: ${Object.keys(models).join(', ')}.`,
    });
  }
  if (!Number.isInteger(dimension) || dimension < 1) {
    throw new StartupError('config_invalid', 'providers.embedding_dimension must be a whole number of at least 1.');
  }
  const { steps, trust } = models[model as keyof typeof models];
  return {
    trust,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      const vectors: Float32Array[] = [];
      const pause = politePauses(signal);
      for (const text of texts) {
        const computing = steps(text, dimension);
        let step = computing.next();
        while (!step.done) {
          if (pause.isDue()) await pause.take();
          step = computing.next();
        }
        vectors.push(step.value);
      }
      return vectors;
    },
    describe: () => ({ provider: 'local', model, dimension, options: {} }),
    async close() {},
  };
}

/** What exists: how the model computes, and how far the ranker may trust a small distance (a lexical hash: not far). */
const models = {
  'local-hash': { steps: hashingSteps, trust: 0.15 },
} satisfies Record<string, { steps: typeof hashingSteps; trust: number }>;

/** Requests and health checks must not wait for a big batch, so the event loop gets a turn after this much work. */
const workMilliseconds = 8;
/** Reading the clock costs about as much as hashing a word, so it is read only every few steps. */
const stepsPerLook = 32;

function politePauses(signal: AbortSignal | undefined) {
  let started = performance.now();
  let steps = 0;
  return {
    isDue: () => ++steps % stepsPerLook === 0 && performance.now() - started >= workMilliseconds,
    async take() {
      await nextTurn();
      signal?.throwIfAborted();
      started = performance.now();
    },
  };
}
