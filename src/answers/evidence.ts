import type { Passage } from './passages.js';
import type { Question } from './question.js';
import type { ReadHit } from './quote.js';
import { takesBack } from './taking-back.js';

/*
 * The messages that were read, as evidence: which of them states what was asked, given when each was written.
 */

/** A hit that was read, as evidence for an answer. */
export interface Evidence {
  read: ReadHit;
  passage: Passage;
  features: HitFeatures;
  probability: number;
  /** The words that would answer name something that, according to the message itself, has ended. */
  isOver: boolean;
}

export interface HitFeatures {
  reader: number;
  span: number;
  rank: number;
  search: number;
  user: number;
  asks: number;
  missing: number;
  unmentioned: number;
  /** The user's words, where the question asks for the assistant's. */
  reply: number;
  coverage: number;
}

/**
 * Evidence by the probability that it states what was asked. A message states the current state if it answers and
 * nothing newer does, the former one if exactly one newer message answers, and that of a past time if it was sent then
 * or names that time. Each probability is that of one message.
 */
export function orderOf(evidence: readonly Evidence[], question: Question): Standing[] {
  const standing = evidence.map((each) => ({
    ...each,
    standing: each.probability * shareOf(each, evidence, question) * (each.isOver ? endedShare : 1),
  }));
  return takenBack(standing, question).sort(
    (one, other) => other.standing - one.standing || other.probability - one.probability,
  );
}

/**
 * A message that takes a value back ("it's the 19th, not the 16th") ranks at least as high as the message of that value,
 * which counts for little from then on.
 */
function takenBack(evidence: readonly Standing[], { asksPast, pastTimes }: Question): Standing[] {
  if (asksPast || pastTimes.length > 0) return [...evidence];
  const standing = new Map(evidence.map((each) => [each, each.standing]));
  for (const each of evidence) {
    const { span, hit } = each.read;
    if (span === undefined) continue;
    const value = hit.text.slice(span.start, span.end);
    const newer = evidence.find(
      ({ read, passage }) => read.hit.role === 'user' && read.hit.at > hit.at && takesBack(passage.quote.text, value),
    );
    if (newer === undefined) continue;
    standing.set(newer, Math.max(standing.get(newer) ?? 0, each.standing));
    standing.set(each, each.standing * takenBackShare);
  }
  return evidence.map((each) => ({ ...each, standing: standing.get(each) ?? each.standing }));
}

const takenBackShare = 0.1;

const endedShare = 0.1;

/** Evidence with the probability that it states what was asked, given all other evidence. */
export type Standing = Evidence & { standing: number };

function shareOf(each: Evidence, evidence: readonly Evidence[], question: Question): number {
  if (question.pastTimes.length > 0) return shareThen(each, evidence, question);
  const newer = evidence.filter(({ read }) => read.hit.at > each.read.hit.at).map(({ probability }) => probability);
  const none = noneOf(newer);
  if (question.asksPast) {
    const one = newer.reduce((sum, probability) => sum + probability / (1 - probability + 1e-6), 0) * none;
    // If only one message answers at all, it may describe the past by itself.
    return Math.min(1, one + aloneShare * none);
  }
  if (question.asksPresent) return none ** recency;
  return question.kind === 'when' ? none : 1;
}

/**
 * "What car did I have in 2022?": what was said in 2022, or names that year, counts whole; what was said soon after the
 * year fits it too, but less. What was said before may have been so still, unless a message between it and the end of
 * 2022 answers too. What was said later is least likely to be about 2022.
 */
function shareThen(each: Evidence, evidence: readonly Evidence[], { pastTimes }: Question): number {
  const end = pastTimes.map(({ to }) => to).reduce((one, other) => (one > other ? one : other));
  const { at } = each.read.hit;
  if (!each.passage.support.missesTime) return at > end ? afterwardsShare : 1;
  if (at > end) return laterShare;
  const since = evidence.filter(({ read }) => read.hit.at > at && read.hit.at <= end);
  return earlierShare * noneOf(since.map(({ probability }) => probability));
}

const afterwardsShare = 0.8;
const earlierShare = 0.6;
const laterShare = 0.1;

function noneOf(probabilities: readonly number[]): number {
  return probabilities.reduce((product, probability) => product * (1 - probability), 1);
}

/**
 * The reader does not see when a message was written, and finds the old value and the new one about equally likely. On
 * histories that were kept apart, squaring finds .61 of the changed values instead of .57, and hardly loses others.
 */
const recency = 2;

const aloneShare = 0.1;

/**
 * Whether something newer may be about the same thing: the likeliest message besides the best one is newer, or any
 * newer one is likely by itself. Every confident but outdated answer of the development sets had such a message.
 * Among dozens of messages, some newer one nearly always has a small probability, which means nothing.
 */
export function mayBeOutdated(ordered: readonly Standing[], { asksPast }: Question): boolean {
  const [best] = ordered;
  if (best === undefined || asksPast) return false;
  const [first, second] = ordered.toSorted((one, other) => other.probability - one.probability);
  const rival = first === best ? second : first;
  const isNewer = rival !== undefined && rival.read.hit.at > best.read.hit.at;
  return (isNewer && rival.probability >= rivalFrom) || likeliestNewer(best, ordered) >= newerFrom;
}

const rivalFrom = 0.07;
export const newerFrom = 0.25;

export function likeliestNewer(best: Evidence, evidence: readonly Evidence[]): number {
  const newer = evidence.filter(({ read }) => read.hit.at > best.read.hit.at).map(({ probability }) => probability);
  return Math.max(0, ...newer);
}
