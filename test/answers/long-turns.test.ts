import { describe, expect, it } from 'vitest';
import { saidWith } from '../../src/answers/passages.js';
import { choosingExcerpts, quotingAround } from '../../src/answers/quote.js';
import { answeringByReading, gatheringEvidence, type ReadAnswerInput } from '../../src/answers/read-answer.js';
import { queryTerms } from '../../src/language/terms.js';
import type { Hit } from '../../src/model/hit.js';
import { finished, type Steps } from '../../src/model/steps.js';
import { anAnswerInput, weightsOfSpans } from '../support/answer-input.js';

/*
 * A message of a megabyte is read in steps, and no more of it than can matter. How long a step takes is measured by
 * the ring `npm run test:slices`.
 */

const at = '2026-03-01T10:00:00.000Z';

/** A megabyte of Chinese in which no two neighbours are the same pair soon. */
const chinese = Array.from({ length: 330_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)),
).join('');

function aHit(text: string, parts: Partial<Hit> = {}): Hit {
  const place = { chunkId: 'chunk', conversationId: 'one', chunkIndex: 0, messageIndex: 0 };
  return { ...place, role: 'user', text, at, relevance: 1, ...parts };
}

function aRead(words: readonly string[], ...hits: Hit[]): ReadAnswerInput {
  const terms = words.map((word) => queryTerms(word)[0] ?? word);
  const input = anAnswerInput({ question: 'Which roses need shade?', at, terms }, hits);
  const reads = hits.map((hit) => ({ hit, relevance: 2, polarity: 0 }));
  return { ...input, trust: 0, reads, weights: weightsOfSpans };
}

function stepsOf<Result>(steps: Steps<Result>): number {
  let count = 0;
  while (!steps.next().done) count += 1;
  return count;
}

describe('what counts as said with a quote', () => {
  it('is the whole turn as long as people may have typed it', () => {
    const text = 'rose '.repeat(4_000);
    expect(text).toHaveLength(20_000);
    expect(saidWith(text, { start: 0, end: 4 })).toBe(text);
  });

  it.each([
    ['at the beginning', 0],
    ['in the middle', 150_000],
    ['at the end', 329_990],
  ])('is a part of a longer turn around the quote: %s', (_, start) => {
    const said = saidWith(chinese, { start, end: start + 10 });
    expect(said).toHaveLength(20_000);
    expect(said).toContain(chinese.slice(start, start + 10));
  });
});

describe('a turn of a megabyte', () => {
  it('supports an answer with the words near the quote, not with those far from it', () => {
    const far = 'The roses need shade. '.repeat(2_000);
    const [evidence] = finished(gatheringEvidence(aRead(['roses', 'shade'], aHit(`I drink tea.\n${far}`))));
    expect(evidence?.passage.support.coverage).toBe(1);
    const tea = aRead(['tea', 'zinnia'], aHit(`I drink tea.\n${far}A zinnia grows.`));
    expect(finished(gatheringEvidence(tea))[0]?.passage.support.coverage).toBe(0.5);
  });

  it('is judged in many steps', () => {
    const input = aRead([chinese.slice(7, 9), 'shade'], aHit(chinese));
    expect(stepsOf(answeringByReading(input))).toBeGreaterThan(4);
  });

  it('is read for excerpts part by part, with a step after each', () => {
    const lengths: number[] = [];
    const coverageOf = (text: string): number => lengths.push(text.length);
    const sentences = `${chinese.slice(0, 300)}。`.repeat(1_000);
    expect(stepsOf(choosingExcerpts({ text: sentences }, coverageOf))).toBe(lengths.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(400);
    // No more than the first 50,000 characters are searched for an answer.
    expect(lengths.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(50_000);
  });

  it('is quoted where the model found the answer, without counting the words of every sentence', () => {
    const text = 'Some filler text of a sentence. '.repeat(1_000);
    const covering = function* (): Steps<number> {
      yield;
      throw new Error('counted');
    };
    const quote = finished(quotingAround(aHit(text), { start: 320, end: 330 }, { covering, terms: [] }));
    expect(quote.start).toBeLessThanOrEqual(320);
    expect(quote.end).toBeGreaterThanOrEqual(330);
  });
});
