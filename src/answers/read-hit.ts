import type { Hit } from '../model/hit.js';
import { sentencesIn } from './quote.js';

/** A hit with its neighbours and the reading model's outputs. */
export interface ReadHit {
  hit: Hit;
  before?: Hit;
  after?: Hit;
  /** The logit of "this message answers the question". */
  relevance: number;
  /** The logit of "it answers yes". */
  polarity: number;
  /** The words of the hit that answer best, and by how much they beat "no answer". */
  span?: { start: number; end: number; score: number };
}

/** A part of a hit that is read at once: about as much as fits into the model beside a question. */
export interface Excerpt {
  start: number;
  text: string;
}

const longestExcerpt = 400;
const mostExcerpts = 2;

/** A short message whole; of a long one, the parts that cover most of the question, in their order. */
export function excerptsOf(hit: Pick<Hit, 'text' | 'speaker'>, coverageOf: (text: string) => number): Excerpt[] {
  const { text } = hit;
  if (text.length <= longestExcerpt) return [{ start: 0, text }];
  const parts: Excerpt[] = [];
  for (const { start, end } of sentencesIn(hit)) {
    const last = parts.at(-1);
    if (last !== undefined && end - last.start <= longestExcerpt) last.text = text.slice(last.start, end);
    else parts.push({ start, text: text.slice(start, Math.min(end, start + longestExcerpt)) });
  }
  return parts
    .map((part, place) => ({ part, place, share: coverageOf(part.text) }))
    .sort((one, other) => other.share - one.share || one.place - other.place)
    .slice(0, mostExcerpts)
    .sort((one, other) => one.place - other.place)
    .map(({ part }) => part);
}
