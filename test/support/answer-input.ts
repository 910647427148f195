import type { AnswerInput } from '../../src/answers/answer.js';
import { type Question, readingQuestion } from '../../src/answers/question.js';
import type { ReadingWeights } from '../../src/answers/read-answer.js';
import type { Hit } from '../../src/model/hit.js';
import { finished } from '../../src/model/steps.js';

/** A question about these hits, of which nothing else is known. */
export function anAnswerInput(
  { question, at, terms }: { question: string; at: string; terms: readonly string[] },
  hits: readonly Hit[],
): AnswerInput & { question: Question } {
  return {
    question: finished(readingQuestion(question, at)),
    terms: terms.map((term) => ({ term, weight: 1, count: 1, ...(/^\d{4}$/.test(term) ? { isTime: true } : {}) })),
    hits,
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
  };
}

/** With these a message is as probable as its span says, and so is an answer that begins with it. */
export const weightsOfSpans: ReadingWeights = {
  hit: {
    reader: 0,
    span: 4,
    rank: 0,
    search: 0,
    user: 0,
    asks: 0,
    missing: 0,
    unmentioned: 0,
    reply: 0,
    coverage: 0,
    bias: 0,
  },
  answer: {
    reader: 0,
    span: 4,
    unmentioned: 0,
    agrees: 0,
    contested: 0,
    newer: 0,
    several: 0,
    bias: 0,
  },
};
