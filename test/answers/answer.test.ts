import { describe, expect, it } from 'vitest';
import { type AnswerInput, answerQuestion } from '../../src/answers/answer.js';
import type { Hit } from '../../src/model/hit.js';
import { anAnswerInput } from '../support/answer-input.js';

const today = '2026-11-15T00:00:00Z';

function aHit(text: string, parts: Partial<Hit> = {}): Hit {
  const chunkId = `chunk of ${text}`;
  const place = { chunkId, conversationId: 'one', chunkIndex: 0, messageIndex: 0 };
  return { ...place, role: 'user', text, at: today, relevance: 1, ...parts };
}

/** Unrelated texts are a tenth similar, so that a similarity of .4 is half as close as can be. */
function asked(question: string, hits: readonly Hit[], terms: readonly string[]): AnswerInput {
  const similarities = Array.from({ length: 10 }, () => 0.1);
  return { ...anAnswerInput({ question, at: today, terms }, hits), similarities };
}

describe('a passage without any word of the question', () => {
  const question = 'Wer ist meine Chefin?';
  const text = 'Die alte Nummer habe ich gekündigt.';

  it('does not answer for being somewhat alike', () => {
    const { basis } = answerQuestion(asked(question, [aHit(text, { similarity: 0.4 })], ['chefin']));
    expect(basis).toBe('not_found');
  });

  it('answers when it is very close', () => {
    const close = aHit('Meine Vorgesetzte heißt Ana.', { similarity: 0.6 });
    expect(answerQuestion(asked(question, [close], ['chefin'])).text).toBe('Meine Vorgesetzte heißt Ana.');
  });

  it('leaves the word to one that has some', () => {
    const hits = [aHit(text, { similarity: 0.4 }), aHit('Die Chefin heißt Ana.', { relevance: 0.9, similarity: 0.3 })];
    expect(answerQuestion(asked(question, hits, ['chefin'])).text).toBe('Die Chefin heißt Ana.');
  });
});
