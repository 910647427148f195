import { describe, expect, it } from 'vitest';
import { clauseOf } from '../../src/facts/clauses.js';

describe('the clause that states a value', () => {
  it.each([
    ['I live in Kyiv and my bicycle is blue.', 'Kyiv', 'I live in Kyiv and'],
    ['I live in Kyiv and my bicycle is blue.', 'blue', 'my bicycle is blue.'],
    ['I’m a nurse, but I’m tired.', 'nurse', 'I’m a nurse, but'],
    ['I live in Kyiv.', 'Kyiv', 'I live in Kyiv.'],
    ['I like tea and coffee.', 'coffee', 'I like tea and coffee.'],
    ['I live in Kyiv.', 'Lviv', 'I live in Kyiv.'],
    ['', 'Kyiv', ''],
  ])('of %j with %j is %j', (sentence, value, clause) => {
    expect(clauseOf(sentence, value)).toBe(clause);
  });
});
