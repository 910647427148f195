import type { Role } from '../model/conversation.js';
import type { Rule } from './rule.js';
import { dayRules } from './rules/days.js';
import { habitRules } from './rules/habits.js';
import { identityRules } from './rules/identity.js';
import { nameRules } from './rules/name.js';
import { placeRules } from './rules/place.js';
import { planRules } from './rules/plans.js';
import { possessionRules } from './rules/possessions.js';
import { projectRules } from './rules/projects.js';
import { relationRules } from './rules/relations.js';
import { skillRules } from './rules/skills.js';
import { tasteRules } from './rules/tastes.js';
import { workRules } from './rules/work.js';

/** One table for each family of predicates. What comes first wins where two read the same words. */
const families = [
  nameRules,
  placeRules,
  dayRules,
  workRules,
  identityRules,
  relationRules,
  possessionRules,
  tasteRules,
  skillRules,
  habitRules,
  planRules,
  projectRules,
];

/** Rules by the first word of a clause, so that most clauses are tried against none. */
function indexed(rules: readonly Rule[]): Map<string, Rule[]> {
  const byStart = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const start of rule.starts) byStart.set(start, [...(byStart.get(start) ?? []), rule]);
  }
  return byStart;
}

const tables: Record<Role, Map<string, Rule[]>> = {
  user: indexed(families.flatMap((family) => family.user)),
  assistant: indexed(families.flatMap((family) => family.assistant)),
};

/** Rules that may begin with any word are tried only where one of their own words occurs. */
const anyStart = /favou?rite|creator|author|(?:created|founded|invented|written) by/i;

const project =
  'creator|author|maintainer|founder|command|strategy|project|product|repo|codebase|deadline|date is|stack is';
const mayState: Record<Role, RegExp> = {
  user: new RegExp(
    `\\b(?:i|im|my|our|we|me|mein|ich|wir|je|j|mon|ma|nous|mi|yo|soy|vivo|resido|trabajo|tengo|hablo|odio|prefiero|toco|estoy|planeo|empiezo|comienzo|(?:first|last) day)\\b|\\b(?:empec|comenc|dej|renunci|nac|vend)[éí]|meine|[яЯ](?!\\p{L})|м(?:ій|оя|оє|ене|ені|ого|ою|и)(?!\\p{L})|我|favou?rite|${project}|(?:created|founded|invented|written) by`,
    'iu',
  ),
  assistant: new RegExp(`\\b(?:you|your|we)\\b|favou?rite|${project}|(?:created|founded|invented|written) by`, 'iu'),
};

/** A cheap look before a sentence is taken apart. */
export function mayStateSomething(role: Role, sentence: string): boolean {
  return mayState[role].test(sentence);
}

export function rulesFor(role: Role, clause: string): readonly Rule[] {
  const table = tables[role];
  const first = /^\p{sc=Han}|^\p{L}+/u.exec(clause)?.[0].toLowerCase();
  const direct = first === undefined ? undefined : table.get(first);
  const open = anyStart.test(clause) ? table.get('*') : undefined;
  return open === undefined ? (direct ?? none) : [...(direct ?? none), ...open];
}

const none: readonly Rule[] = [];
