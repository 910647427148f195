import { predicateKinds } from '../../../../src/facts/predicates.js';
import type { FactOutput } from '../../../../src/operations/facts/present.js';

/** Several current values where there can be one. */
export interface Conflict {
  key: string;
  subject: string;
  predicate: string;
  facts: readonly FactOutput[];
}

/** `kept` holds the conflicts that the user wants to keep; see `nameOf`. */
export function conflictsIn(facts: readonly FactOutput[], kept: ReadonlySet<string> = new Set()): Conflict[] {
  const groups = new Map<string, FactOutput[]>();
  for (const fact of facts) {
    if (fact.status !== 'active' || !hasOneValue(fact.predicate)) continue;
    const key = `${fact.project_id}\n${fact.subject}\n${fact.predicate}`;
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined || group.length < 2 || kept.has(nameOf(group))) return [];
    const newestFirst = group.toSorted((one, other) => (one.stated_at > other.stated_at ? -1 : 1));
    return [{ key, subject: first.subject, predicate: first.predicate, facts: newestFirst }];
  });
}

/** A full name comes before the family it would belong to. */
function hasOneValue(predicate: string): boolean {
  const kind = predicateKinds.find((each) =>
    each.open ? predicate.startsWith(each.predicate) : predicate === each.predicate,
  );
  return kind?.values === 'one';
}

/** A conflict by its values: another value makes it a new one. */
export function nameOf(facts: readonly FactOutput[]): string {
  return facts
    .map(({ id }) => id)
    .sort()
    .join(' ');
}
