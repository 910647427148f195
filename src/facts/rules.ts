import type { FactWords, ObjectKind, RuleLine, RulePredicate } from '../language/fact-words.js';
import { derived } from '../language/languages.js';
import type { Role } from '../model/conversation.js';

/*
 * The rules of all languages, compiled, and the table that finds those worth trying on a clause.
 */

interface RuleTable {
  /** Rules by the first word of a clause, so that most clauses are tried against none. */
  byStart: ReadonlyMap<string, readonly Rule[]>;
  /** What a sentence must hold to state anything. */
  mayState: RegExp;
  /** Rules that may begin with any word are tried only where one of their own words occurs. */
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
  const telling = [...new Set(rules.flatMap(({ holds, starts }) => (holds === undefined ? starts : [])))];
  const words = telling.map((word) => (/\p{sc=Han}/u.test(word) ? word : `(?<!\\p{L})${word}(?!\\p{L})`));
  const held = [...new Set(rules.flatMap(({ holds }) => holds ?? []))];
  const open = [...new Set((byStart.get('*') ?? []).flatMap(({ holds }) => holds ?? []))];
  return {
    byStart,
    mayState: new RegExp([...words, ...held].join('|') || '(?!)', 'iu'),
    anyStart: new RegExp(open.join('|') || '(?!)', 'iu'),
  };
}

/** A cheap look before a sentence is taken apart. */
export function mayStateSomething(role: Role, sentence: string): boolean {
  return tables()[role].mayState.test(sentence);
}

export function rulesFor(role: Role, clause: string): readonly Rule[] {
  const { byStart, anyStart } = tables()[role];
  const first = /^\p{sc=Han}|^\p{L}+/u.exec(clause)?.[0].toLowerCase();
  const direct = first === undefined ? undefined : byStart.get(first);
  const open = anyStart.test(clause) ? byStart.get('*') : undefined;
  return open === undefined ? (direct ?? none) : [...(direct ?? none), ...open];
}

const none: readonly Rule[] = [];

export interface Rule {
  /** The first words of a clause it may match, in small letters without what follows an apostrophe. */
  starts: readonly string[];
  /** Matches from the beginning of a clause; the group `object` holds the value. */
  pattern: () => RegExp;
  predicate: RulePredicate;
  kind: ObjectKind;
  /** The sentence says that it is over. */
  ends?: true;
  /** About a project instead of the speaker; the group `subject` may name it. */
  project?: true;
  /** The value must be none of the refused words of the predicate. */
  checked?: true;
  /** What a sentence must hold where the first words are too common to tell. */
  holds?: string;
}

/** The rules of a language for what a speaker says; the assistant speaks of the user with other words. */
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

/** Made when it is first needed: most commands never read a message, and a start should not pay for the rules. */
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
    .replaceAll(' ', '\\s+');
  return new RegExp(`^${text}`, 'diu');
}
