import type { Hit, WeightedTerm } from './hit.js';
import { quoteFrom, type Slice, sentencesIn, textStart } from './quote.js';
import { thresholds } from './thresholds.js';

/**
 * What is quoted of a hit: a short message whole, of a longer one the sentences that hold the answer, with a neighbour on
 * either side as long as that stays short. A sentence alone often leaves out what it is about.
 */
export function quoteAround(
  hit: Hit,
  span: { start: number; end: number } | undefined,
  { coverageOf, terms }: { coverageOf: (text: string) => number; terms: readonly WeightedTerm[] },
): Slice {
  const sentences = sentencesIn(hit);
  const begin = textStart(hit);
  const whole = { start: begin, end: hit.text.length, text: hit.text.slice(begin) };
  const [first = whole] = sentences;
  const last = sentences.at(-1) ?? whole;
  if (last.end - first.start <= thresholds.sentence) return quoteFrom(hit.text, { from: first, to: last, terms });
  const covering = sentences.reduce(
    (best, each) => (coverageOf(each.text) > coverageOf(best.text) ? each : best),
    first,
  );
  let from = sentences.findIndex(({ end }) => end > (span?.start ?? covering.start));
  let to = sentences.findLastIndex(({ start }) => start < (span?.end ?? covering.end));
  if (from < 0 || to < from) from = to = sentences.indexOf(covering);
  const length = (one: number, other: number): number => (sentences[other]?.end ?? 0) - (sentences[one]?.start ?? 0);
  if (from > 0 && length(from - 1, to) <= thresholds.sentence) from--;
  if (to + 1 < sentences.length && length(from, to + 1) <= thresholds.sentence) to++;
  return quoteFrom(hit.text, { from: sentences[from] ?? first, to: sentences[to] ?? last, terms });
}
