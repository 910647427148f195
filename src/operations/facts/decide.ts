import { groupOf, judged } from '../../facts/reconcile.js';
import { changedFacts } from '../../indexing/facts/remember.js';
import type { Fact } from '../../model/fact.js';
import { groupKey, nextRevision } from '../../records/facts.js';
import type { Records } from '../../records/open.js';
import type { Change } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';

/** A decision about a fact, made or taken back. */
export interface Decided {
  /** Every fact of the group as it is judged with the decision, by its id. */
  group: ReadonlyMap<string, Fact>;
  changes: Change[];
}

/** Judges a fact and its group anew after a caller's decision about it; what the decision does not touch stays as it is. */
export async function decided(records: Records, fact: Fact, change: (fact: Fact) => Fact): Promise<Decided> {
  const group = groupOf(fact);
  const key = groupKey(fact.project_id, group);
  // Read before the facts: whoever writes them in between is noticed.
  const revision = (await records.facts.revisions([key])).get(key);
  const found = await records.facts.inGroup(fact.project_id, group);
  // Of a large group only the newest are found; this one may be older, and what the caller read may not be so any more.
  const named = await records.facts.inGroup(fact.project_id, group, { keys: [fact.object_key] });
  const before = new Map([...named, ...found].map((each) => [each.id, each]));
  // Gone meanwhile: whoever looks again does not find it.
  if (!before.has(fact.id)) throw new WriteConflict('facts');
  const after = judged([...before.values()].map((each) => (each.id === fact.id ? change(each) : each)));
  const touched = after.filter((each) => each.id === fact.id || !isJudgedAlike(before.get(each.id), each));
  return {
    group: new Map(after.map((each) => [each.id, each])),
    changes: [nextRevision(fact.project_id, key, revision), ...changedFacts(before, touched)],
  };
}

function isJudgedAlike(one: Fact | undefined, other: Fact): boolean {
  return one?.status === other.status && one.superseded_by === other.superseded_by;
}
