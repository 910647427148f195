import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import wabt from 'wabt';
import type { Distance, Point } from '../../../src/stores/vector/contract.js';
import { memory } from '../../../src/stores/vector/memory.js';
import { binary, createSharedBlock, numbersOf, strideOf } from '../../../src/stores/vector/scan/kernel.js';
import { createScanner } from '../../../src/stores/vector/scan/thread.js';
import { distanceBetween } from '../../../src/stores/vector/shared/distance.js';
import { compareHits } from '../../../src/stores/vector/shared/nearest.js';
import { pointId } from '../../conformance/vector-points.js';
import fc from '../../support/properties.js';

const where = { scopes: ['project:p'] };

describe('the kernel', () => {
  it('is what its text says', async () => {
    const text = await readFile(new URL('../../../src/stores/vector/scan/kernel.wat', import.meta.url), 'utf8');
    const parsed = (await wabt()).parseWat('kernel.wat', text, { simd: true, threads: true });
    expect(Buffer.from(parsed.toBinary({}).buffer).toString('base64')).toBe(binary.toString('base64'));
  });

  it('makes the inner products of any number of rows of any length', async () => {
    const scanner = createScanner();
    onTestFinished(() => scanner.stop());
    const shapes = fc.record({ dimension: fc.integer({ min: 1, max: 40 }), rows: fc.constantFrom(1, 7, 4_096, 9_001) });
    await fc.assert(
      fc.asyncProperty(shapes, async ({ dimension, rows }) => {
        const stride = strideOf(dimension);
        const block = createSharedBlock(stride, rows);
        const numbers = numbersOf(block);
        for (let row = 0; row < rows; row++) {
          for (let i = 0; i < dimension; i++) numbers[row * stride + i] = Math.sin(row * dimension + i);
        }
        const query = Float32Array.from({ length: dimension }, (_, i) => Math.cos(i));
        const products = await scanner.products(block, query, rows);
        expect(products).toHaveLength(rows);
        for (const row of [0, rows >> 1, rows - 1]) {
          const expected = query.reduce((sum, value, i) => sum + value * (numbers[row * stride + i] ?? 0), 0);
          expect(products[row]).toBeCloseTo(expected, 4);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('many rows in memory', () => {
  it.each<Distance>(['cosine', 'l2', 'inner_product'])('are ranked by %s as one by one', async (distance) => {
    const shape = { dimension: 12, distance };
    const store = memory.create();
    await store.open(shape);
    onTestFinished(() => store.close());
    const points = Array.from({ length: 6_000 }, (_, number) => aPoint(number));
    await store.upsert(points);
    await store.remove(points.slice(100, 200).map(({ id }) => id));
    const left = points.filter((_, number) => (number < 100 || number >= 200) && number % 3 !== 0);
    for (let number = 0; number < 20; number++) {
      const query = vectorOf(number + 0.3);
      const exact = left
        .map(({ id, vector }) => ({ id, distance: distanceBetween(distance, query, vector) }))
        .sort(compareHits);
      expect(await store.search(query, { limit: 25, where })).toEqual(exact.slice(0, 25));
    }
  });

  it('answers many at once, and after it was closed', async () => {
    const store = memory.create();
    await store.open({ dimension: 12, distance: 'cosine' });
    onTestFinished(() => store.close());
    await store.upsert(Array.from({ length: 5_000 }, (_, number) => aPoint(number)));
    const search = (number: number) => store.search(vectorOf(number), { limit: 3, where });
    const alone = await search(7);
    await store.close();
    expect(await Promise.all(Array.from({ length: 20 }, () => search(7)))).toEqual(Array(20).fill(alone));
  });
});

function vectorOf(number: number): Float32Array {
  return Float32Array.from({ length: 12 }, (_, axis) => Math.sin(number * (axis + 1)));
}

function aPoint(number: number): Point {
  const scope = number % 3 === 0 ? 'project:other' : 'project:p';
  return { id: pointId(number), vector: vectorOf(number), scope, conversationId: pointId(number >> 3) };
}
