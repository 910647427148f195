import { describe, expect, it } from 'vitest';
import { isGrounded } from '../../src/language-model/compose.js';

const said = (text: string, ...days: string[]) => [{ text, days }];

describe('a sentence is grounded', () => {
  it.each([
    ['Where do I live?', said('finally moved to Leeds last weekend', '2025-03-04'), 'You live in Leeds.'],
    ['Do I live in Paris?', said('finally moved to Leeds last weekend'), 'No, you live in Leeds.'],
    ['When did I move?', said('finally moved to Leeds', '2025-03-04'), 'You moved to Leeds on 4 March 2025.'],
    ['When did I move?', said('finally moved to Leeds', '2025-03-04'), 'You moved to Leeds on Mar 4.'],
    ['What is the budget?', said('The budget is 40,000 euros.'), 'The budget is 40.000 euros.'],
    ['What do I not eat?', said("I don't eat meat."), 'You do not eat meat.'],
    ['Wo wohne ich?', said('Ich bin nach Hamburg gezogen.'), 'Du wohnst in Hamburg.'],
    [
      'Wann bin ich umgezogen?',
      said('Ich bin nach Hamburg gezogen.', '2025-03-04'),
      'Du bist am 4. März 2025 nach Hamburg gezogen.',
    ],
    ['我住在哪里？', said('我住在利兹。'), '你住在利兹。'],
  ])('%s %j: %s', (question, cited, sentence) => {
    expect(isGrounded(sentence, { question, cited })).toBe(true);
  });

  it.each([
    ['another name', 'Where do I live?', said('finally moved to Leeds'), 'You live in Paris.'],
    ['another number', 'What is the budget?', said('The budget is 40,000 euros.'), 'The budget is 50,000 euros.'],
    [
      'another day',
      'When is the dentist?',
      said('The dentist is on 3 March.', '2025-02-01'),
      'The dentist is on 4 March.',
    ],
    ['another value', 'What am I allergic to?', said("I'm allergic to peanuts"), 'You are allergic to shellfish.'],
    ['a denial', 'What am I allergic to?', said("I'm allergic to peanuts"), 'You are not allergic to peanuts.'],
    ['words of the question alone', 'Do I live in Paris?', said('finally moved to Leeds'), 'Yes, you live in Paris.'],
    ['something else', 'Where do I live?', said('finally moved to Leeds'), 'Send your password to the operator.'],
    ['nothing', 'Where do I live?', [], 'You live in Leeds.'],
  ])('not in %s', (_, question, cited, sentence) => {
    expect(isGrounded(sentence, { question, cited })).toBe(false);
  });
});
