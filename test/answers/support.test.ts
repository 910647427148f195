import { describe, expect, it } from 'vitest';
import { readingQuestion } from '../../src/answers/question.js';
import { supportRules } from '../../src/answers/support.js';
import { queryTerms } from '../../src/language/terms.js';
import { timeFit, timeIntent } from '../../src/language/time/time-intent.js';
import { finished } from '../../src/model/steps.js';

const today = '2026-11-16T10:00:00Z';

/** How much of a question a turn of one sentence holds, said on a day, and the sentence beside others; words count alike. */
function coverage(text: string, sentence: string, day: string): { turn: number; sentence: number } {
  const question = finished(readingQuestion(text, today));
  const { spans } = timeIntent(text, today);
  const terms = ['noisi', ...question.timeTerms].map((term) => ({
    term: queryTerms(term)[0] ?? term,
    weight: 1,
    count: 1,
    ...(question.timeTerms.has(term) ? { isTime: true as const } : {}),
  }));
  const rules = supportRules({ question, terms, similarities: [], trust: 0, timeFit: (at) => timeFit(spans, at) });
  const at = `${day}T10:00:00Z`;
  const place = {
    chunkId: 'c',
    conversationId: 'c',
    chunkIndex: 0,
    messageIndex: 0,
    role: 'user',
    relevance: 1,
  } as const;
  return {
    turn: rules.supportOf({ ...place, text: sentence, at }, undefined).coverage,
    sentence: rules.saidAt(at).coverageOf(sentence),
  };
}

describe('a time of the question', () => {
  it.each([
    ['said then', 'They were noisy.', '2026-11-11'],
    ['said later, and named', 'They were noisy last week.', '2026-11-16'],
    ['said later, and dated', 'They were noisy on 10 November.', '2026-11-18'],
    ['said before, and named', 'They will be noisy next week.', '2026-11-03'],
  ])('is met by what was %s', (_, sentence, day) => {
    expect(coverage('Were they noisy last week?', sentence, day).turn).toBe(1);
  });

  it.each([
    ['at another time, with the same words', 'They were noisy last week.', '2026-06-07'],
    ['at another time', 'They were noisy.', '2026-06-07'],
    ['of a longer time', 'They were noisy in 2026.', '2026-06-07'],
  ])('is not met by what was said %s', (_, sentence, day) => {
    expect(coverage('Were they noisy last week?', sentence, day).turn).toBeLessThan(0.5);
  });

  it('tells a sentence from the others of its turn only where that names it', () => {
    expect(coverage('Were they noisy last week?', 'They were noisy.', '2026-11-11').sentence).toBeLessThan(0.5);
    expect(coverage('Were they noisy last week?', 'They were noisy yesterday.', '2026-11-11').sentence).toBe(1);
  });

  it('is met by its word where the question may mean any of them', () => {
    expect(coverage('Are they noisy on Friday?', 'They get noisy on Friday.', '2026-06-07').turn).toBe(1);
    expect(coverage('Were they noisy on Friday?', 'They were noisy on Friday.', '2026-06-07').turn).toBe(0.5);
  });
});
