import { access } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartupError } from '../model/errors.js';
import type { Embedder } from './contract.js';
import { inSteps } from './in-steps.js';
import { hashingSteps } from './local-hash.js';
import { openStaticEmbedder } from './static/open.js';
import { lazyTable, loadTable, shippedModel } from './static/table.js';
import { openTransformerEmbedder } from './transformer/embedder.js';

export interface LocalEmbedderOptions {
  /** The name of a model, or a path: whatever has a slash in it. */
  model: string;
  dimension: number;
}

/** An embedder computed on this machine. Throws `StartupError` for a model that does not exist or an impossible dimension. */
export async function openLocalEmbedder({ model, dimension }: LocalEmbedderOptions): Promise<Embedder> {
  if (!Number.isInteger(dimension) || dimension < 1) {
    throw new StartupError('config_invalid', 'providers.embedding_dimension must be a whole number of at least 1.');
  }
  if (/[/\\]/.test(model)) return openFolder(resolve(model), dimension);
  if (!Object.hasOwn(models, model)) {
    throw new StartupError('driver_unavailable', `There is no local embedding model "${model}".`, {
      hint: `Set providers.embedding_model to one of: ${Object.keys(models).join(', ')}; or to a folder such as ./models/mine.`,
    });
  }
  return models[model as keyof typeof models](dimension);
}

/** A model that reads whole sentences knows more of their meaning than a table of word pieces, which counts 1. */
const readsSentences = 1.25;

/** What exists by name, each opened for a dimension. */
const models = {
  'threadkeep-static-256': async (dimension) => {
    const table = await shippedTable();
    return openStaticEmbedder({ model: 'threadkeep-static-256', table, folder: shippedModel, dimension });
  },
  'all-MiniLM-L6-v2': (dimension) =>
    openTransformerEmbedder({
      model: 'all-MiniLM-L6-v2',
      source: { kind: 'minilm' },
      dimension,
      trust: readsSentences,
    }),
  'local-hash': async (dimension) => ({
    // A lexical hash: a small distance means shared letters, and in few dimensions often nothing at all.
    trust: 0.15,
    embed: (texts, { signal } = {}) =>
      inSteps((text) => hashingSteps(text, dimension), texts, { signal, stepsPerLook: 32 }),
    describe: () => ({ provider: 'local', model: 'local-hash', dimension, options: {} }),
    async close() {},
  }),
} satisfies Record<string, (dimension: number) => Promise<Embedder>>;

const shippedTable = lazyTable();

/** The model is called by its folder's name: a folder that moves is still the same model, one that changes is not. */
async function openFolder(folder: string, dimension: number): Promise<Embedder> {
  const model = basename(folder);
  if (await exists(join(folder, 'model.bin'))) {
    const url = pathToFileURL(`${folder}/`);
    return openStaticEmbedder({ model, table: await loadTable(url), folder: url, dimension });
  }
  return openTransformerEmbedder({ model, source: { kind: 'folder', folder }, dimension, trust: readsSentences });
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
