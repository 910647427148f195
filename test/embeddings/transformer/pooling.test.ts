import { describe, expect, it } from 'vitest';
import { pool, unit } from '../../../src/embeddings/transformer/folder.js';

/** Two texts of at most two tokens; the second text has one, and what follows it is padding. */
const states = { values: Float32Array.of(3, 0, 0, 4, 0, 2, 9, 9), length: 2, dimension: 2, counts: [2, 1] };

const rounded = (vectors: Float32Array[]) => vectors.map((vector) => [...vector].map((value) => +value.toFixed(4)));

describe('pooling', () => {
  it.each([
    [
      'mean',
      [
        [0.6, 0.8],
        [0, 1],
      ],
    ],
    [
      'cls',
      [
        [1, 0],
        [0, 1],
      ],
    ],
    [
      'max',
      [
        [0.6, 0.8],
        [0, 1],
      ],
    ],
  ] as const)('by %s gives unit vectors and leaves the padding out', (pooling, expected) => {
    expect(rounded(pool(states, pooling))).toEqual(expected);
  });

  it('by max takes the greatest of negative numbers too', () => {
    const values = Float32Array.of(-1, -5, -2, -3);
    expect(rounded(pool({ values, length: 2, dimension: 2, counts: [2] }, 'max'))).toEqual([[-0.3162, -0.9487]]);
  });

  it.each([[[0, 0]], [[Number.NaN, 1]], [[Number.POSITIVE_INFINITY, 1]]])('gives %j a direction', (vector) => {
    expect([...unit(Float32Array.from(vector))]).toEqual([1, 0]);
  });
});
