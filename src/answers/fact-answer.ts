import { languageOf } from '../language/language-of.js';
import { alternatives, derived } from '../language/languages.js';
import type { Fact } from '../model/fact.js';
import type { ConfidenceLabel } from './confidence.js';
import { type FactTeller, factTeller, filled } from './fact-sentences.js';
import { factsThen } from './facts-then.js';
import type { Question } from './question.js';
import type { Superseded } from './superseded.js';

/** What the facts say about a question. */
export interface FactAnswer {
  basis: 'fact_layer' | 'conflict';
  text: string;
  /** The same without what was so before; absent where there is nothing to leave out. */
  short?: string;
  confidence: ConfidenceLabel;
  reason: string;
  /** What the answer states, newest first. */
  facts: readonly Fact[];
  /** What was so before. */
  history: readonly Fact[];
  /** The question asks for more than the value: why, or where it was said. */
  wantsContext: boolean;
}

/** More values than this are a list nobody reads. */
const mostValues = 12;
const mostHistory = 3;

/**
 * The newest statement answers and older ones are history. It is a conflict only when the user said different things
 * about something that has one value at the very same time.
 */
export function answerFromFacts(wanted: readonly Fact[], rules: FactRules): FactAnswer | undefined {
  const { question, placeOf } = rules;
  const place = (facts: readonly Fact[]): number => placeOf(facts[0]?.predicate ?? '');
  const teller = factTeller(languageOf(question.text));
  const groups = groupsOf(mostTrusted(wanted)).sort((one, other) => place(one) - place(other));
  const parts = groups.flatMap((facts) => partOf(facts, { ...rules, teller, isOnly: groups.length === 1 }) ?? []);
  const [first] = parts;
  if (first === undefined) return undefined;
  const facts = parts.flatMap((part) => part.facts);
  const conflict = parts.find((part) => part.isConflict);
  return {
    basis: conflict === undefined ? 'fact_layer' : 'conflict',
    text: parts.map(({ text }) => text).join(' '),
    ...(parts.some(({ short }) => short !== undefined) && {
      short: parts.map(({ short, text }) => short ?? text).join(' '),
    }),
    confidence: conflict === undefined ? surest(facts, parts) : 'low',
    reason:
      conflict === undefined ? reasonOf(facts, parts) : 'Statements of the same time disagree, and none is newer.',
    facts,
    history: parts.flatMap((part) => part.history),
    wantsContext: question.kind === 'why' || contextWords().test(question.text),
  };
}

/** What took the place of statements that are over; undefined when nothing did. No surer than that they were asked for. */
export function answerFromSuccessors(
  over: readonly Superseded[],
  { confidence, language }: { confidence: ConfidenceLabel; language: string },
): FactAnswer | undefined {
  const replaced = over.filter(({ successor }) => successor !== undefined);
  const facts = unique(replaced.flatMap(({ successor }) => successor ?? []));
  if (facts.length === 0) return undefined;
  const history = unique(replaced.map(({ fact }) => fact)).slice(0, mostHistory);
  const teller = factTeller(language);
  const now = groupsOf(facts).map(teller.sentenceOf).join(' ');
  return {
    basis: 'fact_layer',
    text: [now, ...before(history, teller)].join(' '),
    short: now,
    confidence: labels.find((label) => label === confidence || label === lowest(facts)) ?? 'low',
    reason: reasonsOf(facts),
    facts,
    history,
    wantsContext: false,
  };
}

function unique(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.map((fact) => [fact.id, fact])).values()].sort(newestFirst);
}

interface Part {
  text: string;
  /** Without the history that follows it. */
  short?: string;
  facts: Fact[];
  history: Fact[];
  isConflict: boolean;
  /** Nobody said it in the time that was asked about: it was said before and lasted. */
  isTakenToLast?: true;
}

export interface FactRules {
  question: Question;
  isSingle: (predicate: string) => boolean;
  /** Where a predicate stands when several answer: a name before a hobby. */
  placeOf: (predicate: string) => number;
}

const contextWords = derived(
  () =>
    new RegExp(
      alternatives(({ answers }) => answers?.wantsContext),
      'iu',
    ),
);

type PartRules = FactRules & { isOnly: boolean; teller: FactTeller };

function partOf(facts: readonly Fact[], { question, isSingle, isOnly, teller }: PartRules): Part | undefined {
  const active = facts.filter(({ status }) => status === 'active');
  const over = facts.filter(({ status }) => status === 'superseded');
  if (question.pastTimes.length > 0) return partThen(facts, { question, isSingle, teller });
  // What is so now does not say what was so before: what was said has to.
  if (question.asksPast) return over.length > 0 ? pastPart(active, over, teller) : undefined;
  const [newest] = active;
  if (newest === undefined) return undefined;
  if (!isSingle(newest.predicate)) {
    const shown = active.slice(0, mostValues);
    return { text: teller.sentenceOf(shown), facts: shown, history: [], isConflict: false };
  }
  const sameTime = active.filter(({ stated_at }) => stated_at === newest.stated_at);
  if (sameTime.length > 1) {
    const text = filled(teller.words.disagree, { '': sameTime.map(teller.shownValue).join('; ') });
    return { text, facts: sameTime, history: [], isConflict: true };
  }
  // Among many facts about somebody, how each came about would only confuse.
  const history = isOnly ? [...active.slice(1), ...over].sort(newestFirst).slice(0, mostHistory) : [];
  const now = teller.sentenceOf([newest]);
  const short = history.length === 0 ? {} : { short: now };
  return { text: [now, ...before(history, teller)].join(' '), ...short, facts: [newest], history, isConflict: false };
}

/** What was so at the time the question names, and what is so now where that differs. */
function partThen(
  facts: readonly Fact[],
  { question, isSingle, teller }: Pick<PartRules, 'question' | 'isSingle' | 'teller'>,
): Part | undefined {
  const [newest] = facts.filter(({ status }) => status === 'active');
  const single = isSingle(facts[0]?.predicate ?? '');
  const held = factsThen(facts, { times: question.pastTimes, isSingle: single }).slice(-mostValues);
  if (held.length === 0) return undefined;
  const then = held.map(({ fact }) => fact);
  const isStill = single && then.length === 1 && then[0] === newest;
  const now = single && !isStill && newest !== undefined ? [newest] : [];
  const values = held.map(({ fact, saidAt }) => teller.saidOn(teller.shownValue(fact), saidAt));
  const { atThatTime, thenAndNow } = teller.words;
  return {
    text: [filled(isStill ? thenAndNow : atThatTime, { '': values.join('; ') }), ...nowWords(now, teller)].join(' '),
    facts: unique([...then.filter(({ status }) => status === 'active'), ...now]),
    history: then.filter(({ status }) => status === 'superseded'),
    isConflict: false,
    ...(held.some(({ isSaidThen }) => isSaidThen) ? {} : { isTakenToLast: true }),
  };
}

function nowWords(now: readonly Fact[], { words, shownValue }: FactTeller): string[] {
  return now.map((fact) => filled(words.now, { '': shownValue(fact) }));
}

function pastPart(active: readonly Fact[], over: readonly Fact[], teller: FactTeller): Part {
  const history = [...over].sort(newestFirst).slice(0, mostHistory);
  const now = active.slice(0, 1);
  return {
    text: [...before(history, teller), ...nowWords(now, teller)].join(' '),
    facts: now,
    history,
    isConflict: false,
  };
}

function before(history: readonly Fact[], { words, saidOn }: FactTeller): string[] {
  if (history.length === 0) return [];
  const values = history.map((fact) => saidOn(fact.object_normalized, fact.stated_at));
  return [filled(words.before, { '': values.join('; ') })];
}

/** What an assistant or a pasted text said counts only where the user said nothing. */
function mostTrusted(facts: readonly Fact[]): Fact[] {
  const isPasted = ({ sources }: Fact): boolean =>
    sources.length > 0 && sources.every(({ pasted, guessed }) => pasted === true || guessed === true);
  const byUser = facts.filter((fact) => fact.source_quality !== 'assistant_statement' && !isPasted(fact));
  const chosen = byUser.some(({ status }) => status === 'active') ? byUser : facts;
  return [...chosen].sort(newestFirst);
}

function groupsOf(facts: readonly Fact[]): Fact[][] {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) {
    // Possessions are one list, whatever they are; every other predicate is a statement of its own.
    const predicate = fact.predicate.startsWith('owns_') ? 'owns_' : fact.predicate;
    const key = `${fact.subject_key}\n${predicate}`;
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return [...groups.values()];
}

function newestFirst(one: Fact, other: Fact): number {
  if (one.stated_at !== other.stated_at) return one.stated_at < other.stated_at ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}

const labels = ['low', 'medium', 'high'] as const;

function surest(facts: readonly Fact[], parts: readonly Part[]): ConfidenceLabel {
  const confidence = lowest(facts);
  return confidence === 'high' && parts.some(({ isTakenToLast }) => isTakenToLast) ? 'medium' : confidence;
}

function reasonOf(facts: readonly Fact[], parts: readonly Part[]): string {
  const lasted = parts.some(({ isTakenToLast }) => isTakenToLast);
  return [reasonsOf(facts), ...(lasted ? ['It was said before that time, and nothing else until then.'] : [])].join(
    ' ',
  );
}

function lowest(facts: readonly Fact[]): ConfidenceLabel {
  return labels.find((label) => facts.some(({ confidence }) => confidence === label)) ?? 'medium';
}

function reasonsOf(facts: readonly Fact[]): string {
  const reasons = [...new Set(facts.map(({ confidence_reason }) => confidence_reason))];
  return reasons.length === 0 ? 'Only statements that are no longer so were found.' : reasons.join(' ');
}
