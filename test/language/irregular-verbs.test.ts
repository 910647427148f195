import { describe, expect, it } from 'vitest';
import { contentTerms, verbFormsOf } from '../../src/language/query-terms.js';

const formsIn = (query: string): string[] =>
  [...verbFormsOf(query, contentTerms(query)).values()].flatMap(({ others }) => others);

describe('the forms of an irregular verb', () => {
  it.each([
    ['What did I buy in July?', ['bought']],
    ['Have I eaten there?', ['eat', 'ate']],
    ['Which laptop have I chosen?', ['choos', 'chos']],
    ['What did I bake?', []],
  ])('of %s are looked for too', (query, others) => {
    expect(formsIn(query)).toEqual(others);
  });

  it('belong to English', () => {
    expect(verbFormsOf('Wann fell der Preis und wer hat es gekauft?', ['fell'])).toEqual(new Map());
  });
});
