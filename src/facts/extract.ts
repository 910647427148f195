import type { FactWords, Groups, ObjectKind, RuleLine, RulePredicate } from '../language/fact-words.js';
import { alternatives, derived } from '../language/languages.js';
import { speakersOf, withoutSpeaker } from '../language/names.js';
import type { Role } from '../model/conversation.js';
import type { Steps } from '../model/steps.js';
import {
  type Clause,
  clausesOf,
  contrastIn,
  leavesOutSelf,
  longestSentence,
  type Sentence,
  sentencesOf,
  withoutEnd,
} from './clauses.js';
import { isConditional, isCrafted, isGated, ownWords, pastedFrom } from './gates.js';
import { lexicon } from './lexicon.js';
import { readObjects } from './objects.js';
import { keyOf, readValue } from './values.js';

/*
 * Extracts the facts that messages state, by trying the rules of all languages on each clause.
 */

/** A statement of one sentence, before it is reconciled with known facts. */
export interface Statement {
  subject: string;
  predicate: string;
  object_raw: string;
  object_key: string;
  role: Role;
  message_index: number;
  /** The sentence as a slice of the message. */
  start: number;
  end: number;
  ends?: true;
  correction?: true;
  corrects?: string;
  hedged?: true;
  /** It may be another author's words: pasted text, or a sentence crafted to look like the speaker's. */
  pasted?: true;
  /** Found by the tagging model. */
  guessed?: true;
}

export interface Telling {
  title?: string | undefined;
  messages: readonly { role: Role; text: string }[];
  /** Only messages from this index on are read; earlier ones only identify the speakers. */
  from?: number;
}

/** Longer messages are documents rather than conversation: only the beginning is read. */
const longestRead = 50_000;
/** A message with more statements than this is a list of something else. */
const mostStatements = 60;

/**
 * The statements of a conversation in order. Pure, and accepts any text. Yields after each sentence, because a long
 * conversation would block the event loop.
 */
export function* extracting({ title, messages, from = 0 }: Telling): Steps<Statement[]> {
  const speakers = messages.length > 1 ? speakersOf(messages.map(({ text }) => text)) : [];
  const statements: Statement[] = [];
  for (const [index, message] of messages.entries()) {
    if (index < from) continue;
    statements.push(...(yield* statementsOf(message, { index, title, speaker: speakers[index] })));
    yield;
  }
  return statements;
}

interface MessageContext {
  index: number;
  title: string | undefined;
  speaker: string | undefined;
}

function* statementsOf({ role, text }: { role: Role; text: string }, place: MessageContext): Steps<Statement[]> {
  const own = text.slice(0, Math.min(longestRead, ownWords(text)));
  const said = withoutSpeaker(text, place.speaker);
  const pasted = text.length - said.length + pastedFrom(said);
  const statements: Statement[] = [];
  for (const sentence of sentencesOf(own)) {
    yield;
    const voice: Role = place.speaker === undefined ? role : 'user';
    if (!mayStateSomething(voice, sentence.text)) continue;
    // Between people, each turn is the speaker's own statement, whatever role the capture gave it.
    const spoken = place.speaker === undefined ? sentence : withoutLabel(sentence, place.speaker);
    const isPasted = sentence.start >= pasted || isCrafted(text.slice(sentence.start, sentence.end));
    const context = { sentence, voice, text, place, isPasted };
    for (const clause of clausesOf(spoken)) statements.push(...statementsIn(clause, context));
    if (statements.length > mostStatements) return [];
  }
  return statements;
}

interface Context {
  sentence: Sentence;
  voice: Role;
  text: string;
  place: MessageContext;
  isPasted: boolean;
}

function statementsIn(clause: Clause, context: Context): Statement[] {
  const readings = readingsOf(clause, context);
  if (readings.length === 0 || isGated(clause.before)) return [];
  const found: Statement[] = [];
  const taken: { start: number; end: number; predicate: string }[] = [];
  for (const reading of readings) {
    for (const { predicate, start, end, statement } of applied(reading, context)) {
      const overlaps = taken.some(
        (other) => start < other.end && other.start < end && !goTogether(predicate, other.predicate),
      );
      if (overlaps || taken.some((other) => other.predicate === predicate && overlapping(other, start, end))) continue;
      taken.push({ start, end, predicate });
      found.push(statement);
    }
  }
  return found;
}

interface Reading {
  rule: Rule;
  said: Clause;
  /** Its text in lower case. */
  small: string;
}

/** The rules for a clause. A clause that ends something is read a second time as the former fact, marked as ended. */
function readingsOf(clause: Clause, { voice }: Context): Reading[] {
  const rules = rulesFor(voice, clause.text);
  const small = rules.length === 0 ? '' : smallLetters(clause.text);
  const plain = rules.map((rule) => ({ rule, said: clause, small }));
  const was = voice === 'user' ? withoutEnd(clause.text) : undefined;
  if (was === undefined) return plain;
  const said = { ...clause, text: was.text, start: clause.start + was.shorter };
  const over = rulesFor(voice, was.text).filter(({ ends }) => !ends);
  const left = over.length === 0 ? '' : smallLetters(was.text);
  return [...plain, ...over.map((rule) => ({ rule: { ...rule, ends: true as const }, said, small: left }))];
}

function overlapping(other: { start: number; end: number }, start: number, end: number): boolean {
  return start < other.end && other.start < end;
}

/** Predicates that one clause may state together: "I have a dog named Rex" is a possession and a name. */
function goTogether(one: string, other: string): boolean {
  const names = /^(?:pet_|relation_)/;
  const things = /^(?:owns_|family$)/;
  return (names.test(one) && things.test(other)) || (things.test(one) && names.test(other));
}

function applied({ rule, said: clause, small }: Reading, context: Context) {
  const places = rule.pattern().exec(small)?.indices?.groups;
  const place = places?.object;
  if (places === undefined || place === undefined) return [];
  const groups: Groups = Object.fromEntries(
    Object.entries(places).map(([name, at]) => [name, at && clause.text.slice(at[0], at[1])]),
  );
  if (groups.subject !== undefined && !isNamed(groups.subject)) return [];
  const raw = clause.text.slice(place[0], place[1]);
  const casual = /^\p{Ll}/u.test(clause.text);
  const contrast = contrastIn(raw);
  const objects = readObjects(rule.kind, contrast.said, casual);
  if (
    objects.length === 0 ||
    isConditional(clause.text.slice(place[0] + contrast.offset + (objects.at(-1)?.offset ?? 0)))
  )
    return [];
  return objects.flatMap(({ text, offset }) => {
    const predicate = typeof rule.predicate === 'string' ? rule.predicate : rule.predicate(groups, text, lexicon);
    if (predicate === undefined || (rule.checked && refused(predicate).test(text))) return [];
    const start = clause.start + place[0] + contrast.offset + offset;
    const old = contrast.not ?? groups.old;
    return [
      {
        predicate,
        start,
        end: start + text.length,
        statement: statementOf({ rule, groups, predicate, start, length: text.length, old, clause }, context),
      },
    ];
  });
}

/** Every letter keeps its offset. Rules are in lower case and contain no long s. */
function smallLetters(text: string): string {
  const small = text.toLowerCase().replaceAll('\u017f', 's');
  if (small.length === text.length) return small;
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  }).join('');
}

/** Patterns ignore case, so names are distinguished from nouns here. */
function isNamed(subject: string): boolean {
  return /^\p{Lu}/u.test(subject) && !patterns().notSubject.test(subject);
}

const patterns = derived(() => ({
  notSubject: new RegExp(`^(?:${alternatives(({ facts }) => facts?.clauses?.notSubjects)})(?!\\p{L})`, 'u'),
  correctedLead: new RegExp(`^(?:${alternatives(({ facts }) => facts?.clauses?.correctedLead)})\\s+`, 'iu'),
  refused: new Map<string, RegExp>(),
}));

/** Words that are not a value of a predicate, in any language. */
function refused(predicate: string): RegExp {
  const { refused: known } = patterns();
  const pattern =
    known.get(predicate) ?? new RegExp(`^(?:${alternatives(({ facts }) => facts?.refused?.[predicate])})`, 'iu');
  known.set(predicate, pattern);
  return pattern;
}

interface Parts {
  rule: Rule;
  groups: Groups;
  predicate: string;
  start: number;
  length: number;
  old: string | undefined;
  clause: Clause;
}

function statementOf(
  { rule, groups, predicate, start, length, old, clause }: Parts,
  { sentence, voice, text, place, isPasted }: Context,
): Statement {
  const object_raw = text.slice(start, start + length);
  const corrects = old === undefined ? '' : keyOf(old.replace(patterns().correctedLead, ''));
  return {
    subject: rule.project ? (groups.subject ?? place.title ?? 'project') : (place.speaker ?? 'user'),
    predicate,
    object_raw,
    object_key: readValue(predicate, object_raw).key,
    role: voice,
    message_index: place.index,
    start: sentence.start,
    end: sentence.end,
    ...(rule.ends ? { ends: true } : {}),
    ...(clause.corrects || old !== undefined ? { correction: true } : {}),
    ...(corrects === '' ? {} : { corrects }),
    ...(clause.hedged ? { hedged: true } : {}),
    ...(isPasted ? { pasted: true } : {}),
  };
}

function withoutLabel(sentence: Sentence, speaker: string): Sentence {
  const label = `${speaker}:`;
  if (!sentence.text.startsWith(label)) return sentence;
  const text = sentence.text.slice(label.length);
  return { ...sentence, text, start: sentence.start + label.length };
}

/*
 * The compiled rules of all languages, and the index that selects the rules worth trying on a clause.
 */

interface RuleTable {
  /** Rules by the first word of a clause, so that most clauses need no rule at all. */
  byStart: ReadonlyMap<string, readonly Rule[]>;
  /** Whether a sentence may state a fact. */
  mayState: (sentence: string) => boolean;
  /** Rules that may begin with any word are tried only when one of their own words occurs. */
  anyStart: RegExp;
}

const tables = derived(
  (languages): Record<Role, RuleTable> => ({
    user: tableOf(languages.flatMap(({ facts = {} }) => rulesOf(facts, 'user'))),
    assistant: tableOf(languages.flatMap(({ facts = {} }) => rulesOf(facts, 'assistant'))),
  }),
);

function tableOf(rules: readonly Rule[]): RuleTable {
  const byStart = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const start of rule.starts) byStart.set(start, [...(byStart.get(start) ?? []), rule]);
  }
  const open = [...new Set((byStart.get('*') ?? []).flatMap(({ holds }) => holds ?? []))];
  return { byStart, mayState: prefilter(rules), anyStart: new RegExp(open.join('|') || '(?!)', 'iu') };
}

/**
 * Looks up each word, because trying hundreds of alternatives at each letter would be half the work for a long
 * message.
 */
function prefilter(rules: readonly Rule[]): (sentence: string) => boolean {
  const telling = rules.flatMap(({ holds, starts }) => (holds === undefined ? starts : []));
  const words = new Set(telling.filter((word) => !isHan.test(word)));
  const signs = [...new Set(telling.filter((word) => isHan.test(word)))];
  const held = [...new Set(rules.flatMap(({ holds }) => holds ?? []))];
  const anywhere = new RegExp([...signs, ...held].join('|') || '(?!)', 'iu');
  return (sentence) => {
    for (const word of sentence.match(letters) ?? []) if (words.has(word.toLowerCase())) return true;
    return anywhere.test(sentence);
  };
}

const isHan = /\p{sc=Han}/u;
const letters = /\p{L}+/gu;

/** A cheap pre-check before a sentence is split, over the part that would be read, after the speaker's name. */
function mayStateSomething(role: Role, sentence: string): boolean {
  const read = sentence.slice(0, 2 * longestSentence);
  return tables()[role].mayState(read) || leavesOutSelf(read);
}

function rulesFor(role: Role, clause: string): readonly Rule[] {
  const { byStart, anyStart } = tables()[role];
  const first = /^\p{sc=Han}|^\p{L}+/u.exec(clause)?.[0].toLowerCase();
  const direct = first === undefined ? undefined : byStart.get(first);
  const open = anyStart.test(clause) ? byStart.get('*') : undefined;
  return open === undefined ? (direct ?? none) : [...(direct ?? none), ...open];
}

const none: readonly Rule[] = [];

interface Rule {
  /** The first words of a clause that it may match, in lower case and without anything after an apostrophe. */
  starts: readonly string[];
  /** Matches from the beginning of a clause; the group `object` holds the value. */
  pattern: () => RegExp;
  predicate: RulePredicate;
  kind: ObjectKind;
  /** The sentence says that the fact has ended. */
  ends?: true;
  /** About a project instead of the speaker; the group `subject` may name it. */
  project?: true;
  /** The value must not be one of the predicate's refused words. */
  checked?: true;
  /** Words that the sentence must contain where its first words are too common to decide. */
  holds?: string;
}

/** The rules of a language for one role; the assistant refers to the user with different words. */
function rulesOf(words: FactWords, role: Role): Rule[] {
  return (words.rules ?? []).flatMap((line) => {
    const { assistant } = line[4] ?? {};
    if (role === 'user' || assistant === 'as is') return ruleOf(line, words, 'user');
    return assistant === undefined ? [] : ruleOf(line, words, 'assistant');
  });
}

function ruleOf(line: RuleLine, { slots, assistantStarts = {} }: FactWords, person: Role): Rule {
  const [starts, shape, predicate, kind, { assistant: _, ...extra } = {}] = line;
  const words = starts.split(' ').map((word) => (person === 'user' ? word : (assistantStarts[word] ?? word)));
  return { ...extra, predicate, kind, starts: words, pattern: patternOf(shape, slots?.[person] ?? {}) };
}

/*
 * Compiled on first use, because most commands never read a message. The rules match lower-case text instead of
 * ignoring case: a case-insensitive pattern takes ten times as long to compile, which added half a second to the
 * first long message.
 */
function patternOf(shape: string, slots: Readonly<Record<string, string>>): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= compiled(shape, slots);
    return made;
  };
}

function compiled(shape: string, slots: Readonly<Record<string, string>>): RegExp {
  const text = shape
    .replace(/\{(\w+)\}/g, (whole, name: string) => slots[name] ?? whole)
    .replaceAll('{}', '(?<object>.+)')
    .replaceAll(' ?', '\\s?')
    .replaceAll(' ', '\\s+')
    // Matches either case of a letter, like a case-insensitive pattern.
    .replaceAll('\\p{Lu}', '[\\p{CWU}\\p{Lu}]');
  return new RegExp(`^${text}`, 'du');
}
