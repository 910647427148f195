import type { FactSentences } from '../language/language.js';
import { alternatives, derived, languageOf, spokenIn } from '../language/languages.js';
import type { Fact } from '../model/fact.js';
import type { ConfidenceLabel } from './confidence.js';
import { displayDay, displayValue, filled } from './dates.js';
import type { Question, TimeAsked } from './question.js';
import type { Superseded } from './support.js';

/** The answer that the facts give to a question. */
export interface FactAnswer {
  basis: 'fact_layer' | 'conflict';
  text: string;
  /** The answer without its history; absent when it has none. */
  short?: string;
  /** "Before: Lisbon (said on 4 July 2026).": the fact beside something newer. Absent if several values can hold at a time. */
  formerly?: string;
  confidence: ConfidenceLabel;
  reason: string;
  /** The facts that the answer states, newest first. */
  facts: readonly Fact[];
  /** The facts that no longer hold. */
  history: readonly Fact[];
  /** The question asks for more than the value: why, or where it was said. */
  wantsContext: boolean;
}

/** A longer list of values is unreadable. */
const mostValues = 12;
const mostHistory = 3;

/**
 * The newest statement answers, and older ones are history. There is a conflict only when the user stated different
 * values of a single-valued predicate at the same time.
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
    ...(parts.length === 1 && first.formerly !== undefined && { formerly: first.formerly }),
    confidence: conflict === undefined ? surest(facts, parts) : 'low',
    reason:
      conflict === undefined ? reasonOf(facts, parts) : 'Statements of the same time disagree, and none is newer.',
    facts,
    history: parts.flatMap((part) => part.history),
    wantsContext: question.kind === 'why' || contextWords().test(question.text),
  };
}

/** Yes if the current value is the one asked about, no if it is a former value; otherwise undefined. */
export function answerToCheck(
  wanted: readonly Fact[],
  { isAsked, ...rules }: FactRules & { isAsked: (fact: Fact) => boolean },
): FactAnswer | undefined {
  const answer = answerFromFacts(wanted, rules);
  if (answer === undefined || answer.basis === 'conflict') return undefined;
  const isSo = answer.facts.some(isAsked);
  if (!isSo && !answer.history.some(isAsked)) return undefined;
  const words = spokenIn(languageOf(rules.question.text), 'phrases');
  const lead = `${isSo ? words.yes : words.no}.`;
  return {
    ...answer,
    text: `${lead} ${answer.text}`,
    ...(answer.short === undefined ? {} : { short: `${lead} ${answer.short}` }),
  };
}

/** The facts that replaced outdated statements, at no more than the given confidence; undefined when there are none. */
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
  /** The part without the history that follows it. */
  short?: string;
  formerly?: string;
  facts: Fact[];
  history: Fact[];
  isConflict: boolean;
  /** The fact was not stated within the time in question, but before it, and is assumed to have lasted. */
  isTakenToLast?: true;
}

interface FactRules {
  question: Question;
  isSingle: (predicate: string) => boolean;
  /** The rank of a predicate when several answer: a name before a hobby. */
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
  // Current facts do not answer a question about the past; without outdated ones, the messages have to.
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
  // When many facts about a person are listed, the history of each would only confuse.
  const history = isOnly ? [...active.slice(1), ...over].sort(newestFirst).slice(0, mostHistory) : [];
  const now = teller.sentenceOf([newest]);
  const short = history.length === 0 ? {} : { short: now };
  const text = [now, ...before(history, teller)].join(' ');
  const formerly = before([newest], teller).join(' ');
  return { text, ...short, formerly, facts: [newest], history, isConflict: false };
}

/** The facts at the time the question names, and the current ones where they differ. */
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
  const held = history.map((fact) => ({ value: fact.object_normalized, at: lastSaid(fact) }));
  const values = held.sort((one, other) => other.at.localeCompare(one.at)).map(({ value, at }) => saidOn(value, at));
  return [filled(words.before, { '': values.join('; ') })];
}

/** When it was last said before another value replaced it: it may be mentioned again later, which does not bring it back. */
function lastSaid({ stated_at, superseded_at, sources }: Fact): string {
  if (superseded_at === undefined || stated_at <= superseded_at) return stated_at;
  const before = sources.map((source) => source.stated_at).filter((at) => at <= superseded_at);
  return before.sort().at(-1) ?? stated_at;
}

/** Statements by an assistant or from pasted text count only where the user stated nothing. */
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
    // Possessions of all kinds form one list; every other predicate gets its own sentence.
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

/** Phrases facts in one language. */
interface FactTeller {
  words: FactSentences;
  /** One sentence for facts of one subject and predicate, with their normalized values. */
  sentenceOf(facts: readonly Fact[]): string;
  /** The displayed value; an age is shown with the day it was stated. */
  shownValue(fact: Fact): string;
  /** A value with the day on which it was stated. */
  saidOn(value: string, at: string): string;
}

/** Predicates that can be phrased with "is": your sister is Eva. */
const named = /^(?:relation|pet|date|favorite)_/u;

/** Phrases facts in the given language, or in the first one that has the words for it. */
function factTeller(language: string): FactTeller {
  const words = spokenIn(language, 'facts');
  const nouns = nounsOf(words);
  const shownValue = ({ predicate, object_normalized, stated_at }: Fact): string =>
    predicate === 'profile_age'
      ? filled(words.on, { '': object_normalized, day: displayDay(stated_at, language) })
      : displayValue(object_normalized, language);
  const sentenceOf = (facts: readonly Fact[]): string => {
    const [first] = facts;
    if (first === undefined) return '';
    const values = listed(facts.map(shownValue), words.and);
    const { predicate, subject_key, subject } = first;
    const what = wordsOf(predicate);
    const noun = nouns.get(what);
    const parts = { '': values, what: noun ?? what, who: subject };
    if (subject_key !== 'user') return filled(words.of, parts);
    const family = predicate.startsWith('owns_') ? 'owns_' : predicate;
    const template = words.sentences[family];
    if (template !== undefined) return filled(template, parts);
    const sentence = filled(facts.length === 1 && named.test(predicate) ? words.is : words.list, parts);
    return noun === undefined ? sentence : capital(sentence);
  };
  return {
    words,
    sentenceOf,
    shownValue,
    saidOn: (value, at) => filled(words.saidOn, { '': displayValue(value, language), day: displayDay(at, language) }),
  };
}

/** What predicates are called in a language, by their English words. */
function nounsOf({ nouns = '' }: FactSentences): ReadonlyMap<string, string> {
  return new Map(
    nouns.split('|').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function capital(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

function wordsOf(predicate: string): string {
  return predicate.replace(/^(?:profile|relation|pet|date)_/u, '').replaceAll('_', ' ');
}

/** Joins values verbatim; values that contain commas are separated by semicolons. */
function listed(values: readonly string[], and: string): string {
  const mark = values.some((value) => value.includes(',')) ? '; ' : ', ';
  if (values.length < 2) return values.join('');
  return `${values.slice(0, -1).join(mark)}${and}${values.at(-1)}`;
}

/** A fact that held at a time, with the day it was stated. */
interface HeldThen {
  fact: Fact;
  saidAt: string;
  /** It was stated within that time; otherwise it was stated before and not contradicted until then. */
  isSaidThen: boolean;
}

/**
 * The facts that held at a past time, oldest first: the last statement before that time holds until another one is
 * made. For predicates with many values, the statements made within that time are preferred over everything that held.
 */
function factsThen(
  facts: readonly Fact[],
  { times, isSingle }: { times: readonly TimeAsked[]; isSingle: boolean },
): HeldThen[] {
  const held = times.flatMap((time) => heldIn(facts, time, isSingle));
  const oldestFirst = held.sort((one, other) => (one.saidAt < other.saidAt ? -1 : 1));
  return oldestFirst.filter(({ fact }, at, all) => all.findIndex((other) => other.fact.id === fact.id) === at);
}

function heldIn(facts: readonly Fact[], { from, to }: TimeAsked, isSingle: boolean): HeldThen[] {
  const lasting = facts.filter(({ superseded_at }) => superseded_at === undefined || superseded_at > from);
  const said = lasting.flatMap(statementsOf).sort((one, other) => (one.saidAt < other.saidAt ? -1 : 1));
  const before = said.filter(({ saidAt }) => saidAt < from).map((each) => ({ ...each, isSaidThen: false }));
  const during = said
    .filter(({ saidAt }) => saidAt >= from && saidAt <= to)
    .map((each) => ({ ...each, isSaidThen: true }));
  if (isSingle) return [...before.slice(-1), ...during];
  return during.length > 0 ? during : before;
}

/** Every time the fact was stated as true; a sentence that ends it does not count. */
function statementsOf(fact: Fact): { fact: Fact; saidAt: string }[] {
  const said = fact.sources.filter(({ ends }) => ends !== true).map(({ stated_at }) => stated_at);
  return (said.length === 0 ? [fact.created_at, fact.stated_at] : said).map((saidAt) => ({ fact, saidAt }));
}
