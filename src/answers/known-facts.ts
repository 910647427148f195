import { contentTerms } from '../language/query-terms.js';
import type { Fact } from '../model/fact.js';
import type { Steps } from '../model/steps.js';
import { type Evidence, mayBeOutdated, newerFrom, type Standing } from './evidence.js';
import type { FactAnswer } from './fact-answer.js';
import type { Question } from './question.js';
import type { ReadHit } from './quote.js';
import { takesBack } from './taking-back.js';

/*
 * A fact that answers, beside the messages that were read: whether they confirm or contradict it.
 */

export interface KnownFacts {
  answer: FactAnswer;
  /**
   * Whether the hits that were read confirm the fact, something newer contradicts it, or neither. It is `denied` where
   * the newer message names its value and says something else, and `contested` where the reading model alone thinks so.
   */
  stance: 'agrees' | 'denied' | 'contested' | 'alone';
  /** The evidence that states the current value. */
  stating: ReadonlySet<Evidence>;
  /** A newer message that does not state the same may be about it. */
  mayBeOutdated: boolean;
}

/** Whether something newer speaks against the fact. */
export function isOpposed(stance: KnownFacts['stance'] | undefined): boolean {
  return stance === 'denied' || stance === 'contested';
}

/** Evidence for the current value is quoted before earlier states. */
export function statingFirst(shown: readonly Standing[], { stating }: KnownFacts): Standing[] {
  return shown.toSorted((one, other) => Number(stating.has(other)) - Number(stating.has(one)));
}

/** A fact never answers alone: newer messages about the same thing take precedence. */
export function* comparingFacts(
  ordered: readonly Standing[],
  { answer, question }: { answer: FactAnswer | undefined; question: Question },
): Steps<KnownFacts | undefined> {
  if (answer === undefined) return undefined;
  const best = ordered[0]?.standing ?? 0;
  const telling = ordered.filter(({ standing }, place) => place === 0 || standing >= Math.max(0.15, best * 0.5));
  const values = [...answer.facts, ...answer.history].map(({ object_raw }) => object_raw.toLowerCase());
  const current = answer.facts.map(({ object_raw }) => object_raw.toLowerCase());
  const texts = new Map<Evidence, string>();
  for (const each of ordered) {
    texts.set(each, each.passage.hit.text.toLowerCase());
    yield;
  }
  const says = (each: Evidence, some: readonly string[]): boolean =>
    some.some((value) => holds(texts.get(each) ?? '', value));
  const newest = newestOf(answer.facts);
  const isNewer = ({ passage }: Evidence): boolean => newest !== undefined && passage.hit.at > newest;
  const hasOneValue = !question.isList && question.kind !== 'yes_no' && current.length === 1;
  const denies = (each: Evidence): boolean =>
    current.some((value) => takesBack(each.passage.quote.text, value)) ||
    (hasOneValue && says(each, wordsOf(current[0] ?? '')) && namesOther(each.read, current[0] ?? ''));
  const denying = new Set<Evidence>(ordered.filter((each) => isNewer(each) && denies(each)));
  const states = (each: Evidence): boolean =>
    says(each, current) || current.some((value) => answersWith(each.read, value));
  const stating = new Set<Evidence>(ordered.filter((each) => !denying.has(each) && states(each)));
  const newer = telling.filter(
    (each) => denying.has(each) || (isNewer(each) && each.probability >= likelyNewer && !stating.has(each)),
  );
  if (newer.length > 0) {
    const stance = newer.some((each) => denying.has(each)) ? 'denied' : 'contested';
    return { answer, stance, stating, mayBeOutdated: true };
  }
  // A newer message that states the fact is no reason to doubt it, even if an older message was ranked above it.
  const unsaid = ordered.filter((each, place) => place === 0 || !stating.has(each));
  return {
    answer,
    stating,
    stance: telling.some((each) => stating.has(each) || says(each, values)) ? 'agrees' : 'alone',
    mayBeOutdated:
      (!question.asksPast &&
        ordered.some((each) => isNewer(each) && each.probability >= newerFrom && !stating.has(each))) ||
      (mayBeOutdated(ordered, question) && mayBeOutdated(unsaid, question)),
  };
}

/** Whether a text contains a part without cutting a number: 1,450 contains neither 450 nor 1. */
function holds(text: string, part: string): boolean {
  if (part === '') return false;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    const end = at + part.length;
    const beginsInNumber = /\d[.,]?\d$/.test(text.slice(Math.max(0, at - 2), at + 1));
    const endsInNumber = /^\d[.,]?\d/.test(text.slice(end - 1, end + 2));
    if (!beginsInNumber && !endsInNumber) return true;
  }
  return false;
}

/** The value and its longer words: "dropped the pixel in the lake" names "a Pixel 8 for xmas". */
function wordsOf(value: string): string[] {
  // Terms with ~ are stems.
  return [value, ...contentTerms(value).filter((term) => term.length >= 4 && !term.startsWith('~'))];
}

/** "Still library mon-fri" states "the library" again. */
function answersWith({ hit, span }: ReadHit, value: string): boolean {
  if (span === undefined || span.score <= 0) return false;
  const said = hit.text.slice(span.start, span.end).trim().toLowerCase();
  return said.length > 1 && holds(value, said);
}

/**
 * "Jacked in Halfords. I've got a start with the tram depot" mentions Halfords, but what answers is the depot: it is no
 * evidence that the user still works for Halfords, even if the tagger did not see that this ended.
 */
function namesOther({ hit, span }: ReadHit, value: string): boolean {
  if (span === undefined || span.score < clearFrom) return false;
  const said = hit.text.slice(span.start, span.end).toLowerCase();
  return !holds(said, value) && !holds(value, said);
}

/** From this logit on, the words that answer are clear. */
const clearFrom = 2;

/** From this probability on, a newer message about the same thing overrides a fact; below it, the fact is only doubted. */
const likelyNewer = 0.45;

function newestOf(facts: readonly Fact[]): string | undefined {
  return facts
    .map(({ stated_at }) => stated_at)
    .sort()
    .at(-1);
}
