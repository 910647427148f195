import { expect, it } from 'vitest';
import { typedFunctionTerms } from '../../src/language/query-terms.js';

it.each([
  ['Heizung Haupthahn zu', ['zu']],
  ['tap shut off', ['off']],
  ['tap', []],
  ['where is it?', []],
  ['off and on', []],
  ['I think that the tap in the kitchen was off', []],
])('of %j the function words are %j', (query, terms) => {
  expect(typedFunctionTerms(query)).toEqual(terms);
});
