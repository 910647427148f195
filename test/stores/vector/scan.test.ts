import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import wabt from 'wabt';
import type { Distance, Point } from '../../../src/stores/vector/contract.js';
import { memory } from '../../../src/stores/vector/drivers/memory.js';
import {
  binary,
  createScanner,
  createSharedBlock,
  mostOf,
  openKernel,
  rowsOf,
  strideOf,
} from '../../../src/stores/vector/shared/memory/scan/scanner.js';
import { codedQuery, createCodes } from '../../../src/stores/vector/shared/memory/search.js';
import { compareHits, distanceBetween } from '../../../src/stores/vector/shared/nearest.js';
import { pointId } from '../../conformance/vector-points.js';
import fc from '../../support/properties.js';

const run = promisify(execFile);
const where = { scopes: ['project:p'] };

describe('the kernel', () => {
  it('is what its text says', async () => {
    const text = await readFile(
      new URL('../../../src/stores/vector/shared/memory/scan/kernel.wat', import.meta.url),
      'utf8',
    );
    const parsed = (await wabt()).parseWat('kernel.wat', text, { simd: true, threads: true });
    expect(Buffer.from(parsed.toBinary({}).buffer).toString('base64')).toBe(binary.toString('base64'));
  });

  it('makes the inner products of any number of rows of any length, however large the numbers', async () => {
    const shapes = fc.record({
      dimension: fc.integer({ min: 1, max: 3_000 }),
      rows: fc.constantFrom(1, 7, 4_096, 4_099),
      size: fc.constantFrom(1, 50, Number.POSITIVE_INFINITY),
    });
    await fc.assert(
      fc.asyncProperty(shapes, async ({ dimension, rows, size }) => {
        const stride = strideOf(dimension);
        const most = Math.min(size, mostOf(stride));
        const block = createSharedBlock(stride, rows);
        const numbers = rowsOf(block);
        const looked = [0, rows >> 1, rows - 1];
        for (const row of looked) {
          for (let i = 0; i < dimension; i++) numbers[row * stride + i] = Math.round(most * Math.sin(row + i * i));
        }
        // The worst there can be: every number as large as it may, with the same sign.
        const query = Int16Array.from({ length: stride }, (_, i) =>
          i < dimension ? Math.sign(Math.sin(i * i)) * most : 0,
        );
        const products = new Int32Array(rows);
        (await openKernel(block))(query, rows, products);
        for (const row of looked) {
          const expected = query.reduce((sum, value, i) => sum + value * (numbers[row * stride + i] ?? 0), 0);
          expect(products[row]).toBe(expected);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('the scanning thread', () => {
  it.runIf(platform() === 'linux')('frees the rows of a table that was reloaded', async () => {
    const script = fileURLToPath(new URL('./read-again.mjs', import.meta.url));
    const { stdout } = await run(process.execPath, ['--expose-gc', script, '30']);
    expect(Number(stdout)).toBeLessThan(12);
  });
});

describe('the selection', () => {
  it.each<Distance>(['cosine', 'l2', 'inner_product'])(
    'leaves out no row that is among the nearest by %s',
    async (distance) => {
      const scanner = createScanner();
      onTestFinished(() => scanner.stop());
      const number = fc.float({ min: -2, max: 2, noNaN: true });
      const vectors = fc
        .integer({ min: 1, max: 24 })
        .chain((dimension) =>
          fc.array(fc.array(number, { minLength: dimension, maxLength: dimension }), { minLength: 2, maxLength: 40 }),
        );
      const input = fc.record({
        vectors,
        limit: fc.integer({ min: 1, max: 12 }),
        scopes: fc.constantFrom<number[]>([0], [1], [0, 1], []),
      });
      await fc.assert(
        fc.asyncProperty(input, async ({ vectors: [asked = [], ...given], limit, scopes }) => {
          const codes = createCodes(asked.length);
          // So many rows are shared.
          codes.put(5_000, Float32Array.from(asked), 0);
          const points = given.map((values, row) => ({ row, scope: row % 2, vector: Float32Array.from(values) }));
          for (const { row, vector, scope } of points) codes.put(row, vector, scope);
          const gone = points.length > 3 ? 2 : -1;
          if (gone >= 0) codes.remove(gone);
          const query = Float32Array.from(asked);
          const scanned = codes.shared();
          if (scanned === undefined) throw new Error('so many rows are shared');
          const options = { rows: points.length, distance, limit, scopes };
          const places = [...(await scanner.near(scanned, codedQuery(query), options))];
          const wanted = points.filter(({ row, scope }) => row !== gone && scopes.includes(scope));
          const exact = wanted
            .map(({ row, vector }) => ({ row, distance: distanceBetween(distance, query, vector) }))
            .filter((each) => !Number.isNaN(each.distance))
            .sort((one, other) => one.distance - other.distance);
          const farthest = exact[Math.min(limit, exact.length) - 1]?.distance ?? Number.NEGATIVE_INFINITY;
          const nearest = exact.filter((each) => each.distance <= farthest).map(({ row }) => row);
          expect(places).toEqual(expect.arrayContaining(nearest));
          expect(wanted.map(({ row }) => row)).toEqual(expect.arrayContaining(places));
        }),
        { numRuns: 100 },
      );
    },
  );
});

describe('codes and what they leave over', () => {
  const vectors = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 40 });

  it('give the vector back, to a ten-millionth of its largest number', () => {
    fc.assert(
      fc.property(vectors, fc.constantFrom(0, 5_000), (values, row) => {
        const vector = Float32Array.from(values);
        const codes = createCodes(vector.length);
        codes.put(row, vector, 0);
        const read = new Float32Array(vector.length);
        codes.read(row, read);
        const largest = Math.max(...vector.map(Math.abs));
        for (const [i, value] of vector.entries()) {
          expect(Math.abs((read[i] ?? Number.NaN) - value)).toBeLessThanOrEqual(largest * 1e-7 + 1e-45);
        }
      }),
    );
  });
});

describe('many rows in memory', () => {
  const distances: Distance[] = ['cosine', 'l2', 'inner_product'];
  // Scanned in this thread, and in another.
  const counts = [1_000, 6_000];
  const cases = distances.flatMap((distance) => counts.map((count) => ({ distance, count })));

  it.each(cases)('are ranked by $distance as one by one, when there are $count', async ({ distance, count }) => {
    const shape = { dimension: 12, distance };
    const store = memory.create();
    await store.open(shape);
    onTestFinished(() => store.close());
    const points = Array.from({ length: count }, (_, number) => aPoint(number));
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

  it.each([3_900, 5_000])(
    'are found while others are written, removed and replaced, when there are %i',
    async (count) => {
      const store = memory.create();
      await store.open({ dimension: 12, distance: 'cosine' });
      onTestFinished(() => store.close());
      const points = Array.from({ length: count }, (_, number) => aPoint(number));
      await store.upsert(points);
      const still = points.slice(0, 2_000).filter(({ scope }) => scope === 'project:p');
      for (let round = 0; round < 30; round++) {
        const sought = still[round * 7];
        const searching = store.search(sought?.vector ?? vectorOf(0), { limit: 5, where });
        // During the scan: rows change their vectors, are given up, and taken by others.
        const moved = points.slice(2_000 + round * 50, 2_050 + round * 50);
        await store.upsert(moved.map((point) => ({ ...point, vector: vectorOf(round + 0.5) })));
        await store.remove(moved.slice(0, 25).map(({ id }) => id));
        await store.upsert([aPoint(10_000 + round)]);
        const found = await searching;
        expect(found).toHaveLength(5);
        expect(found[0]).toEqual({ id: sought?.id, distance: 0 });
      }
    },
  );

  it('are found while their block grows', async () => {
    const store = memory.create();
    await store.open({ dimension: 12, distance: 'cosine' });
    onTestFinished(() => store.close());
    const first = aPoint(1);
    await store.upsert([first, ...Array.from({ length: 4_200 }, (_, number) => aPoint(100 + number))]);
    for (let from = 5_000; from < 40_000; from += 5_000) {
      const searching = store.search(first.vector, { limit: 1, where });
      await store.upsert(Array.from({ length: 5_000 }, (_, number) => aPoint(from + number)));
      const last = aPoint(from + 4_999);
      expect(await searching).toEqual([{ id: first.id, distance: 0 }]);
      const near = await store.search(last.vector, { limit: 100, where: { scopes: [last.scope] } });
      expect(near).toContainEqual({ id: last.id, distance: 0 });
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
