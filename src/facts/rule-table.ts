import { derived } from '../language/languages.js';
import type { Role } from '../model/conversation.js';
import { type Rule, rulesOf } from './rule.js';

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
