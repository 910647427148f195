import { languageOf } from '../language/languages.js';
import type { Hit } from '../model/hit.js';
import type { Steps } from '../model/steps.js';
import { type Answer, type AnswerInput, withinBudget } from './answer.js';
import { composeRead, type Line } from './compose-read.js';
import type { ConfidenceLabel } from './confidence.js';
import { timesNamed } from './dates.js';
import { type Evidence, type HitFeatures, likeliestNewer, mayBeOutdated, orderOf, type Standing } from './evidence.js';
import { comparingFacts, isOpposed, type KnownFacts, statingFirst } from './known-facts.js';
import { isAboutNamed, type Passage, saidWith, unmentionedIn } from './passages.js';
import { holdsAnswer, type Question } from './question.js';
import { isAsking, quotingAround, type ReadHit } from './quote.js';
import { overIn, type SupportRules, supportRules } from './support.js';
import { takesBack } from './taking-back.js';

/*
 * Answers from the reading model's outputs for the hits. Two logistic regressions turn its scores into probabilities:
 * that a message answers, and that the whole answer is right. Their weights are in models/answers.json, with the sets
 * they were fitted on; everything else here is order and composition.
 */

export interface ReadingWeights {
  /** A message answers the question. */
  hit: Record<keyof HitFeatures | 'bias', number>;
  /** The answer as a whole is right. */
  answer: Record<keyof AnswerFeatures | 'bias', number>;
}

export interface AnswerFeatures {
  reader: number;
  span: number;
  unmentioned: number;
  agrees: number;
  contested: number;
  /** How likely the likeliest newer message answers too. */
  newer: number;
  several: number;
}

export type ReadAnswerInput = AnswerInput & {
  reads: readonly ReadHit[];
  weights: ReadingWeights;
  /** How many hits did not fit the token budget. */
  dropped?: number;
  /** Whether a hit is known to state the requested kind of fact about another person than the user. */
  isOfOther?: (hit: Hit) => boolean;
  /** The values that a hit is known to say have ended. */
  endedIn?: (hit: Hit) => readonly string[];
};

/** The probabilities from which on an answer has each label; `docs/ask.md` shows how often each is right. */
const sureFrom = { high: 0.88, medium: 0.77, low: 0.2 } as const;

/** From this probability on, an answer that is not sure begins with its best guess. */
const guessFrom = 0.65;

/** In steps: a hit may have a megabyte. */
export function* answeringByReading(input: ReadAnswerInput): Steps<Answer> {
  const { question, weights } = input;
  const evidence = yield* gatheringEvidence(input);
  const ordered = orderOf(evidence, question);
  const known = yield* comparingFacts(ordered, { answer: withinBudget(input.facts, input.budget), question });
  const features = answerFeatures(ordered, known, input);
  const score = logistic(weights.answer, features);
  const allUnknown = input.unknownNames.length > 0 && input.unknownNames.length === question.names.length;
  const isOfOther = ordered[0] !== undefined && input.isOfOther?.(ordered[0].read.hit) === true;
  const isOpen =
    isOfOther ||
    mayBeOutdated(ordered, question) ||
    isOfOtherTime(ordered) ||
    rejectsItself(ordered, question) ||
    ordered[0]?.isOver === true;
  // What is known as a fact is not outweighed by what only the model takes for a newer answer: that is a guess at most.
  const isContested = known?.stance === 'contested' && !question.asksPast;
  const label = noSurer(labelOf(score), isOpen || isContested);
  const read = allUnknown || evidence.length === 0 ? 'none' : leastOf(label, evidence);
  const confidence = surer(read, known === undefined ? 'none' : factLabel(known));
  const worthShowing = (evidence[0]?.probability ?? 0) * shownShare;
  const states = known !== undefined && !isOpposed(known.stance) && confidence !== 'none';
  const shown = ordered.filter(({ probability }) => probability >= worthShowing);
  const isGuess = score >= guessFrom && !isOpen;
  const isUnclear = confidence === 'low' && !states && !isGuess;
  const sorted =
    states && !question.asksPast ? statingFirst(shown, known) : isUnclear ? newestFirst(shown, question) : shown;
  const chosen = sorted.slice(0, mostLines(question, confidence));
  const lines = chosen.map((each): Line => ({ ...each, isHistory: each.passage.over.length > 0 }));
  const text = composeRead({
    question,
    lines,
    confidence,
    isGuess,
    ...(states ? { stated: known.answer.text } : {}),
    ...(isContested && known.answer.formerly !== undefined ? { earlier: known.answer.formerly } : {}),
  });
  const passages = chosen.map(({ passage }) => passage);
  const hits = withQuoted(input.hits, passages);
  const lead = chosen[0]?.passage;
  const base = {
    hits,
    dropped: input.dropped ?? 0,
    score: scoreWithin(confidence, score),
    features: { ...features },
    read: ordered.map(({ read: { hit }, probability, features }) => ({ hit, probability, features: { ...features } })),
    text,
    ...(lead === undefined ? {} : { support: lead.support }),
  };
  if (confidence === 'none') {
    const reason = allUnknown
      ? `Nothing in memory mentions ${input.unknownNames.map((name) => `“${name}”`).join(' and ')}.`
      : 'Nothing that was read answers the question.';
    return { ...base, basis: 'not_found', confidence, reason, passages: [] };
  }
  if (states) {
    const { answer } = known;
    const isConflict = answer.basis === 'conflict';
    return {
      ...base,
      ...(isConflict ? { score: scoreWithin('low', score) } : {}),
      basis: isConflict ? 'conflict' : answer.wantsContext && passages.length > 0 ? 'mixed' : 'fact_layer',
      confidence: isConflict ? 'low' : confidence,
      reason: isConflict ? answer.reason : reasonOf(confidence, known.stance),
      passages,
      facts: answer,
    };
  }
  return { ...base, basis: 'direct_memory', confidence, reason: reasonOf(confidence, known?.stance), passages };
}

/** The hits that are shown, including later ones that are quoted. */
function withQuoted(hits: readonly Hit[], passages: readonly Passage[]): Hit[] {
  const shown = new Set(hits.map(({ chunkId }) => chunkId));
  return [...hits, ...passages.map(({ hit }) => hit).filter(({ chunkId }) => !shown.has(chunkId))];
}

/** Every hit that was read, most likely to answer first. */
export function* gatheringEvidence(input: ReadAnswerInput): Steps<Evidence[]> {
  const rules = supportRules(input);
  const evidence: Evidence[] = [];
  for (const [rank, read] of input.reads.entries()) {
    const passage = yield* findingPassage(read, input, rules);
    yield;
    const features = hitFeatures(read, passage, { rank, input });
    const isOver = saysItEnded(read, input.endedIn?.(read.hit) ?? []);
    evidence.push({ read, passage, features, probability: logistic(input.weights.hit, features), isOver });
    yield;
  }
  return evidence.sort((one, other) => other.probability - one.probability);
}

/** "The corolla is sold": what the model took for the answer is what the message says has ended. */
function saysItEnded({ hit, span }: ReadHit, ended: readonly string[]): boolean {
  if (span === undefined || ended.length === 0) return false;
  const said = hit.text.slice(span.start, span.end).toLowerCase();
  return ended.map((value) => value.toLowerCase()).some((value) => said.includes(value) || value.includes(said));
}

function* findingPassage(read: ReadHit, input: ReadAnswerInput, rules: SupportRules): Steps<Passage> {
  const { hit, before, span } = read;
  const { question, terms } = input;
  const quote = yield* quotingAround(hit, span, { covering: rules.covering, terms });
  yield;
  const said = { ...hit, text: saidWith(hit.text, quote) };
  // A reply refers to the end of the message before it.
  const replied = before && {
    ...before,
    text: saidWith(before.text, { start: before.text.length, end: before.text.length }),
  };
  return {
    hit,
    quote,
    support: yield* rules.saidAt(hit.at).supporting(said, replied),
    holdsKind: holdsAnswer(question.kind, quote.text),
    over: overIn(quote.text, input.superseded(hit), rules),
    times: question.kind === 'when' ? timesNamed(quote.text, hit.at, languageOf(question.text)) : [],
  };
}

function hitFeatures(
  { hit, relevance, span }: ReadHit,
  passage: Passage,
  { rank, input }: { rank: number; input: ReadAnswerInput },
): HitFeatures {
  const isNamed =
    isAboutNamed(hit, input) ?? unmentionedIn(passage, { ...input, aboutNamed: () => undefined }).length === 0;
  return {
    reader: clamp(relevance, 8),
    span: clamp(span === undefined ? -12 : span.score, 12) / 4,
    rank: Math.log(1 + rank),
    search: hit.relevance,
    user: hit.role === 'user' ? 1 : 0,
    // A user's question may state something; a question by the assistant states nothing.
    asks: hit.role === 'user' && isAsking(passage.quote.text) ? 1 : 0,
    missing: passage.holdsKind === false ? 1 : 0,
    unmentioned: isNamed ? 0 : 1,
    reply: input.asksReply && hit.role === 'user' ? 1 : 0,
    coverage: passage.support.coverage,
  };
}

/**
 * Where no message clearly answers, those about as likely as the best one are quoted newest first: of "due on 15
 * November" and "got an extension, 10 January", the reader cannot tell which one holds, but the newer one does.
 */
function newestFirst(shown: readonly Standing[], { asksEvent }: Question): readonly Standing[] {
  if (asksEvent) return shown;
  const likely = (shown[0]?.probability ?? 0) * aboutAsLikely;
  const at = ({ read }: Standing): string => read.hit.at;
  return shown.toSorted(
    (one, other) =>
      Number(other.probability >= likely) - Number(one.probability >= likely) ||
      (one.probability >= likely ? at(other).localeCompare(at(one)) : 0),
  );
}

const aboutAsLikely = 0.3;

const labels = ['none', 'low', 'medium', 'high'] as const;

function surer(one: ConfidenceLabel, other: ConfidenceLabel): ConfidenceLabel {
  return labels.indexOf(one) >= labels.indexOf(other) ? one : other;
}

/**
 * The confidence of a fact given what was read: its own if a message that states it was found, one step less if none
 * was, and only a hint if something newer may be about the same thing.
 */
function factLabel({ answer, stance, mayBeOutdated }: KnownFacts): ConfidenceLabel {
  if (isOpposed(stance)) return 'none';
  if (mayBeOutdated) return 'low';
  const place = labels.indexOf(answer.confidence) - (stance === 'alone' ? 1 : 0);
  return labels[Math.max(0, place)] ?? 'none';
}

export function answerFeatures(
  ordered: readonly Standing[],
  known: KnownFacts | undefined,
  { question }: Pick<ReadAnswerInput, 'question'>,
): AnswerFeatures {
  const [first] = ordered;
  return {
    reader: first?.features.reader ?? -8,
    span: first?.features.span ?? -3,
    unmentioned: first?.features.unmentioned ?? 0,
    agrees: known?.stance === 'agrees' ? 1 : 0,
    contested: isOpposed(known?.stance) ? 1 : 0,
    newer: first === undefined || question.asksPast ? 0 : likeliestNewer(first, ordered),
    several: question.isList || question.kind === 'how_many' || question.kind === 'yes_no' ? 1 : 0,
  };
}

/** A message less likely than this share of the best one is not even shown as a mention. */
const shownShare = 0.12;

function mostLines({ isList }: Question, confidence: ConfidenceLabel): number {
  if (isList) return 6;
  return confidence === 'high' ? 2 : confidence === 'medium' ? 3 : 5;
}

function labelOf(score: number): ConfidenceLabel {
  if (score >= sureFrom.high) return 'high';
  if (score >= sureFrom.medium) return 'medium';
  return score >= sureFrom.low ? 'low' : 'none';
}

/** If a fact or a doubt changed the label, the score is the nearest one within that label. */
function scoreWithin(label: ConfidenceLabel, score: number): number {
  const from = label === 'none' ? 0 : sureFrom[label];
  const above = labels[labels.indexOf(label) + 1];
  const to = above === undefined || above === 'none' ? 1 : sureFrom[above] - 0.001;
  return Math.min(to, Math.max(from, score));
}

/** "What did the race cost in 2025?" is not answered by what a message of 2024 says about the race of that year. */
function isOfOtherTime([first]: readonly Standing[]): boolean {
  return first?.passage.support.missesTime === true;
}

/** "Went back, not to VS Code though": what the model took for the answer is what the sentence rejects. */
function rejectsItself([first]: readonly Standing[], { kind }: Question): boolean {
  if (first?.read.span === undefined || kind === 'yes_no') return false;
  const { hit, span } = first.read;
  return takesBack(first.passage.quote.text, hit.text.slice(span.start, span.end));
}

/** An answer that may be about another person or another time, or out of date, is at most `low`. */
function noSurer(label: ConfidenceLabel, isOpen: boolean): ConfidenceLabel {
  return isOpen && label !== 'none' ? 'low' : label;
}

/** A statement that contains every word of the question is shown, whatever the model's score. */
function leastOf(label: ConfidenceLabel, evidence: readonly Evidence[]): ConfidenceLabel {
  const saysItAll = evidence.some(
    ({ passage, features }) => passage.support.coverage >= 0.999 && features.asks === 0 && features.unmentioned === 0,
  );
  return label === 'none' && saysItAll ? 'low' : label;
}

function reasonOf(confidence: ConfidenceLabel, stance: KnownFacts['stance'] | undefined): string {
  const strength = {
    high: 'A message answers the question directly',
    medium: 'A message probably answers the question',
    low: 'These messages are about the question, but none clearly answers it',
    none: 'Nothing that was read answers the question',
  }[confidence];
  if (stance === 'agrees') return `${strength}; what is known as a fact agrees.`;
  if (isOpposed(stance)) return `${strength}; something newer may contradict what is known as a fact.`;
  return `${strength}.`;
}

/** The probability that a regression gives to these features. */
export function logistic<Name extends string>(
  weights: Record<Name | 'bias', number>,
  features: Record<Name, number>,
): number {
  let sum = weights.bias;
  for (const name of Object.keys(features) as Name[]) sum += (weights[name] ?? 0) * features[name];
  return 1 / (1 + Math.exp(-sum));
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}
