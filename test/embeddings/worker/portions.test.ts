import { describe, expect, it } from 'vitest';
import { portions } from '../../../src/embeddings/worker/host.js';
import fc from '../../support/properties.js';

describe('portions', () => {
  it('puts texts of like length together', () => {
    const texts = ['a long text', 'ab', 'a longer text', 'a'];
    const size = { texts: 2, characters: 100, charactersRead: 100 };
    expect([...portions(texts, size)]).toEqual([
      [3, 1],
      [0, 2],
    ]);
  });

  it('counts what the model reads of a long text', () => {
    const texts = ['x'.repeat(1_000), 'y'.repeat(1_000)];
    expect([...portions(texts, { texts: 9, characters: 20, charactersRead: 10 })]).toEqual([[0, 1]]);
    expect([...portions(texts, { texts: 9, characters: 19, charactersRead: 10 })]).toEqual([[0], [1]]);
  });

  it('holds every text once and no more than it may', () => {
    const size = { texts: 3, characters: 20, charactersRead: 30 };
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 })), (texts) => {
        const found = [...portions(texts, size)];
        expect(found.flat().sort((one, other) => one - other)).toEqual(texts.map((_, position) => position));
        for (const portion of found) {
          const characters = portion.reduce((sum, position) => sum + (texts[position]?.length ?? 0), 0);
          expect(portion.length).toBeLessThanOrEqual(size.texts);
          if (portion.length > 1) expect(characters).toBeLessThanOrEqual(size.characters);
        }
      }),
    );
  });
});
