import { openKernel } from './kernel.js';
import type { ModelFile } from './weights.js';

/** The most tokens one sequence may have; longer ones are cut by the callers. */
export const maxTokens = 144;

export interface Encoder {
  /**
   * The numbers of every output head for each token: `ids.length` rows of `outputs`. `second` is where the second part
   * begins. Reading and tagging share the lower layers; ranking stops after half of them.
   */
  run(ids: readonly number[], second: number, purpose: Purpose): { values: Float32Array; outputs: number };
}

export type Purpose = 'reading' | 'ranking' | 'tagging';

/**
 * The encoder, over the memory of the kernel: first the tensors, then room for one sequence. Sequences go one at a time,
 * so nothing is padded but a last odd row.
 */
export async function createEncoder(model: ModelFile): Promise<Encoder> {
  const { width, inner, layers, early, heads, outputs, data } = model;
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
  const made = room(rows * outputs * 4);
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
    kernel.multiply(codes, scales, weights, steps, bias, to, count, sizes.inner, sizes.outer);
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

  return {
    run(ids, second, purpose) {
      if (ids.length > maxTokens) throw new Error('a sequence is longer than the reading model reads');
      const tokens = ids.length;
      const count = tokens + (tokens % 2);
      embed(ids, second, count);
      const depth = purpose === 'ranking' ? early : layers;
      for (let place = 0; place < depth; place++) {
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
      // Ranking looks at the first token alone; two rows are the fewest that the kernel multiplies.
      const [used, kept] = purpose === 'ranking' ? [2, 1] : [count, tokens];
      multiply('outputs', state, made, used, { inner: width, outer: outputs });
      return { values: floats.slice(made / 4, made / 4 + kept * outputs), outputs };
    },
  };
}
