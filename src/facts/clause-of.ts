import { clausesOf } from './clauses.js';
import { sentencesOf } from './sentences.js';

/** The part of a sentence that states a value: "I live in Kyiv and my bicycle is blue" says two things. */
export function clauseOf(sentence: string, value: string): string {
  const [read] = sentencesOf(sentence);
  const at = sentence.indexOf(value);
  if (read === undefined || at < 0) return sentence;
  const starts = clausesOf(read).map(({ before }) => read.start + before.length);
  const start = starts.findLast((each) => each <= at) ?? 0;
  return sentence.slice(start, starts.find((each) => each > at) ?? sentence.length).trim();
}
