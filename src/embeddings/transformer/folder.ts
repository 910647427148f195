import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, unusable } from './model-file.js';
import { readTokenizer, type TokenizerPlan } from './tokenizer.js';

/** The contents of a model folder in the sentence-transformers layout. */
export interface ModelFolder {
  /** A graph that runs as it is, or weights for which a graph is built. */
  weights: { kind: 'onnx'; file: string } | { kind: 'safetensors'; file: string };
  config: Record<string, unknown>;
  tokenizer: TokenizerPlan;
  pooling: Pooling;
  /** Every file that affects the vectors, in a fixed order. */
  files: readonly string[];
}

/** Reads everything but the weights. Throws `StartupError` that names the missing or unsupported part. */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const names = await filesIn(folder);
  const weights = weightsIn(folder, names);
  const config = (await readJsonFile(folder, 'config.json', z.record(z.string(), z.unknown()))) ?? {};
  await refuseFurtherLayers(folder);
  const tokenizer = { ...(await readTokenizer(folder)), maxLength: await maxLength(folder, config) };
  const pooling = await readPooling(folder);
  return { weights, config, tokenizer, pooling, files: names.filter(isPartOf(weights.file, folder)).sort() };
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const top = await readdir(folder);
    const below = await Promise.all(
      ['onnx', '1_Pooling'].filter((name) => top.includes(name)).map((name) => namesBelow(folder, name)),
    );
    return [...top, ...below.flat()];
  } catch (cause) {
    throw unusable('its folder cannot be read', cause);
  }
}

async function namesBelow(folder: string, name: string): Promise<string[]> {
  return (await readdir(join(folder, name))).map((file) => `${name}/${file}`);
}

// The full model is preferred over its smaller variants; to use a variant, keep only that file.
const graphs = ['', '_quantized', '_int8', '_uint8', '_fp16', '_q4', '_q4f16', '_bnb4', '_O4', '_O3', '_O2', '_O1'];
const graphNames = graphs.flatMap((variant) => [`model${variant}.onnx`, `onnx/model${variant}.onnx`]);

function weightsIn(folder: string, names: readonly string[]): ModelFolder['weights'] {
  const exported = names.filter((name) => name.endsWith('.onnx'));
  const graph = graphNames.find((name) => exported.includes(name)) ?? (exported.length === 1 ? exported[0] : undefined);
  if (graph !== undefined) return { kind: 'onnx', file: join(folder, graph) };
  if (exported.length > 1)
    throw unusable(`the folder has ${exported.length} .onnx files and none is called model.onnx`);
  const tensors = names.filter((name) => name.endsWith('.safetensors'));
  const whole = tensors.includes('model.safetensors') ? 'model.safetensors' : tensors[0];
  if (whole !== undefined && tensors.length === 1) return { kind: 'safetensors', file: join(folder, whole) };
  if (tensors.length > 1) throw unusable('its weights are in several .safetensors files; export it as model.onnx');
  throw unusable('the folder has no model.onnx, no onnx/model.onnx, no model.safetensors and no model.bin');
}

/** The weights in use (including external data of a graph) and the small files that configure them. */
function isPartOf(weights: string, folder: string): (name: string) => boolean {
  const used = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'vocab.txt', 'sentence_bert_config.json'];
  return (name) =>
    join(folder, name) === weights ||
    join(folder, name).startsWith(`${weights}_data`) ||
    join(folder, name) === `${weights}.data` ||
    used.includes(name) ||
    name === '1_Pooling/config.json';
}

/**
 * sentence-transformers lists its steps; an extra step, such as a dense layer after pooling, must not be ignored
 * silently.
 */
async function refuseFurtherLayers(folder: string): Promise<void> {
  const steps = await readJsonFile(folder, 'modules.json', z.array(z.object({ type: z.string() })));
  for (const { type } of steps ?? []) {
    const kind = type.split('.').at(-1) ?? '';
    if (!['Transformer', 'Pooling', 'Normalize'].includes(kind)) {
      throw unusable(`modules.json has the step ${kind}; Transformer, Pooling and Normalize are supported`);
    }
  }
}

async function maxLength(folder: string, config: Record<string, unknown>): Promise<number> {
  const length = z.number().nullish();
  const sentence = await readJsonFile(folder, 'sentence_bert_config.json', z.object({ max_seq_length: length }));
  const tokenizer = await readJsonFile(folder, 'tokenizer_config.json', z.object({ model_max_length: length }));
  const positions = config.max_position_embeddings;
  // Tokenizers without a limit declare one of thirty digits.
  const limits = [sentence?.max_seq_length, tokenizer?.model_max_length, positions, 512];
  const most = typeof positions === 'number' ? positions : 8192;
  const first = limits.find((limit) => typeof limit === 'number' && limit >= 3 && limit <= most);
  return typeof first === 'number' ? Math.floor(first) : 512;
}

const poolings: Record<string, Pooling> = {
  pooling_mode_cls_token: 'cls',
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_max_tokens: 'max',
  // Divides by the root of the count instead of the count, which does not change the direction.
  pooling_mode_mean_sqrt_len_tokens: 'mean',
};

async function readPooling(folder: string): Promise<Pooling> {
  const config = await readJsonFile(folder, '1_Pooling/config.json', z.record(z.string(), z.unknown()));
  if (config === undefined) return 'mean';
  const chosen = Object.entries(config).filter(([name, value]) => name.startsWith('pooling_mode_') && value === true);
  const [name] = chosen[0] ?? [];
  const pooling = name === undefined || chosen.length > 1 ? undefined : poolings[name];
  if (pooling !== undefined) return pooling;
  const found = chosen.map(([mode]) => mode).join(' with ') || 'none';
  throw unusable(`1_Pooling/config.json asks for ${found}; one of cls, mean or max is supported`);
}

export type Pooling = 'mean' | 'cls' | 'max';

export interface TokenStates {
  /** Texts × length × dimension. */
  values: Float32Array;
  length: number;
  dimension: number;
  /** The number of tokens of each text; the rest is padding. */
  counts: readonly number[];
}

/** One unit vector for each text from its token states. */
export function pool({ values, length, dimension, counts }: TokenStates, pooling: Pooling): Float32Array[] {
  return counts.map((count, text) => {
    const begin = text * length * dimension;
    const rows = pooling === 'cls' ? 1 : count;
    const vector = new Float64Array(dimension);
    if (pooling === 'max') vector.fill(Number.NEGATIVE_INFINITY);
    for (let row = 0; row < rows; row++) {
      const at = begin + row * dimension;
      for (let axis = 0; axis < dimension; axis++) {
        const value = values[at + axis] ?? 0;
        const sofar = vector[axis] ?? 0;
        // The sum has the same direction as the mean, and only the direction matters.
        vector[axis] = pooling === 'max' ? Math.max(sofar, value) : sofar + value;
      }
    }
    return unit(vector);
  });
}

/** Normalizes a vector. A zero vector becomes the first axis. */
export function unit(vector: Float64Array | Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 1e-12) || !Number.isFinite(length)) {
    return Float32Array.from(vector, (_, axis) => (axis === 0 ? 1 : 0));
  }
  return Float32Array.from(vector, (value) => value / length);
}
