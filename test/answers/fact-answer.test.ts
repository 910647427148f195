import { describe, expect, it } from 'vitest';
import { answerFromFacts, type FactAnswer } from '../../src/answers/fact-answer.js';
import { readQuestion } from '../../src/answers/question.js';
import { kindOf } from '../../src/facts/predicates.js';
import type { Fact } from '../../src/model/fact.js';
import { aFact } from '../support/fact.js';

const early = '2024-03-01T00:00:00.000Z';
const late = '2025-06-10T00:00:00.000Z';

function answer(question: string, facts: readonly Fact[]): FactAnswer | undefined {
  const isSingle = (predicate: string): boolean => kindOf(predicate)?.values === 'one';
  return answerFromFacts(facts, { question: readQuestion(question, late), isSingle, placeOf: () => 0 });
}

const paris = aFact({ predicate: 'profile_location', object_normalized: 'Paris', stated_at: early });
const rome = aFact({ predicate: 'profile_location', object_normalized: 'Rome', stated_at: late });

describe('an answer from facts', () => {
  it('is the newest statement, with the older ones as history', () => {
    expect(answer('Where do I live?', [{ ...paris, status: 'superseded' }, rome])).toMatchObject({
      basis: 'fact_layer',
      text: 'You live in Rome. Before: Paris (said on 1 March 2024).',
      confidence: 'high',
      facts: [{ object_normalized: 'Rome' }],
      history: [{ object_normalized: 'Paris' }],
    });
  });

  it('is the newest one also when nothing was superseded', () => {
    expect(answer('Where do I live?', [paris, rome])?.text).toBe(
      'You live in Rome. Before: Paris (said on 1 March 2024).',
    );
  });

  it('is what was so before, when that is asked', () => {
    expect(answer('Where did I live before?', [{ ...paris, status: 'superseded' }, rome])?.text).toBe(
      'Before: Paris (said on 1 March 2024). Now: Rome.',
    );
  });

  it('is a conflict only when statements of the same time disagree about something that has one value', () => {
    const both = answer('Where do I live?', [{ ...paris, stated_at: late }, rome]);
    expect(both).toMatchObject({ basis: 'conflict', confidence: 'low' });
    expect(both?.text).toContain('Paris');
    expect(both?.text).toContain('Rome');
    const guitars = ['a Gibson', 'a Fender'].map((object_normalized) =>
      aFact({ predicate: 'owns_guitar', object_normalized, stated_at: late }),
    );
    const owned = answer('What guitars do I own?', guitars);
    expect(owned).toMatchObject({ basis: 'fact_layer', confidence: 'high' });
    expect(owned?.text).toMatch(/^You own a (?:Gibson and a Fender|Fender and a Gibson)\.$/);
  });

  it('takes the word of the user over that of the assistant', () => {
    const guess = aFact({
      predicate: 'profile_location',
      object_normalized: 'Oslo',
      stated_at: late,
      source_quality: 'assistant_statement',
      confidence: 'medium',
    });
    expect(answer('Where do I live?', [guess, paris])?.text).toBe('You live in Paris.');
    expect(answer('Where do I live?', [guess])).toMatchObject({ text: 'You live in Oslo.', confidence: 'medium' });
  });

  it('says when an age was true', () => {
    const age = aFact({ predicate: 'profile_age', object_normalized: '34', stated_at: early });
    expect(answer('How old am I?', [age])?.text).toBe('Your age: 34 (on 1 March 2024).');
  });

  it('is none when every statement is over and the present was asked', () => {
    expect(answer('Where do I live?', [{ ...paris, status: 'superseded' }])).toBeUndefined();
  });

  it('wants the context when the question does', () => {
    expect(answer('How do you know where I live?', [rome])?.wantsContext).toBe(true);
    expect(answer('Where do I live?', [rome])?.wantsContext).toBe(false);
  });
});
