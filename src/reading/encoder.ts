import { openKernel } from './kernel.js';
import type { ModelFile } from './weights.js';

/** The most tokens one sequence may have; longer ones are cut by the callers. */
export const maxTokens = 144;

export interface Encoder {
  /**
   * The numbers of every output head for each token: `ids.length` rows of `outputs`. `second` is where the second part
   * begins. Reading and tagging share the lower layers.
   */
  run(ids: readonly number[], second: number, purpose: 'reading' | 'tagging'): Outputs;
  /** The first half of the layers: enough to rank a sequence, and what `finish` needs to read it. */
  begin(ids: readonly number[], second: number): Begun;
  /** The same numbers as `run` for reading, from where `begin` stopped. */
  finish(begun: Begun): Outputs;
  /** One vector for the second part, of length one: texts about the same have vectors that point the same way. */
  vector(ids: readonly number[], second: number): Float32Array;
}

export interface Outputs {
  values: Float32Array;
  outputs: number;
}

export interface Begun extends Outputs {
  /** The tokens of the sequence after half of the layers. */
  state: Float32Array;
  tokens: number;
}

/**
 * The encoder, over the memory of the kernel: first the tensors, then room for one sequence. Sequences go one at a time,
 * so nothing is padded but a last odd row.
 */
export async function createEncoder(model: ModelFile): Promise<Encoder> {
  const { width, inner, layers, early, heads, outputs, search, data } = model;
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
    const found = model.tensors[name];
    if (found === undefined) throw new Error(`the reading model has no ${name}`);
    return found.at;
  };
  const [words, wordSteps, places, kinds] = [at('words'), at('words.steps') / 4, at('places') / 4, at('kinds') / 4];

  /** `from` times a matrix into `to`. */
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
      // A last odd row is a copy of the first: its numbers are computed and never looked at.
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
      const layer = purpose === 'tagging' && `tagging.${place}.qkv` in model.tensors ? `tagging.${place}` : place;
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

  /** What the heads make of the first `tokens` tokens. */
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
      // Only the first token says how likely a window answers.
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
