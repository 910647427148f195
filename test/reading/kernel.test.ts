import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { binary, openKernel } from '../../src/reading/encoder.js';

describe('the reading kernel', () => {
  it('is the text beside it, compiled', async () => {
    const text = await readFile(new URL('../../src/reading/kernel.wat', import.meta.url), 'utf8');
    const parsed = (await wabt()).parseWat('kernel.wat', text, { simd: true });
    expect(Buffer.from(parsed.toBinary({}).buffer).equals(binary)).toBe(true);
  });

  it('multiplies like plain arithmetic', async () => {
    const { kernel, memory } = await openKernel(1 << 20);
    const [rows, inner, outer] = [4, 64, 8];
    const at = { x: 0, codes: 4_096, scales: 8_192, w: 12_288, steps: 16_384, bias: 20_480, out: 24_576, wide: 32_768 };
    const floats = new Float32Array(memory);
    const x = Array.from({ length: rows * inner }, (_, place) => Math.sin(place) * 3);
    const w = Array.from({ length: outer * inner }, (_, place) => ((place * 37) % 127) - 63);
    floats.set(x, at.x / 4);
    new Int8Array(memory).set(w, at.w);
    for (let column = 0; column < outer; column++) {
      floats[at.steps / 4 + column] = 0.01 * (column + 1);
      floats[at.bias / 4 + column] = column;
    }
    kernel.quantise(at.x, at.codes, at.scales, rows, inner);
    kernel.multiply(at.codes, at.scales, at.w, at.steps, at.bias, at.out, rows, inner, outer, at.wide);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < outer; column++) {
        let sum = 0;
        for (let place = 0; place < inner; place++) {
          sum += (x[row * inner + place] ?? 0) * (w[column * inner + place] ?? 0);
        }
        const expected = sum * 0.01 * (column + 1) + column;
        expect(floats[at.out / 4 + row * outer + column]).toBeCloseTo(expected, 1);
      }
    }
  });

  it('attends like plain arithmetic, also where the tokens are no multiple of four', async () => {
    const { kernel, memory } = await openKernel(1 << 20);
    const [tokens, width] = [5, 32];
    const floats = new Float32Array(memory);
    const at = { qkv: 0, scores: 8_192, out: 16_384 };
    for (let place = 0; place < tokens * 3 * width; place++) floats[place] = Math.cos(place * 1.7);
    kernel.attend(at.qkv, at.scores, at.out, tokens, 1);
    const row = (token: number, part: number): Float32Array => {
      const begin = token * 3 * width + part * width;
      return floats.subarray(begin, begin + width);
    };
    const dot = (one: Float32Array, other: Float32Array): number =>
      one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
    for (let token = 0; token < tokens; token++) {
      const raised = Array.from({ length: tokens }, (_, other) =>
        Math.exp(dot(row(token, 0), row(other, 1)) / Math.sqrt(width)),
      );
      const total = raised.reduce((sum, value) => sum + value, 0);
      for (let axis = 0; axis < width; axis++) {
        const expected = raised.reduce((sum, value, other) => sum + (value / total) * (row(other, 2)[axis] ?? 0), 0);
        expect(floats[at.out / 4 + token * width + axis]).toBeCloseTo(expected, 4);
      }
    }
  });

  it('bends numbers like GELU and keeps rows at mean nought and spread one', async () => {
    const { kernel, memory } = await openKernel(1 << 20);
    const floats = new Float32Array(memory);
    floats.set([-3, -1, -0.5, 0, 0.5, 1, 3, 6]);
    kernel.gelu(0, 8);
    const expected = [-0.00405, -0.15866, -0.15427, 0, 0.34573, 0.84134, 2.99595, 6];
    for (const [place, value] of expected.entries()) expect(floats[place]).toBeCloseTo(value, 4);
    const [x, zeros, gain, shift] = [1_024, 2_048, 3_072, 4_096];
    for (let place = 0; place < 16; place++) {
      floats[x / 4 + place] = place;
      floats[gain / 4 + place] = 1;
    }
    kernel.normalise(x, zeros, gain, shift, 1, 16);
    const row = floats.subarray(x / 4, x / 4 + 16);
    expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 4);
    expect(row.reduce((sum, value) => sum + value * value, 0) / 16).toBeCloseTo(1, 4);
  });
});
