import type { Groups } from '../language/fact-words.js';
import { alternatives, derived } from '../language/languages.js';
import { speakersOf, withoutSpeaker } from '../language/names.js';
import type { Role } from '../model/conversation.js';
import type { Steps } from '../model/steps.js';
import { type Clause, clausesOf, contrastIn, type Sentence, sentencesOf, withoutEnd } from './clauses.js';
import { isConditional, isCrafted, isGated, ownWords, pastedFrom } from './gates.js';
import { readObjects } from './objects.js';
import { lexicon, mayStateSomething, type Rule, rulesFor } from './rules.js';
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
  const { rules, small } = rulesFor(voice, clause.text);
  const plain = rules.map((rule) => ({ rule, said: clause, small }));
  const was = voice === 'user' ? withoutEnd(clause.text) : undefined;
  if (was === undefined) return plain;
  const said = { ...clause, text: was.text, start: clause.start + was.shorter };
  const over = rulesFor(voice, was.text);
  const ended = over.rules.filter(({ ends }) => !ends).map((rule) => ({ ...rule, ends: true as const }));
  return [...plain, ...ended.map((rule) => ({ rule, said, small: over.small }))];
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
