import { setImmediate as nextTurn } from 'node:timers/promises';
import { StartupError } from '../model/errors.js';
import type { Embedder, EmbeddingDescription } from './contract.js';
import { hashingSteps } from './local-hash.js';
import { createStaticModel } from './static/embed.js';
import { lazyTable } from './static/table.js';

export interface LocalEmbedderOptions {
  model: string;
  dimension: number;
}

/** An embedder computed in this process. Throws `StartupError` for a model that does not exist or an impossible dimension. */
export async function openLocalEmbedder({ model, dimension }: LocalEmbedderOptions): Promise<Embedder> {
  if (!Object.hasOwn(models, model)) {
    throw new StartupError('driver_unavailable', `There is no local embedding model "${model}".`, {
      hint: `Set providers.embedding_model to one of: ${Object.keys(models).join(', ')}.`,
    });
  }
  if (!Number.isInteger(dimension) || dimension < 1) {
    throw new StartupError('config_invalid', 'providers.embedding_dimension must be a whole number of at least 1.');
  }
  const { steps, trust, options } = await models[model as keyof typeof models](dimension);
  return {
    trust,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      const vectors: Float32Array[] = [];
      const pause = politePauses(signal);
      for (const text of texts) {
        const computing = steps(text);
        let step = computing.next();
        while (!step.done) {
          if (pause.isDue()) await pause.take();
          step = computing.next();
        }
        vectors.push(step.value);
      }
      return vectors;
    },
    describe: () => ({ provider: 'local', model, dimension, options }),
    async close() {},
  };
}

interface LocalModel {
  /** The vector of a text, computed in steps of bounded work. */
  steps: (text: string) => Generator<void, Float32Array, void>;
  /** How far the ranker may trust a small distance. */
  trust: number;
  options: EmbeddingDescription['options'];
}

/** What exists, each opened for a dimension. */
const models = {
  'threadkeep-static-256': async (dimension) => {
    const table = await shippedTable();
    if (dimension !== table.dimension) {
      throw new StartupError('config_invalid', `The model threadkeep-static-256 has ${table.dimension} dimensions.`, {
        hint: `Set providers.embedding_dimension to ${table.dimension}.`,
      });
    }
    const { steps } = createStaticModel(table);
    return { steps, trust: 1, options: { checksum: table.checksum } };
  },
  // A lexical hash: a small distance means shared letters, and in few dimensions often nothing at all.
  'local-hash': async (dimension) => ({ steps: (text) => hashingSteps(text, dimension), trust: 0.15, options: {} }),
} satisfies Record<string, (dimension: number) => Promise<LocalModel>>;

const shippedTable = lazyTable();

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
