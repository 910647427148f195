import { languageOf } from '../language/languages.js';
import type { Hit } from '../model/hit.js';
import { finished, type Steps } from '../model/steps.js';
import { type Budget, fittingHits } from './budget.js';
import { type ConfidenceLabel, isCut, type JudgeInput, judge } from './confidence.js';
import { displayDay } from './dates.js';
import { answerFromSuccessors, type FactAnswer } from './fact-answer.js';
import {
  choosingPassages,
  findingBest,
  isAboutNamed,
  type Passage,
  type PassageInput,
  unmentionedIn,
} from './passages.js';
import type { Question, WeightedTerm } from './question.js';
import { sentencesIn } from './quote.js';
import { type Superseded, type Support, supportRules } from './support.js';

type AnswerBasis = 'direct_memory' | 'fact_layer' | 'mixed' | 'conflict' | 'not_found';

export interface AnswerInput {
  question: Question;
  terms: readonly WeightedTerm[];
  /** The hits that may be used for the answer, best first. */
  hits: readonly Hit[];
  /** Similarities of all candidates: the background that the hits are compared with. */
  similarities: readonly number[];
  /** How far the model's similarity can be trusted; see `trust` of the embedder. */
  trust: number;
  timeFit: (at: string) => number;
  before: (hit: Hit) => Hit | undefined;
  /** The title, tags and summary of a hit's conversation. */
  heading: (hit: Hit) => string;
  /** The statements of a hit that no longer hold. */
  superseded: (hit: Hit) => readonly Superseded[];
  /** The terms of the speakers' names in the question. */
  people: ReadonlySet<string>;
  unknownNames: readonly string[];
  asksAssistant: boolean;
  asksReply: boolean;
  /** The answer from facts; absent when no fact answers the question. */
  facts?: FactAnswer;
  /** Absent when there is no token budget. */
  budget?: Budget;
}

export interface Answer {
  basis: AnswerBasis;
  text: string;
  confidence: ConfidenceLabel;
  reason: string;
  /** The quoted passages. */
  passages: readonly Passage[];
  /** The hits that fit the budget; those that are not quoted are the next best ones. */
  hits: readonly Hit[];
  facts?: FactAnswer;
  dropped: number;
  /** How the confidence of the best passage was computed. */
  support?: Support;
  /** How likely the answer is right, 0 to 1, if a reading model was available. */
  score?: number;
  /** The inputs of that score. */
  features?: Readonly<Record<string, number>>;
  /** The hits that the model read, the one that answers best first. */
  read?: readonly HitRead[];
}

/** How likely a hit answers, and the inputs of that probability. */
export interface HitRead {
  hit: Hit;
  probability: number;
  features: Readonly<Record<string, number>>;
}

/** Answers from facts where they apply, otherwise from messages; the answer may be that nothing was found. */
export function answerQuestion(input: AnswerInput): Answer {
  return finished(answering(input));
}

/** The same in steps: a hit may have a megabyte, and a question thousands of words. */
export function* answering(input: AnswerInput): Steps<Answer> {
  const { budget, facts } = input;
  const known = withinBudget(facts, budget);
  const rules = supportRules(input);
  const named = new Map<string, boolean | undefined>();
  const aboutNamed = (hit: Hit): boolean | undefined => {
    if (!named.has(hit.chunkId)) named.set(hit.chunkId, isAboutNamed(hit, input));
    return named.get(hit.chunkId);
  };
  const reading: PassageInput = { ...input, rules, aboutNamed };
  const { hits, dropped } = yield* fitting(input, reading);
  // A fact answers the question, but the messages it came from are still returned.
  if (known !== undefined && !known.wantsContext) return { ...ofFacts(known), passages: [], hits, dropped };
  const unmentioned = (passage: Passage): string[] => unmentionedIn(passage, { ...input, aboutNamed });
  const chosen = yield* choosingPassages({ ...reading, hits });
  const passages = namedFirst(withRoom(chosen, hits, budget), unmentioned);
  const judging = { ...input, aboutNamed, unmentioned };
  const { confidence, reason } = judge({ ...judging, passages });
  const [lead] = passages;
  const base = { hits, dropped, ...(lead === undefined ? {} : { support: lead.support }) };
  if (known !== undefined) {
    const quoted = confidence === 'none' ? [] : passages;
    const text = [known.text, composePassages(input.question, quoted)].filter((part) => part !== '').join('\n');
    return { ...ofFacts(known), ...base, text, basis: quoted.length > 0 ? 'mixed' : known.basis, passages: quoted };
  }
  const successors = lead === undefined ? undefined : replacing(lead, judging);
  if (successors !== undefined) return { ...ofFacts(successors), ...base, passages: [] };
  if (confidence !== 'none') {
    const text = composePassages(input.question, passages);
    return { ...base, basis: 'direct_memory', text, confidence, reason, passages };
  }
  const noRoom = facts !== undefined || (passages.length === 0 && dropped > 0);
  return {
    ...base,
    basis: 'not_found',
    text: noRoom ? noRoomAnswer : notFoundAnswer,
    confidence: 'none',
    reason: noRoom ? 'Nothing that was found fits into the token budget.' : reason,
    passages: [],
  };
}

/** Passages that mention everyone named in the question come before those that may be about another person. */
function namedFirst(passages: readonly Passage[], unmentioned: (passage: Passage) => readonly string[]): Passage[] {
  const missing = new Map(passages.map((passage) => [passage, unmentioned(passage).length]));
  return [...passages].sort((one, other) => (missing.get(one) ?? 0) - (missing.get(other) ?? 0));
}

/**
 * An answer from the facts that replaced the best passage, with the passage's confidence. Undefined where the passage
 * does not mention the person named in the question, because then its replacement is about another person.
 */
function replacing(
  lead: Passage,
  input: Omit<JudgeInput, 'passages'> & Pick<AnswerInput, 'budget'>,
): FactAnswer | undefined {
  if (input.unmentioned(lead).length > 0) return undefined;
  const { confidence } = judge({ ...input, passages: [{ ...lead, over: [] }] });
  const language = languageOf(input.question.text);
  const answer = confidence === 'none' ? undefined : answerFromSuccessors(lead.over, { confidence, language });
  return withinBudget(answer, input.budget);
}

/** The whole answer, the answer without history, or nothing, depending on what fits. */
export function withinBudget(facts: FactAnswer | undefined, budget: Budget | undefined): FactAnswer | undefined {
  if (facts === undefined || budget === undefined || budget.takes(facts.text)) return facts;
  const { short } = facts;
  return short !== undefined && budget.takes(short) ? { ...facts, text: short, history: [] } : undefined;
}

function ofFacts(facts: FactAnswer): Pick<Answer, 'basis' | 'text' | 'confidence' | 'reason' | 'facts'> {
  const { basis, text, confidence, reason } = facts;
  return { basis, text, confidence, reason, facts };
}

function* fitting({ hits, budget }: AnswerInput, reading: PassageInput): Steps<{ hits: Hit[]; dropped: number }> {
  if (budget === undefined) return { hits: [...hits], dropped: 0 };
  return yield* fittingHits(hits, budget, function* (hit) {
    const rules = reading.rules.saidAt(hit.at);
    return (yield* findingBest(sentencesIn(hit), { ...reading, rules }))?.start ?? 0;
  });
}

/** The message that a reply answers is quoted only if it fits too. */
function withRoom(passages: readonly Passage[], hits: readonly Hit[], budget: Budget | undefined): Passage[] {
  if (budget === undefined) return [...passages];
  return passages.map((passage) => {
    const { context, ...alone } = passage;
    if (context === undefined) return passage;
    const isThere = hits.some(
      ({ chunkId, text }) => chunkId === context.hit.chunkId && text.includes(context.quote.text),
    );
    return isThere || budget.takes(context.quote.text) ? passage : alone;
  });
}

/**
 * One line for each passage, quoted verbatim; a question about time is answered with the date first. Passages that no
 * longer hold are marked as history.
 */
function composePassages(question: Question, passages: readonly Passage[]): string {
  return passages.map((passage) => `${historyOf(passage)}${dateOf(question, passage)}${said(passage)}`).join('\n');
}

const notFoundAnswer = 'The memory does not hold an answer to that.';
const noRoomAnswer = 'The token budget leaves no room for what the memory holds about that.';

function historyOf({ over, hit }: Passage): string {
  return over.length === 0 ? '' : `Before (said on ${displayDay(hit.at)}): `;
}

function dateOf({ kind }: Question, { times, hit, holdsKind }: Passage): string {
  if (kind !== 'when') return '';
  const [first] = times;
  if (first !== undefined) return `${capital(first.display)}. `;
  // When the words themselves name a time, the date of the message would be mistaken for the answer.
  return holdsKind === true ? '' : `Said on ${displayDay(hit.at)}. `;
}

function said(passage: Passage): string {
  const { hit, quote, context } = passage;
  const own = `${speakerOf(hit, context !== undefined)}${quote.shown}${isCut(passage) ? '…' : ''}`;
  return context === undefined ? own : `${speakerOf(context.hit, true)}${context.quote.shown} ${own}`;
}

/** The speaker is shown between people, and between the user and an assistant only where both are quoted. */
function speakerOf(hit: Hit, both: boolean): string {
  if (hit.speaker !== undefined) return `${hit.speaker}: `;
  if (!both) return '';
  return hit.role === 'user' ? 'User: ' : 'Assistant: ';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
