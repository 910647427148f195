import { describe, expect, it } from 'vitest';
import { partsOf } from '../../../src/indexing/deep/encoding.js';
import { packed, unpacked } from '../../../src/indexing/deep/shelf.js';

describe('the parts of a message', () => {
  it('are one for a short message, and none for an empty one', () => {
    expect(partsOf('The heron stood in the reeds.')).toEqual(['The heron stood in the reeds.']);
    expect(partsOf(' \n ')).toEqual([]);
  });

  it('end with a sentence, or else with a word, and lose nothing', () => {
    const sentence = 'The heron stood in the reeds and waited for the fish. ';
    const sentences = partsOf(sentence.repeat(20));
    expect(sentences.length).toBeGreaterThan(2);
    for (const part of sentences) {
      expect(part.length).toBeLessThanOrEqual(400);
      expect(part.endsWith('fish.')).toBe(true);
    }
    expect(sentences.join(' ')).toBe(sentence.repeat(20).trim());
    const words = partsOf('heron '.repeat(150));
    expect(words.join(' ')).toBe('heron '.repeat(150).trim());
  });

  it('are at most eight, and never split a character', () => {
    const parts = partsOf(`x${'🦩'.repeat(5_000)}`);
    expect(parts).toHaveLength(8);
    for (const part of parts) expect(part.isWellFormed()).toBe(true);
  });
});

describe('the vectors of a conversation as text', () => {
  it('come back as they were', () => {
    const made = { chunkIndexes: [0, 3, 3, 70_000], vectors: Int8Array.from({ length: 4 * 256 }, (_, at) => at % 251) };
    const { chunkIndexes, vectors } = unpacked(packed(made), 4);
    expect(chunkIndexes).toEqual(made.chunkIndexes);
    expect([...vectors]).toEqual([...made.vectors]);
    expect(unpacked(packed({ chunkIndexes: [], vectors: new Int8Array(0) }), 0).chunkIndexes).toEqual([]);
  });
});
