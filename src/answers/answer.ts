import { languageOf } from '../language/languages.js';
import { type Budget, fitHits } from './budget.js';
import { type ConfidenceLabel, isCut, type JudgeInput, judge } from './confidence.js';
import { displayDay } from './dates.js';
import { answerFromSuccessors, type FactAnswer } from './fact-answer.js';
import type { Hit, WeightedTerm } from './hit.js';
import {
  bestSentence,
  choosePassages,
  isAboutNamed,
  type Passage,
  type PassageInput,
  unmentionedIn,
} from './passages.js';
import type { Question } from './question.js';
import { sentencesIn } from './quote.js';
import { type Superseded, type Support, supportRules } from './support.js';

type AnswerBasis = 'direct_memory' | 'fact_layer' | 'mixed' | 'conflict' | 'not_found';

export interface AnswerInput {
  question: Question;
  terms: readonly WeightedTerm[];
  /** The hits an answer may be made from, best first. */
  hits: readonly Hit[];
  /** Similarities of everything that was found: what the hits stand out from. */
  similarities: readonly number[];
  /** How far the model's similarity can be trusted; see the embedder's. */
  trust: number;
  timeFit: (at: string) => number;
  before: (hit: Hit) => Hit | undefined;
  /** What a hit's conversation is said to be about: its title, tags and summary. */
  heading: (hit: Hit) => string;
  /** What a hit states that is no longer so. */
  superseded: (hit: Hit) => readonly Superseded[];
  /** The terms of the speakers' names in the question. */
  people: ReadonlySet<string>;
  unknownNames: readonly string[];
  asksAssistant: boolean;
  asksReply: boolean;
  /** What the facts say; absent when they say nothing about it. */
  facts?: FactAnswer;
  /** Absent when tokens are not counted. */
  budget?: Budget;
}

export interface Answer {
  basis: AnswerBasis;
  text: string;
  confidence: ConfidenceLabel;
  reason: string;
  /** What is quoted. */
  passages: readonly Passage[];
  /** The hits that fit the budget; those that are not quoted are the closest other ones. */
  hits: readonly Hit[];
  facts?: FactAnswer;
  dropped: number;
  /** What the best passage's confidence is made of. */
  support?: Support;
  /** How likely the answer is right, 0 to 1, where a reading model could say. */
  score?: number;
  /** What that is made of. */
  features?: Readonly<Record<string, number>>;
}

/** Answers from facts where they know, otherwise from what was said, otherwise not at all. */
export function answerQuestion(input: AnswerInput): Answer {
  const { budget, facts } = input;
  const known = withinBudget(facts, budget);
  const rules = supportRules(input);
  const aboutNamed = (hit: Hit): boolean | undefined => isAboutNamed(hit, input);
  const reading: PassageInput = { ...input, rules, aboutNamed };
  const { hits, dropped } = fitted(input, reading);
  // A fact answers, and does not hide the messages it came from.
  if (known !== undefined && !known.wantsContext) return { ...ofFacts(known), passages: [], hits, dropped };
  const unmentioned = (passage: Passage): string[] => unmentionedIn(passage, input);
  const passages = namedFirst(withRoom(choosePassages({ ...reading, hits }), hits, budget), unmentioned);
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

/** What mentions everybody the question names goes before what may be about somebody else. */
function namedFirst(passages: readonly Passage[], unmentioned: (passage: Passage) => readonly string[]): Passage[] {
  const missing = new Map(passages.map((passage) => [passage, unmentioned(passage).length]));
  return [...passages].sort((one, other) => (missing.get(one) ?? 0) - (missing.get(other) ?? 0));
}

/**
 * What took the place of the passage that answers best, as sure as the passage would have been while it was so. Nothing
 * where the passage does not mention whom the question names: its place is not theirs.
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

/** Whole, or without what was so before, or not at all. */
export function withinBudget(facts: FactAnswer | undefined, budget: Budget | undefined): FactAnswer | undefined {
  if (facts === undefined || budget === undefined || budget.takes(facts.text)) return facts;
  const { short } = facts;
  return short !== undefined && budget.takes(short) ? { ...facts, text: short, history: [] } : undefined;
}

function ofFacts(facts: FactAnswer): Pick<Answer, 'basis' | 'text' | 'confidence' | 'reason' | 'facts'> {
  const { basis, text, confidence, reason } = facts;
  return { basis, text, confidence, reason, facts };
}

function fitted({ hits, budget }: AnswerInput, reading: PassageInput): { hits: Hit[]; dropped: number } {
  if (budget === undefined) return { hits: [...hits], dropped: 0 };
  return fitHits(hits, budget, (hit) => {
    const rules = reading.rules.saidAt(hit.at);
    return bestSentence(sentencesIn(hit), { ...reading, rules })?.start ?? 0;
  });
}

/** The turn a reply belongs to is quoted only when it fits too. */
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
 * A line for each passage, word for word as it was said; a question about time is answered with the date first. What is
 * no longer so says that it is history.
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
  // Beside a time that stands in the words themselves, the day they were said would pass for the answer.
  return holdsKind === true ? '' : `Said on ${displayDay(hit.at)}. `;
}

function said(passage: Passage): string {
  const { hit, quote, context } = passage;
  const own = `${speakerOf(hit, context !== undefined)}${quote.shown}${isCut(passage) ? '…' : ''}`;
  return context === undefined ? own : `${speakerOf(context.hit, true)}${context.quote.shown} ${own}`;
}

/** Between people it matters who said it; between the user and an assistant only where both are quoted. */
function speakerOf(hit: Hit, both: boolean): string {
  if (hit.speaker !== undefined) return `${hit.speaker}: `;
  if (!both) return '';
  return hit.role === 'user' ? 'User: ' : 'Assistant: ';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
