import { describe, expect, it } from 'vitest';
import { readingQuestion } from '../../src/answers/question.js';
import { supportRules } from '../../src/answers/support.js';
import { queryTerms } from '../../src/language/terms.js';
import { timeFit, timeIntent } from '../../src/language/time/time-intent.js';
import { finished } from '../../src/model/steps.js';

const today = '2026-11-16T10:00:00Z';

/** The rules for a question, and a turn of one sentence said on a day; all words count alike. */
function ruling(text: string, sentence: string, day: string) {
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
  return { rules, hit: { ...place, text: sentence, at } };
}

/** How much of a question the turn holds, and the sentence beside others. */
function coverage(...given: Parameters<typeof ruling>) {
  const { rules, hit } = ruling(...given);
  const { coverage, missesTime } = rules.supportOf(hit, undefined);
  return { turn: coverage, missesTime, sentence: rules.saidAt(hit.at).coverageOf(hit.text) };
}

describe('a time of the question', () => {
  it.each([
    ['said then', 'They were noisy.', '2026-11-11'],
    ['said later, and named', 'They were noisy last week.', '2026-11-16'],
    ['said later, and dated', 'They were noisy on 10 November.', '2026-11-18'],
    ['said before, and named', 'They will be noisy next week.', '2026-11-03'],
  ])('is met by what was %s', (_, sentence, day) => {
    expect(coverage('Were they noisy last week?', sentence, day)).toMatchObject({ turn: 1, missesTime: false });
  });

  it.each([
    ['at another time, with the same words', 'They were noisy last week.', '2026-06-07'],
    ['at another time', 'They were noisy.', '2026-06-07'],
    ['of a longer time', 'They were noisy in 2026.', '2026-06-07'],
  ])('is not met by what was said %s', (_, sentence, day) => {
    const { turn, missesTime } = coverage('Were they noisy last week?', sentence, day);
    expect(turn).toBeLessThan(0.5);
    expect(missesTime).toBe(true);
  });

  it('tells a sentence from the others of its turn only where that names it', () => {
    expect(coverage('Were they noisy last week?', 'They were noisy.', '2026-11-11').sentence).toBeLessThan(0.5);
    expect(coverage('Were they noisy last week?', 'They were noisy yesterday.', '2026-11-11').sentence).toBe(1);
  });

  it('is found wherever a turn names it', () => {
    for (let before = 0; before < 1_900; before += 53) {
      const said = `${'They were at it. '.repeat(120).slice(0, before)} They were noisy on 10 November.`;
      expect([before, coverage('Were they noisy last week?', said, '2026-11-18').turn]).toEqual([before, 1]);
    }
  });

  it('is looked for in portions of a long turn', () => {
    const steps = (question: string): number => {
      const { rules, hit } = ruling(question, '2024-01-01 '.repeat(400), '2026-11-18');
      return [...rules.supporting(hit, undefined)].length;
    };
    expect(steps('Were they noisy last week?') - steps('Were they noisy?')).toBeGreaterThan(1);
  });

  it('is met by its word where the question may mean any of them', () => {
    expect(coverage('Are they noisy on Friday?', 'They get noisy on Friday.', '2026-06-07').turn).toBe(1);
    expect(coverage('Were they noisy on Friday?', 'They were noisy on Friday.', '2026-06-07').turn).toBe(0.5);
  });
});
