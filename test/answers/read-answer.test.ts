import { describe, expect, it } from 'vitest';
import type { ReadHit } from '../../src/answers/quote.js';
import { answeringByReading } from '../../src/answers/read-answer.js';
import { finished } from '../../src/model/steps.js';
import { anAnswerInput, weightsOfSpans } from '../support/answer-input.js';

/** A message on a day of March 2025 that answers with the given probability. */
function aRead(text: string, day: number, probability: number): ReadHit {
  const at = `2025-03-${String(day).padStart(2, '0')}T10:00:00Z`;
  const place = { chunkId: text, conversationId: text, chunkIndex: 0, messageIndex: 0 };
  return {
    hit: { ...place, role: 'user', text, at, relevance: 1 },
    relevance: 0,
    polarity: 0,
    span: { start: 0, end: text.length, score: Math.log(probability / (1 - probability)) },
  };
}

function answered(question: string, reads: readonly ReadHit[]) {
  const hits = reads.map(({ hit }) => hit);
  const input = anAnswerInput({ question, at: '2025-04-01T00:00:00Z', terms: [] }, hits);
  return finished(answeringByReading({ ...input, reads, weights: weightsOfSpans }));
}

describe('how sure an answer is that may be out of date', () => {
  const question = 'Which gate did we fly from?';
  const best = aRead('We flew from gate 14.', 2, 0.95);
  const older = aRead('Gate 3 was closed.', 1, 0.4);

  it('is high when nothing newer is about the same', () => {
    expect(answered(question, [best, older]).confidence).toBe('high');
  });

  it('is low when the likeliest other message is newer', () => {
    expect(answered(question, [best, aRead('They sent us to gate 20.', 3, 0.15)]).confidence).toBe('low');
  });

  it('stays high when a newer message is less likely than an older one, and unlikely by itself', () => {
    expect(answered(question, [best, older, aRead('They sent us to gate 20.', 3, 0.15)]).confidence).toBe('high');
  });

  it('is low when any newer message is likely by itself', () => {
    expect(answered(question, [best, older, aRead('They sent us to gate 20.', 3, 0.35)]).confidence).toBe('low');
  });

  it('does not matter for a question about the past', () => {
    const past = 'Where did we live before?';
    const reads = [aRead('We lived in Bath.', 1, 0.9), aRead('We live in Leeds now.', 2, 0.9)];
    const { confidence, passages } = answered(past, reads);
    expect(passages[0]?.quote.text).toBe('We lived in Bath.');
    expect(confidence).not.toBe('low');
  });
});
