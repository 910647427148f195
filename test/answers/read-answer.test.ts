import { describe, expect, it } from 'vitest';
import { readQuestion } from '../../src/answers/question.js';
import type { ReadHit } from '../../src/answers/quote.js';
import { answerByReading, type ReadingWeights } from '../../src/answers/read-answer.js';

/** With these weights a message's probability is the one it was read with, and the answer's that of the best message. */
const weights: ReadingWeights = {
  hit: { reader: 0, span: 4, rank: 0, search: 0, user: 0, asks: 0, missing: 0, unmentioned: 0, bias: 0 },
  answer: {
    best: 1,
    gap: 0,
    reader: 0,
    span: 0,
    unmentioned: 0,
    unknown: 0,
    missing: 0,
    agrees: 0,
    contested: 0,
    newer: 0,
    several: 0,
    bias: 0,
  },
};

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
  return answerByReading({
    question: readQuestion(question, '2025-04-01T00:00:00Z'),
    terms: [],
    hits: reads.map(({ hit }) => hit),
    reads,
    weights,
    similarities: [],
    trust: 1,
    timeFit: () => 0,
    before: () => undefined,
    heading: () => '',
    superseded: () => [],
    people: new Set(),
    unknownNames: [],
    asksAssistant: false,
    asksReply: false,
  });
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
