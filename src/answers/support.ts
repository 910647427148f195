import { indexTerms } from '../language/terms.js';
import { mentionsTime } from '../language/time/time-intent.js';
import type { Fact } from '../model/fact.js';
import { timesNamed } from './dates.js';
import type { Hit, WeightedTerm } from './hit.js';
import type { Question } from './question.js';
import { thresholds } from './thresholds.js';

/** How far a hit bears out an answer, 0 to 1, and what that is made of. */
export interface Support {
  value: number;
  /** The share of the question's words, by how much they tell, in the hit and the turn before it. */
  coverage: number;
  /** How far the hit stands out from the other candidates by its similarity, 0 to 1; absent without a model to trust. */
  closeness?: number;
}

interface SupportInput {
  question: Pick<Question, 'times' | 'isAnyTime'>;
  terms: readonly WeightedTerm[];
  /** Similarities of everything that was found. */
  similarities: readonly number[];
  trust: number;
  /** How well a time fits those the question names: what was said in October needs not say October. */
  timeFit: (at: string) => number;
}

export interface SupportRules {
  coverageOf(text: string): number;
  /** The same rules for what was said at that time: only then is it known what "yesterday" in it means. */
  saidAt(at: string): SupportRules;
  /** With the turn before it; `isReply` when the hit answers that turn, so that what it is close to counts too. */
  supportOf(hit: Hit, before: Hit | undefined, options?: { isReply: boolean }): Support;
}

/**
 * Words and similarity count alike. Similarity is measured against the other candidates of the same question, because
 * what a model calls unrelated differs from model to model; a model that is not trusted leaves the words alone.
 */
export function supportRules(input: SupportInput): SupportRules {
  const { terms, similarities, trust, timeFit } = input;
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const isTimeMet = timeRule(input);
  const shareOf = (texts: readonly string[], said: Pick<Timed, 'at' | 'isSaidThen'>): number => {
    if (total === 0) return 0;
    const found = new Set(texts.flatMap((text) => indexTerms(text)));
    const met = terms.filter(({ term, forms, isTime }) => {
      if (isTime) return isTimeMet({ texts, ...said, isThere: found.has(term) });
      // Who bought something did buy it.
      return found.has(term) || forms?.others.some((other) => found.has(other));
    });
    return met.reduce((sum, { weight }) => sum + weight, 0) / total;
  };
  const background = backgroundOf(similarities);
  const rulesAt = (at: string | undefined): SupportRules => ({
    // Of one turn every sentence was said then: that tells none from the others.
    coverageOf: (text) => shareOf([text], { at, isSaidThen: false }),
    saidAt: rulesAt,
    supportOf(hit, before, { isReply } = { isReply: false }) {
      const said = { at: hit.at, isSaidThen: timeFit(hit.at) > 0.5 };
      const coverage = shareOf(before === undefined ? [hit.text] : [hit.text, before.text], said);
      // Nothing to look for is nothing found, however close.
      if (total === 0) return { value: 0, coverage };
      if (hit.similarity === undefined || trust < trusted) return { value: coverage, coverage };
      const similarity = Math.max(hit.similarity, isReply ? (before?.similarity ?? 0) : 0);
      const closeness = clamp((stretch * (similarity - background)) / (1 - background));
      return { value: (coverage + closeness) / 2, coverage, closeness };
    },
  });
  return rulesAt(undefined);
}

interface Timed {
  texts: readonly string[];
  at: string | undefined;
  isSaidThen: boolean;
  /** The word itself stands there. */
  isThere: boolean;
}

/**
 * A time is met by what was said then, and by what names that time; the word alone says nothing, as "last week" was another
 * week whenever it was said. Where the question may mean any Friday, the word has to do.
 */
function timeRule({ question }: SupportInput): (timed: Timed) => boolean {
  const known = new Map<string, boolean>();
  const names = (text: string, at: string): boolean => {
    const key = `${at} ${text}`;
    const isNamed =
      known.get(key) ?? (mentionsTime(text) && timesNamed(text, at).some((time) => liesIn(time, question.times)));
    known.set(key, isNamed);
    return isNamed;
  };
  return ({ texts, at, isThere, isSaidThen }) => {
    if (at === undefined || (isThere && question.isAnyTime)) return isThere;
    return isSaidThen || texts.some((text) => names(text, at));
  };
}

/** At least half of it: "in 2026" does not name July. */
function liesIn(named: { from: string; to: string }, times: Question['times']): boolean {
  const [first, last] = [Date.parse(named.from), Date.parse(named.to) + dayLength];
  return times.some(({ from, to }) => {
    const shared = Math.min(last, Date.parse(to)) - Math.max(first, Date.parse(from));
    return shared >= (last - first) / 2 - 1;
  });
}

const dayLength = 86_400_000;

/** A hash calls random texts similar; only a trained model's similarity says something about meaning. */
const trusted = 0.5;

/** Two texts about the same thing are rarely closer than two thirds of the way from the background to equality. */
const stretch = 1.5;

function backgroundOf(similarities: readonly number[]): number {
  if (similarities.length < thresholds.background) return thresholds.unrelated;
  const sorted = [...similarities].sort((one, other) => one - other);
  return Math.min(0.95, sorted[Math.floor(sorted.length / 2)] ?? thresholds.unrelated);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Words of a hit that state what is no longer so. */
export interface Superseded {
  words: string;
  fact: Fact;
  /** What took its place and stands; absent when it only ended. */
  successor?: Fact;
}

/**
 * What is no longer so of a quote, as far as the question is about it. A sentence may say more than one thing, so what
 * counts is where the words of the question stand: within what is over, or in the rest.
 */
export function overIn(quote: string, superseded: readonly Superseded[], rules: SupportRules): Superseded[] {
  const there = superseded.filter(({ words }) => words !== '' && quote.includes(words));
  if (there.length === 0) return [];
  const whole = rules.coverageOf(quote);
  const rest = without(quote, there);
  if (/[\p{L}\p{N}]/u.test(rest) && rules.coverageOf(rest) >= whole / 2) return [];
  const asked = there.filter((each) => rules.coverageOf(without(quote, [each])) < whole);
  return asked.length > 0 ? asked : there;
}

function without(quote: string, superseded: readonly Superseded[]): string {
  return superseded.reduce((rest, { words }) => rest.replaceAll(words, ' '), quote);
}
