import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/retrieval/candidate.js';
import { otherLanguageOf } from '../../src/retrieval/features.js';
import { aCandidate, aQuery } from '../support/candidate.js';

const german = 'Am Dienstag bringt Hinnerk die Bienen mit dem Anhänger.';
const french = 'Le plombier vient mardi pour la chaudière de la maison.';
const english = 'The plumber comes on Tuesday for the boiler.';

/** Messages in the order of their distance. */
function near(...texts: string[]): Candidate[] {
  return texts.map((text, place) => aCandidate(`${place}`, { text, distance: 0.1 * (place + 1), deep: 0.2 }));
}

describe('the other language of a query', () => {
  const query = aQuery({ language: 'en' });

  it('is the one in which most of the nearest messages are', () => {
    expect(otherLanguageOf(near(german, english, german, english), query)).toBe('de');
    expect(otherLanguageOf(near(english, french, french), query)).toBe('fr');
    // However far away the first of them stands in the list.
    expect(otherLanguageOf(near(german, english, german).reverse(), query)).toBe('de');
  });

  it('is not known where the nearest are in the language of the query, or in several', () => {
    expect(otherLanguageOf(near(english, english, german, german), query)).toBeUndefined();
    expect(otherLanguageOf(near(german, french, english), query)).toBeUndefined();
    expect(otherLanguageOf([], query)).toBeUndefined();
  });

  it('is not looked for when the query is of no language, or without the deep index', () => {
    expect(otherLanguageOf(near(german, german), aQuery())).toBeUndefined();
    const shallow = near(german, german).map(({ deep: _, ...rest }) => rest);
    expect(otherLanguageOf(shallow, query)).toBeUndefined();
  });
});
