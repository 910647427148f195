import { predicateKinds } from '../../../../src/facts/predicates.js';
import type { FactOutput } from '../../../../src/operations/facts/present.js';

/** Several current values where there can be one. */
export interface Conflict {
  key: string;
  subject: string;
  predicate: string;
  facts: readonly FactOutput[];
}

/** Values that were all pinned are meant to stay side by side. */
export function conflictsIn(facts: readonly FactOutput[]): Conflict[] {
  const groups = new Map<string, FactOutput[]>();
  for (const fact of facts) {
    if (fact.status !== 'active' || !hasOneValue(fact.predicate)) continue;
    const key = `${fact.project_id}\n${fact.subject}\n${fact.predicate}`;
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    const isDecided = group.every(({ pinned_at }) => pinned_at !== undefined);
    if (first === undefined || group.length < 2 || isDecided) return [];
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
