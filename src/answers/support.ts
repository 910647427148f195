import { distinctTerms } from '../language/terms.js';
import { longestRead, mentionsTime } from '../language/time/time-intent.js';
import type { Fact } from '../model/fact.js';
import type { Hit } from '../model/hit.js';
import { finished, type Steps } from '../model/steps.js';
import { timesNamed } from './dates.js';
import type { Question, WeightedTerm } from './question.js';

/** How strongly a hit supports an answer, 0 to 1, and the components of that score. */
export interface Support {
  value: number;
  /** The weighted share of the question's words in the hit and the turn before it. */
  coverage: number;
  /** How far the hit's similarity exceeds that of the other candidates, 0 to 1; absent without a trusted model. */
  closeness?: number;
  /** The question names a time, and the hit was neither sent then nor names that time. */
  missesTime: boolean;
}

/** What a text has of the question's words. */
interface Share {
  coverage: number;
  missesTime: boolean;
}

interface SupportInput {
  question: Pick<Question, 'times' | 'isAnyTime'>;
  terms: readonly WeightedTerm[];
  /** Similarities of all candidates. */
  similarities: readonly number[];
  trust: number;
  /** How well a time fits those in the question: a message sent in October need not mention October. */
  timeFit: (at: string) => number;
}

export interface SupportRules {
  coverageOf(text: string): number;
  /** The same in steps: a sentence may be as long as its message. */
  covering(text: string): Steps<number>;
  /** The same rules for a message sent at the given time, which is needed to resolve words such as "yesterday". */
  saidAt(at: string): SupportRules;
  /** Includes the turn before; with `isReply`, the hit answers that turn, so the turn's similarity counts too. */
  supportOf(hit: Hit, before: Hit | undefined, options?: { isReply: boolean }): Support;
  /** The same in steps, for texts that may be long. */
  supporting(hit: Hit, before: Hit | undefined, options?: { isReply: boolean }): Steps<Support>;
}

/**
 * Words and similarity count equally. Similarity is measured against the other candidates of the same question, because
 * the similarity of unrelated texts differs between models. Without a trusted model only the words count.
 */
export function supportRules(input: SupportInput): SupportRules {
  const { terms, similarities, trust, timeFit } = input;
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const isTimeMet = timeRule(input);
  const sharing = function* (texts: readonly string[], said: Pick<Timed, 'at' | 'isSaidThen'>): Steps<Share> {
    if (total === 0) return { coverage: 0, missesTime: false };
    const found = new Set<string>();
    for (const text of texts) for (const term of yield* distinctTerms(text)) found.add(term);
    let met = 0;
    let missesTime = false;
    for (const { term, forms, isTime, weight } of terms) {
      const isThere = found.has(term);
      // "bought" matches "buy".
      const isMet = isTime
        ? yield* isTimeMet({ texts, ...said, isThere })
        : isThere || forms?.others.some((other) => found.has(other));
      if (isMet) met += weight;
      else if (isTime) missesTime = true;
    }
    return { coverage: met / total, missesTime };
  };
  const background = backgroundOf(similarities);
  const rulesAt = (at: string | undefined): SupportRules => ({
    // All sentences of a turn have the same time, so it cannot distinguish between them.
    coverageOf: (text) => finished(sharing([text], { at, isSaidThen: false })).coverage,
    *covering(text) {
      return (yield* sharing([text], { at, isSaidThen: false })).coverage;
    },
    saidAt: rulesAt,
    supportOf: (...given) => finished(supporting(...given)),
    supporting,
  });
  return rulesAt(undefined);

  function* supporting(...[hit, before, options]: Parameters<SupportRules['supporting']>): Steps<Support> {
    const { isReply } = options ?? { isReply: false };
    const said = { at: hit.at, isSaidThen: timeFit(hit.at) > 0.5 };
    const share = yield* sharing(before === undefined ? [hit.text] : [hit.text, before.text], said);
    // Without content words there is no support, however similar the texts are.
    if (total === 0) return { value: 0, ...share };
    const { coverage } = share;
    if (hit.similarity === undefined || trust < trusted) return { value: coverage, ...share };
    const similarity = Math.max(hit.similarity, isReply ? (before?.similarity ?? 0) : 0);
    const closeness = clamp((stretch * (similarity - background)) / (1 - background));
    return { value: (coverage + closeness) / 2, ...share, closeness };
  }
}

interface Timed {
  texts: readonly string[];
  at: string | undefined;
  isSaidThen: boolean;
  /** The word itself occurs in the text. */
  isThere: boolean;
}

/**
 * A time in the question is matched by a message sent then or by one that names that time. The word alone does not
 * match, because "last week" depends on when it was said. Where the question may mean any Friday, the word is enough.
 */
function timeRule({ question }: SupportInput): (timed: Timed) => Steps<boolean> {
  const known = new Map<string, boolean>();
  const naming = function* (whole: string, at: string): Steps<boolean> {
    const text = whole.slice(0, longestRead);
    const key = `${at} ${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let isNamed = false;
    for (let start = 0; start < text.length && !isNamed; start += readAtOnce) {
      yield;
      const part = text.slice(Math.max(0, start - longestPhrase), start + readAtOnce);
      isNamed = mentionsTime(part) && timesNamed(part, at).some((time) => liesIn(time, question.times));
    }
    known.set(key, isNamed);
    return isNamed;
  };
  return function* ({ texts, at, isThere, isSaidThen }) {
    if (at === undefined || (isThere && question.isAnyTime)) return isThere;
    if (isSaidThen) return true;
    for (const text of texts) if (yield* naming(text, at)) return true;
    return false;
  };
}

/** Characters read for times in one step: a thousand characters of dates take as long as a turn may. */
const readAtOnce = 200;

/** No phrase for a time is longer, so none is missed between two parts. */
const longestPhrase = 80;

/** Whether at least half of a named time lies within the times asked about: "in 2026" does not name July. */
function liesIn(named: { from: string; to: string }, times: Question['times']): boolean {
  const [first, last] = [Date.parse(named.from), Date.parse(named.to) + dayLength];
  return times.some(({ from, to }) => {
    const shared = Math.min(last, Date.parse(to)) - Math.max(first, Date.parse(from));
    return shared >= (last - first) / 2 - 1;
  });
}

const dayLength = 86_400_000;

/** The hash embedder finds random texts similar; only a trained model's similarity reflects meaning. */
const trusted = 0.5;

/** Related texts are rarely closer than two thirds of the way from the background to identity. */
const stretch = 1.5;

function backgroundOf(similarities: readonly number[]): number {
  if (similarities.length < thresholds.background) return thresholds.unrelated;
  const sorted = [...similarities].sort((one, other) => one - other);
  return Math.min(0.95, sorted[Math.floor(sorted.length / 2)] ?? thresholds.unrelated);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Words of a hit whose statement no longer holds. */
export interface Superseded {
  words: string;
  fact: Fact;
  /** The current fact that replaced it; absent when it only ended. */
  successor?: Fact;
}

/**
 * The outdated statements of a quote that the question is about. A sentence may state several things, so this depends
 * on where the words of the question occur: within the outdated statement or in the rest.
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

/**
 * The thresholds for answers. Round numbers, chosen by their meaning and checked on two labelled suites, never tuned to
 * single questions; docs/ask.md shows the results.
 */
export const thresholds = {
  /** Below this, the answer is "not found". Any two texts of one store share about a fifth of a question. */
  found: 0.2,
  /**
   * Minimum closeness of a passage that contains none of the question's words: similarity alone also finds unrelated
   * text.
   */
  wordless: 0.6,
  /** From here on an answer is more likely right than not. */
  medium: 0.4,
  /** Most of the question's words in one turn, or a turn the model finds far closer than the rest. */
  high: 0.65,
  /** A second or third passage joins the answer when it is nearly as relevant as the first. */
  contender: 0.7,
  /** Beside a confident first passage, a second one must be closer. */
  sureContender: 0.85,
  /** A question for a list needs more passages, so the bar is lower. */
  listContender: 0.6,
  /** Minimum coverage of a reply; below it, the reply is shown with the turn it answers. */
  selfContained: 0.3,
  /** With fewer candidates than this, there is no background to compare with. */
  background: 8,
  /** The assumed similarity of two unrelated texts, where the store is too small to measure it. */
  unrelated: 0.15,
  /** Characters on either side of a quote that count as its surroundings. */
  beside: 200,
  /** The maximum number of passages in an answer. */
  passages: 3,
  /** Maximum characters of a quoted sentence; longer ones are cut around the question's words. */
  sentence: 320,
} as const;
