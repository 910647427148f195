import type { FactOutput } from '../../../../src/operations/facts/present.js';
import type { Key } from '../../strings/en.js';

/** Which predicates are shown together, in this order; a name ending in `_` stands for all that begin like it. */
const families: readonly [Key, readonly string[]][] = [
  ['familyProfile', ['profile_', 'allergic_to', 'date_', 'native_language', 'speaks']],
  ['familyPeople', ['family', 'relation_', 'pet_']],
  ['familyThings', ['owns_']],
  ['familyTastes', ['likes', 'dislikes', 'prefers', 'favorite_', 'habit']],
  ['familySkills', ['knows', 'plays', 'learning', 'studied']],
  ['familyPlans', ['plans', 'goal', 'decision', 'deadline', 'launch_date']],
  ['familyTopics', ['recurring_topic']],
];

export interface Group {
  key: string;
  subject: string;
  predicate: string;
  active: FactOutput[];
  /** What is no longer so, the latest first. */
  past: FactOutput[];
}

export interface Family {
  name: Key;
  groups: Group[];
}

/** Facts about one thing stand together, things of one kind under one heading. */
export function familiesOf(facts: readonly FactOutput[]): Family[] {
  const groups = new Map<string, Group>();
  for (const fact of facts) {
    const key = `${fact.subject}\n${fact.predicate}`;
    const group = groups.get(key) ?? { key, subject: fact.subject, predicate: fact.predicate, active: [], past: [] };
    (fact.status === 'active' ? group.active : group.past).push(fact);
    groups.set(key, group);
  }
  for (const { past } of groups.values()) past.sort((one, other) => (one.stated_at > other.stated_at ? -1 : 1));
  const names = [...families.map(([name]) => name), 'familyOther' as const];
  return names
    .map((name) => ({ name, groups: [...groups.values()].filter(({ predicate }) => familyOf(predicate) === name) }))
    .filter((family) => family.groups.length > 0);
}

function familyOf(predicate: string): Key {
  const found = families.find(([, members]) =>
    members.some((member) => (member.endsWith('_') ? predicate.startsWith(member) : predicate === member)),
  );
  return found?.[0] ?? 'familyOther';
}
