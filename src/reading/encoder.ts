import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { threadId } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';
import { StartupError } from '../model/errors.js';
import { isObject } from '../model/json.js';

/*
 * The encoder of the reading model: its file format, its WebAssembly kernel, and the layers on top.
 */

/** The maximum number of tokens in a sequence; callers truncate longer ones. */
export const maxTokens = 144;

export interface Encoder {
  /**
   * The outputs of every head for each token: `ids.length` rows of `outputs`. `second` is the start of the second
   * segment. Reading and tagging share the lower layers.
   */
  run(ids: readonly number[], second: number, purpose: 'reading' | 'tagging'): Outputs;
  /** Runs the first half of the layers: enough to rank a sequence, and the input of `finish`. */
  begin(ids: readonly number[], second: number): Begun;
  /** Continues from `begin`, with the same outputs as `run` for reading. */
  finish(begun: Begun): Outputs;
  /** A unit vector for the second segment: texts about the same thing have vectors with similar directions. */
  vector(ids: readonly number[], second: number): Float32Array;
}

export interface Outputs {
  values: Float32Array;
  outputs: number;
}

export interface Begun extends Outputs {
  /** The hidden states after half of the layers. */
  state: Float32Array;
  tokens: number;
}

/**
 * The encoder over the kernel's memory: first the tensors, then a buffer for one sequence. Sequences are processed one
 * at a time, so the only padding is one row where the count is odd.
 */
export async function createEncoder(model: ModelFile): Promise<Encoder> {
  // Taken apart, so that nothing below keeps the file itself: the kernel has its own copy.
  const { width, inner, layers, early, heads, outputs, search, tensors, data } = model;
  const rows = maxTokens + (maxTokens % 2);
  let size = Math.ceil(data.length / 16) * 16;
  const room = (bytes: number): number => {
    const at = size;
    size += Math.ceil(bytes / 16) * 16;
    return at;
  };
  const state = room(rows * width * 4);
  const other = room(rows * width * 4);
  const wide = room(rows * Math.max(inner, 3 * width) * 4);
  const codes = room(rows * inner * 2);
  const scales = room(rows * 4);
  const scores = room((rows + 8) * 4);
  const made = room(rows * Math.max(outputs, search.dimensions) * 4);
  const widened = room(8 * inner);
  const { kernel, memory } = await openKernel(size);
  new Uint8Array(memory).set(data);
  const floats = new Float32Array(memory);
  const bytes = new Int8Array(memory);
  const at = (name: string): number => {
    const found = tensors[name];
    if (found === undefined) throw new Error(`the reading model has no ${name}`);
    return found.at;
  };
  const [words, wordSteps, places, kinds] = [at('words'), at('words.steps') / 4, at('places') / 4, at('kinds') / 4];

  /** Writes `from` times a matrix to `to`. */
  function multiply(
    name: string,
    from: number,
    to: number,
    count: number,
    sizes: { inner: number; outer: number },
  ): void {
    kernel.quantise(from, codes, scales, count, sizes.inner);
    const [weights, steps, bias] = [at(name), at(`${name}.steps`), at(`${name}.bias`)];
    kernel.multiply(codes, scales, weights, steps, bias, to, count, sizes.inner, sizes.outer, widened);
  }

  function normalise(name: string, x: number, residual: number, count: number): void {
    kernel.normalise(x, residual, at(`${name}.gain`), at(`${name}.shift`), count, width);
  }

  function embed(ids: readonly number[], second: number, count: number): void {
    floats.fill(0, other / 4, other / 4 + count * width);
    for (let row = 0; row < count; row++) {
      // The padding row is a copy of the first: it is computed and ignored.
      const id = ids[row] ?? ids[0] ?? 0;
      const step = floats[wordSteps + id] ?? 0;
      const kind = kinds + (row >= second ? width : 0);
      for (let axis = 0; axis < width; axis++) {
        const word = (bytes[words + id * width + axis] ?? 0) * step;
        floats[state / 4 + row * width + axis] =
          word + (floats[places + row * width + axis] ?? 0) + (floats[kind + axis] ?? 0);
      }
    }
    normalise('embedded', state, other, count);
  }

  function pass(tokens: number, from: number, to: number, purpose: 'reading' | 'tagging'): void {
    const count = evenly(tokens);
    for (let place = from; place < to; place++) {
      const layer = purpose === 'tagging' && `tagging.${place}.qkv` in tensors ? `tagging.${place}` : place;
      multiply(`${layer}.qkv`, state, wide, count, { inner: width, outer: 3 * width });
      kernel.attend(wide, scores, other, tokens, heads);
      multiply(`${layer}.mixed`, other, wide, count, { inner: width, outer: width });
      normalise(`${layer}.mixed`, wide, state, count);
      floats.copyWithin(other / 4, wide / 4, wide / 4 + count * width);
      multiply(`${layer}.wide`, other, wide, count, { inner: width, outer: inner });
      kernel.gelu(wide, count * inner);
      multiply(`${layer}.narrow`, wide, state, count, { inner, outer: width });
      normalise(`${layer}.narrow`, state, other, count);
    }
  }

  /** The head outputs for the first `tokens` tokens. */
  function outputsOf(tokens: number): Outputs {
    multiply('outputs', state, made, evenly(tokens), { inner: width, outer: outputs });
    return { values: floats.slice(made / 4, made / 4 + tokens * outputs), outputs };
  }

  function start(ids: readonly number[], second: number): number {
    if (ids.length > maxTokens) throw new Error('a sequence is longer than the reading model reads');
    embed(ids, second, evenly(ids.length));
    return ids.length;
  }

  return {
    run(ids, second, purpose) {
      const tokens = start(ids, second);
      pass(tokens, 0, layers, purpose);
      return outputsOf(tokens);
    },
    begin(ids, second) {
      const tokens = start(ids, second);
      pass(tokens, 0, early, 'reading');
      const half = floats.slice(state / 4, state / 4 + evenly(tokens) * width);
      // Relevance is read from the first token only.
      return { ...outputsOf(1), state: half, tokens };
    },
    finish({ state: half, tokens }) {
      floats.set(half, state / 4);
      pass(tokens, early, layers, 'reading');
      return outputsOf(tokens);
    },
    vector(ids, second) {
      const tokens = start(ids, second);
      pass(tokens, 0, search.layers, 'reading');
      for (let axis = 0; axis < width; axis++) {
        let sum = 0;
        for (let row = second; row < tokens; row++) sum += floats[state / 4 + row * width + axis] ?? 0;
        // The kernel multiplies two rows at a time.
        for (const row of [0, 1]) floats[other / 4 + row * width + axis] = sum / (tokens - second);
      }
      multiply('search', other, made, 2, { inner: width, outer: search.dimensions });
      return ofLengthOne(floats.slice(made / 4, made / 4 + search.dimensions));
    },
  };
}

function ofLengthOne(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / length);
}

/** The kernel multiplies two rows at a time. */
function evenly(tokens: number): number {
  return tokens + (tokens % 2);
}

/*
 * A model file is a Brotli stream of four magic bytes, the length of a JSON header, the header, and the tensors in
 * sequence, each aligned to 16 bytes. `models/train/reader/export.py` writes it.
 */

interface ModelHeader {
  layers: number;
  /** The number of layers after which a window can be ranked. */
  early: number;
  heads: number;
  width: number;
  inner: number;
  positions: number;
  /** Rows of the matrix that holds every output head. */
  outputs: number;
  /** The number of layers after which a text has its search vector, and the dimensions of that vector. */
  search: { layers: number; dimensions: number };
  vocabulary: string[];
  tensors: Record<string, { at: number; bytes: number }>;
}

interface ModelFile extends ModelHeader {
  /** The tensor data; `tensors` holds offsets into it. */
  data: Buffer;
}

const magic = 'TKR1';
/** With the default of 16 KiB, decompression takes twice as long: every chunk is a round trip to another thread. */
const chunkSize = 4 * 1024 * 1024;

/**
 * Reads a model file. `cache` is a folder for an unpacked copy: unpacking takes 0.4 s of processor time, reading the
 * copy a fiftieth of that. Throws `StartupError` when the file is missing or has an unknown format.
 */
export async function readModelFile(path: string, { cache }: { cache?: string | undefined } = {}): Promise<ModelFile> {
  const copy = cache === undefined ? undefined : await copyOf(path, cache);
  const kept =
    copy === undefined
      ? undefined
      : await readFile(copy)
          .then(modelIn)
          // Missing or damaged: it is made again.
          .catch(() => undefined);
  if (kept !== undefined) return kept;
  const bytes = await unpack(path);
  const model = modelIn(bytes);
  if (model === undefined) {
    throw new StartupError('model_unusable', 'The reading model has an unknown format.', {
      hint: 'Install Threadkeep again, or set models.reader and models.tagger to false.',
    });
  }
  // Without a copy only time is lost.
  if (copy !== undefined) await keep(bytes, copy).catch(() => undefined);
  return model;
}

async function unpack(path: string): Promise<Buffer> {
  try {
    return await promisify(brotliDecompress)(await readFile(path), { chunkSize });
  } catch (cause) {
    throw new StartupError('model_unusable', 'The reading model cannot be read.', {
      hint: 'Install Threadkeep again, or set models.reader and models.tagger to false.',
      cause,
    });
  }
}

const copyName = 'reading-model-';

/** The name changes with the file, so that a newer installation does not read an older model. */
async function copyOf(path: string, cache: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && join(cache, `${copyName}${found.size}-${Math.trunc(found.mtimeMs)}.bin`);
}

/** Renamed once it is whole and on the disk, so that no process reads a part of it. Replaces the copies of other models. */
async function keep(bytes: Uint8Array, copy: string): Promise<void> {
  const folder = dirname(copy);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const part = `${copy}.${process.pid}-${threadId}.part`;
  try {
    const file = await open(part, 'wx', 0o600);
    await file
      .writeFile(bytes)
      .then(() => file.sync())
      .finally(() => file.close());
    await rename(part, copy);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  const others = (await readdir(folder)).filter((name) => name.startsWith(copyName) && name !== basename(copy));
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
}

/** Undefined for anything but a whole model. */
function modelIn(bytes: Buffer): ModelFile | undefined {
  const begin = 8 + (bytes.length >= 8 ? bytes.readUInt32LE(4) : 0);
  if (bytes.toString('latin1', 0, 4) !== magic || begin > bytes.length) return undefined;
  const header: unknown = JSON.parse(bytes.toString('utf8', 8, begin));
  if (!isHeader(header)) return undefined;
  const data = bytes.subarray(Math.ceil(begin / 16) * 16);
  const isWhole = Object.values(header.tensors).every(({ at, bytes: length }) => at + length <= data.length);
  return isWhole ? { ...header, data } : undefined;
}

/** Checked by hand: loading the schema library takes longer than reading the model. */
function isHeader(value: unknown): value is ModelHeader {
  if (!isObject(value) || !isObject(value.search) || !isObject(value.tensors)) return false;
  const { layers, early, heads, width, inner, positions, outputs, search, vocabulary, tensors } = value;
  const counts = [layers, early, heads, width, inner, positions, outputs, search.layers, search.dimensions];
  const isPlaced = (tensor: unknown): boolean =>
    isObject(tensor) && Number.isInteger(tensor.at) && Number.isInteger(tensor.bytes);
  return (
    counts.every(Number.isInteger) &&
    Array.isArray(vocabulary) &&
    vocabulary.every((piece) => typeof piece === 'string') &&
    Object.values(tensors).every(isPlaced)
  );
}

/** The part of the WebAssembly API used here; Node's own types leave it to the DOM library. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  instantiate(
    binary: Uint8Array,
    imports: { reading: { memory: { readonly buffer: ArrayBuffer } } },
  ): Promise<{ instance: { exports: Kernel } }>;
};

/** The functions of `kernel.wat`. Every argument is an address in bytes or a count. */
interface Kernel {
  quantise(x: number, out: number, scales: number, rows: number, width: number): void;
  multiply(
    x: number,
    scales: number,
    weights: number,
    steps: number,
    bias: number,
    out: number,
    rows: number,
    inner: number,
    outer: number,
    wide: number,
  ): void;
  attend(qkv: number, scores: number, out: number, tokens: number, heads: number): void;
  normalise(x: number, residual: number, gain: number, bias: number, rows: number, width: number): void;
  gelu(x: number, count: number): void;
}

/** `kernel.wat`, compiled. */
export const binary = Buffer.from(
  [
    'AGFzbQEAAAABPghgAXsBe2ABewF9YAF7AX9gBX9/f39/AGAKf39/f39/f39/fwBgB3t7e3t9e3sBe2AGf39/f39/AGACf38AAhMBB3JlYWRpbmcGbWVtb3J5',
    'AgABAwsKAAEBAgMEBQMGBwczBQhxdWFudGlzZQAECG11bHRpcGx5AAUGYXR0ZW5kAAcJbm9ybWFsaXNlAAgEZ2VsdQAJCqcaCqYCAQJ7IAD9DAAArsIAAK7C',
    'AACuwgAArsL96QEhACAA/Qw7qrg/O6q4PzuquD87qrg//eYB/WohASAAIAH9DACAMT8AgDE/AIAxPwCAMT/95gH95QEgAf0Mg4BeuYOAXrmDgF65g4Beuf3m',
    'Af3lASECIAIgAiACIAIgAv0MiIgIPIiICDyIiAg8iIgIPP3mAf0Mq6oqPauqKj2rqio9q6oqPf3kAf3mAf0Mq6oqPquqKj6rqio+q6oqPv3kAf3mAf0MAAAA',
    'PwAAAD8AAAA/AAAAP/3kAf3mAf0MAACAPwAAgD8AAIA/AACAP/3kAf3mAf0MAACAPwAAgD8AAIA/AACAP/3kASAB/fgB/Qx/AAAAfwAAAH8AAAB/AAAA/a4B',
    'QRf9qwH95gELGQAgAP0fACAA/R8BkiAA/R8CIAD9HwOSkgsZACAA/R8AIAD9HwGXIAD9HwIgAP0fA5eXCxkAIAD9GwAgAP0bAWogAP0bAiAA/RsDamoLzQEE',
    'A38BewF9AXsgAiADQQJ0aiEFAkADQCACIAVPDQH9DAjlPB4I5TweCOU8HgjlPB4hCCAAIQYgACAEQQJ0aiEHA0AgCCAG/QAEAP3gAf3pASEIIAZBEGohBiAG',
    'IAdJDQALIAgQAkMA+P9FlSEJIAIgCTgCAEMAAIA/IAmV/RMhCgNAIAEgAP0ABAAgCv3mAf1q/fgBIAD9AAQQIAr95gH9av34Af2FAf0LBAAgAEEgaiEAIAFB',
    'EGohASAAIAdJDQALIAJBBGohAgwACwsL4ggCCn8LewNAIAkhEyACIAdBAnRqIRIDQCATIAL9AQMA/QsEACATQRBqIRMgAkEIaiECIAIgEkkNAAtBACELIAAh',
    'DANAIAwgB0EBdGohDSANIRIgCSEOIA4gB0EBdGohDyAPIAdBAXRqIRAgECAHQQF0aiER/QwAAAAAAAAAAAAAAAAAAAAAIRf9DAAAAAAAAAAAAAAAAAAAAAAh',
    'GP0MAAAAAAAAAAAAAAAAAAAAACEZ/QwAAAAAAAAAAAAAAAAAAAAAIRr9DAAAAAAAAAAAAAAAAAAAAAAhG/0MAAAAAAAAAAAAAAAAAAAAACEc/QwAAAAAAAAA',
    'AAAAAAAAAAAAIR39DAAAAAAAAAAAAAAAAAAAAAAhHgNAIAz9AAQAIRQgDf0ABAAhFSAO/QAEACEWIBcgFCAW/boB/a4BIRcgGyAVIBb9ugH9rgEhGyAP/QAE',
    'ACEWIBggFCAW/boB/a4BIRggHCAVIBb9ugH9rgEhHCAQ/QAEACEWIBkgFCAW/boB/a4BIRkgHSAVIBb9ugH9rgEhHSAR/QAEACEWIBogFCAW/boB/a4BIRog',
    'HiAVIBb9ugH9rgEhHiAM/QAEECEUIA39AAQQIRUgDv0ABBAhFiAXIBQgFv26Af2uASEXIBsgFSAW/boB/a4BIRsgD/0ABBAhFiAYIBQgFv26Af2uASEYIBwg',
    'FSAW/boB/a4BIRwgEP0ABBAhFiAZIBQgFv26Af2uASEZIB0gFSAW/boB/a4BIR0gEf0ABBAhFiAaIBQgFv26Af2uASEaIB4gFSAW/boB/a4BIR4gDP0ABCAh',
    'FCAN/QAEICEVIA79AAQgIRYgFyAUIBb9ugH9rgEhFyAbIBUgFv26Af2uASEbIA/9AAQgIRYgGCAUIBb9ugH9rgEhGCAcIBUgFv26Af2uASEcIBD9AAQgIRYg',
    'GSAUIBb9ugH9rgEhGSAdIBUgFv26Af2uASEdIBH9AAQgIRYgGiAUIBb9ugH9rgEhGiAeIBUgFv26Af2uASEeIAz9AAQwIRQgDf0ABDAhFSAO/QAEMCEWIBcg',
    'FCAW/boB/a4BIRcgGyAVIBb9ugH9rgEhGyAP/QAEMCEWIBggFCAW/boB/a4BIRggHCAVIBb9ugH9rgEhHCAQ/QAEMCEWIBkgFCAW/boB/a4BIRkgHSAVIBb9',
    'ugH9rgEhHSAR/QAEMCEWIBogFCAW/boB/a4BIRogHiAVIBb9ugH9rgEhHiAMQcAAaiEMIA1BwABqIQ0gDkHAAGohDiAPQcAAaiEPIBBBwABqIRAgEUHAAGoh',
    'ESAMIBJJDQALIAUgCyAIbCAKakECdGohEyATIBcgGCAZIBogASALQQJ0aioCACAD/QAEACAE/QAEABAG/QsEACATIAhBAnRqIBsgHCAdIB4gASALQQJ0aioC',
    'BCAD/QAEACAE/QAEABAG/QsEACANIQwgC0ECaiELIAsgBkkNAAsgA0EQaiEDIARBEGohBCAKQQRqIQogCiAISQ0ACwtDAQF7IAAQA/0RIQcgByABEAP9HAEh',
    'ByAHIAIQA/0cAiEHIAcgAxAD/RwDIQcgB/36ASAE/RP95gEgBf3mASAG/eQBC6cHBQl/AX0BewF9CXsgBEEHdCEFIAVBA2whBiABIANBAnRqIQ0DQEEAIQgD',
    'QCAAIAggBmwgB0EHdGpqIQogCv0ABAAhEiAK/QAEECETIAr9AAQgIRQgCv0ABDAhFSAK/QAEQCEWIAr9AARQIRcgCv0ABGAhGCAK/QAEcCEZQ+axYf8hDiAA',
    'IAVqIAdBB3RqIQsgASEMA0BD8wQ1PiASIAv9AAQA/eYBIBMgC/0ABBD95gH95AEgFCAL/QAEIP3mASAVIAv9AAQw/eYB/eQB/eQBIBYgC/0ABED95gEgFyAL',
    '/QAEUP3mAf3kASAYIAv9AARg/eYBIBkgC/0ABHD95gH95AH95AH95AEQAZQhECAMIBA4AgAgDiAQlyEOIAsgBmohCyAMQQRqIQwgDCANSQ0ACyAM/QzmsWH/',
    '5rFh/+axYf/msWH//QsEAP0MAAAAAAAAAAAAAAAAAAAAACERIAEhDANAIAz9AAQAIA79E/3lARAAIQ8gDCAP/QsEACAMQRBqIQwgDCANSQ0AC/0MAAAAAAAA',
    'AAAAAAAAAAAAACES/QwAAAAAAAAAAAAAAAAAAAAAIRP9DAAAAAAAAAAAAAAAAAAAAAAhFP0MAAAAAAAAAAAAAAAAAAAAACEV/QwAAAAAAAAAAAAAAAAAAAAA',
    'IRb9DAAAAAAAAAAAAAAAAAAAAAAhF/0MAAAAAAAAAAAAAAAAAAAAACEY/QwAAAAAAAAAAAAAAAAAAAAAIRkgACAFQQF0aiAHQQd0aiELIAEhDANAIAz9CQIA',
    'IQ8gESAP/eQBIREgEiAPIAv9AAQA/eYB/eQBIRIgEyAPIAv9AAQQ/eYB/eQBIRMgFCAPIAv9AAQg/eYB/eQBIRQgFSAPIAv9AAQw/eYB/eQBIRUgFiAPIAv9',
    'AARA/eYB/eQBIRYgFyAPIAv9AARQ/eYB/eQBIRcgGCAPIAv9AARg/eYB/eQBIRggGSAPIAv9AARw/eYB/eQBIRkgCyAGaiELIAxBBGohDCAMIA1JDQALIAIg',
    'CCAFbCAHQQd0amohDP0MAACAPwAAgD8AAIA/AACAPyAR/ecBIQ8gDCASIA/95gH9CwQAIAwgEyAP/eYB/QsEECAMIBQgD/3mAf0LBCAgDCAVIA/95gH9CwQw',
    'IAwgFiAP/eYB/QsEQCAMIBcgD/3mAf0LBFAgDCAYIA/95gH9CwRgIAwgGSAP/eYB/QsEcCAIQQFqIQggCCADSQ0ACyAHQQFqIQcgByAESQ0ACwu1AgIDfwR7',
    'IAVBAnQhCANA/QwAAAAAAAAAAAAAAAAAAAAAIQlBACEHA0AgACAHav0ABAAgASAHav0ABAD95AEhCiAAIAdqIAr9CwQAIAkgCv3kASEJIAdBEGohByAHIAhJ',
    'DQALIAkQASAFs5X9EyEL/QwAAAAAAAAAAAAAAAAAAAAAIQlBACEHA0AgACAHav0ABAAgC/3lASEKIAkgCiAK/eYB/eQBIQkgB0EQaiEHIAcgCEkNAAtDAACA',
    'P0PMvIwrIAkQASAFs5WSkZX9EyEMQQAhBwNAIAAgB2ogACAHav0ABAAgC/3lASAM/eYBIAIgB2r9AAQA/eYBIAMgB2r9AAQA/eQB/QsEACAHQRBqIQcgByAI',
    'SQ0ACyAAIAhqIQAgASAIaiEBIAZBAWohBiAGIARJDQALC9cCAgF/BHsgACABQQJ0aiECA0AgAP0ABAAhAyAD/eAB/QzzBDU/8wQ1P/MENT/zBDU//eYBIQT9',
    'DAAAgD8AAIA/AACAPwAAgD/9DAAAgD8AAIA/AACAPwAAgD8gBP0MBbqnPgW6pz4Fuqc+BbqnPv3mAf3kAf3nASEF/QwAAIA/AACAPwAAgD8AAIA/IAQgBP3m',
    'Af3hARAAIAX9DAZ5gj4GeYI+BnmCPgZ5gj4gBf0MjqmRvo6pkb6OqZG+jqmRviAF/Qzj8LU/4/C1P+PwtT/j8LU/IAX9DOMAur/jALq/4wC6v+MAur8gBf0M',
    'ItyHPyLchz8i3Ic/ItyHP/3mAf3kAf3mAf3kAf3mAf3kAf3mAf3kAf3mAf3mAf3lASEGIAD9DAAAAD8AAAA/AAAAPwAAAD8gAyAD/eABIAb95gH95AH95gH9',
    'CwQAIABBEGohACAAIAJJDQALCw==',
  ].join(''),
  'base64',
);

const PAGE = 65_536;

/** The kernel over fresh memory of at least `bytes` bytes. */
export async function openKernel(bytes: number): Promise<{ kernel: Kernel; memory: ArrayBuffer }> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
  const { instance } = await WebAssembly.instantiate(binary, { reading: { memory } });
  return { kernel: instance.exports, memory: memory.buffer };
}
