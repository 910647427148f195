import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { doer } from '../../auth/audit.js';
import { decisionAgainst } from '../../facts/by-hand.js';
import { groupOf, judged } from '../../facts/reconcile.js';
import { changedFacts } from '../../indexing/facts/remember.js';
import type { Visibility } from '../../model/access.js';
import { conflictAt } from '../../model/errors.js';
import type { Fact } from '../../model/fact.js';
import { groupKey, nextRevision } from '../../records/facts.js';
import type { Records } from '../../records/open.js';
import type { Change } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { projectId } from '../fields.js';
import type { Operation } from '../operation.js';
import type { Service } from '../service.js';
import { notFound, shown, toldOf } from './change.js';
import { factOutput } from './present.js';
import { factIdInput } from './search.js';

/*
 * Superseding a fact by hand, and undoing that.
 */

const input = z.strictObject({
  fact_id: factIdInput.describe('The fact that no longer holds'),
  superseded_by: factIdInput.describe('The fact that replaces it'),
  project_id: projectId.optional(),
});

const output = z.object({
  status: z.literal('ok'),
  id: z.string(),
  superseded_by: z.string(),
  fact: factOutput.optional().describe('The fact after the change; only for tokens that may read'),
});

type SupersedeInput = z.infer<typeof input>;

/** Retries of a decision while others change the same facts. */
const attempts = 20;

export const supersedeFact: Operation<SupersedeInput, z.infer<typeof output>> = {
  name: 'facts_supersede',
  summary: 'Mark a fact as superseded by another one',
  input,
  output,
  async run(service, call, request) {
    const visibility = visibilityOf(call.principal, { projectId: request.project_id });
    const decision = { ...request, at: service.now() };
    const blind = { status: 'ok' as const, id: request.fact_id, superseded_by: request.superseded_by };
    return toldOf(call, { projectId: request.project_id, blind }, async () => {
      const fact = await supersedeByHand(service, visibility, decision);
      const { projectId } = visibility;
      const targets = [request.fact_id, request.superseded_by];
      await service.audit.record({ event: 'fact_superseded', ...doer(call.principal), projectId, targets });
      return { ...blind, ...shown(call.principal, fact) };
    });
  },
};

interface Decision {
  fact_id: string;
  superseded_by: string;
  /** When the decision was made. */
  at: string;
}

/** Records a caller's decision that one fact replaced another. Repeating it changes nothing. */
export async function supersedeByHand(service: Service, visibility: Visibility, decision: Decision): Promise<Fact> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await supersede(service, visibility, decision);
    } catch (error) {
      // A concurrent statement about the same subject: retry.
      if (!(error instanceof WriteConflict) || attempt === attempts) throw error;
    }
  }
}

async function supersede(
  service: Service,
  visibility: Visibility,
  { fact_id, superseded_by, at: superseded_at }: Decision,
): Promise<Fact> {
  const { facts } = service.records;
  const [old] = await facts.byIds(visibility, [fact_id]);
  const [next] = await facts.byIds(visibility, [superseded_by]);
  if (old === undefined || next === undefined) throw notFound();
  if (old.id === next.id) throw conflictAt('superseded_by', 'must be another fact');
  if (old.status === 'superseded' && old.superseded_by === next.id) return old;
  // The decision is stored beside the sources, so that judging the group again keeps it.
  const superseded_by_hand = { superseded_by: next.id, superseded_at };
  const { group, changes } = await decided(service.records, old, (fact) => ({ ...fact, superseded_by_hand }));
  await refuseCycle(service, visibility, { from: next, to: old, group });
  await service.records.write(changes);
  return group.get(old.id) ?? old;
}

const longestChain = 1_000;

/** A chain of superseded facts must end at a current one, judged with the decision. */
async function refuseCycle(
  service: Service,
  visibility: Visibility,
  { from, to, group }: { from: Fact; to: Fact; group: ReadonlyMap<string, Fact> },
): Promise<void> {
  let current: Fact | undefined = group.get(from.id) ?? from;
  for (let step = 0; current !== undefined && step < longestChain; step++) {
    if (current.superseded_by === undefined) return;
    if (current.superseded_by === to.id) throw conflictAt('superseded_by', 'is itself superseded by this fact');
    const { superseded_by }: Fact = current;
    current = group.get(superseded_by) ?? (await service.records.facts.byIds(visibility, [superseded_by]))[0];
  }
}

const restoreInput = z.strictObject({
  fact_id: factIdInput.describe('The fact that was superseded by hand'),
  project_id: projectId.optional(),
});

const restoreOutput = z.object({ status: z.literal('ok'), id: z.string(), fact: factOutput.optional() });

type RestoreInput = z.infer<typeof restoreInput>;

/** Undoes a caller's decision. Statements decide again, so the fact may still be superseded. */
export const restoreFact: Operation<RestoreInput, z.infer<typeof restoreOutput>> = {
  name: 'facts_restore',
  summary: 'Undo superseding a fact by hand',
  input: restoreInput,
  output: restoreOutput,
  async run(service, call, { fact_id, project_id }) {
    const visibility = visibilityOf(call.principal, { projectId: project_id });
    return toldOf(call, { projectId: project_id, blind: { status: 'ok' as const, id: fact_id } }, async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          const fact = await restore(service, visibility, fact_id);
          const { projectId } = visibility;
          await service.audit.record({
            event: 'fact_restored',
            ...doer(call.principal),
            projectId,
            targets: [fact.id],
          });
          return { status: 'ok' as const, id: fact.id, ...shown(call.principal, fact) };
        } catch (error) {
          // A concurrent write changed the same group of facts: read it again and retry.
          if (!(error instanceof WriteConflict) || attempt === attempts) throw error;
        }
      }
    });
  },
};

async function restore({ records }: Service, visibility: Visibility, id: string): Promise<Fact> {
  const [fact] = await records.facts.byIds(visibility, [id]);
  if (fact === undefined) throw notFound();
  if (fact.superseded_by_hand === undefined) {
    if (fact.status === 'active') return fact;
    if (decisionAgainst(fact) !== undefined) {
      throw conflictAt('fact_id', 'was corrected or retracted; undo that change instead');
    }
    throw conflictAt('fact_id', 'was superseded by a later message; only a decision made by hand can be undone');
  }
  const { group, changes } = await decided(records, fact, ({ superseded_by_hand: _, ...left }) => left);
  await records.write(changes);
  return group.get(id) ?? fact;
}

/** The result of making or undoing a decision. */
interface Decided {
  /** Every fact of the group as judged with the decision, by id. */
  group: ReadonlyMap<string, Fact>;
  changes: Change[];
}

/** Judges a fact and its group again after a decision; facts that the decision does not affect stay as they are. */
export async function decided(records: Records, fact: Fact, change: (fact: Fact) => Fact): Promise<Decided> {
  const group = groupOf(fact);
  const key = groupKey(fact.project_id, group);
  // Read before the facts, so that a concurrent write is detected.
  const revision = (await records.facts.revisions([key])).get(key);
  const found = await records.facts.inGroup(fact.project_id, group);
  // Of a large group only the newest are read; this fact may be older, and the caller's copy may be outdated.
  const named = await records.facts.inGroup(fact.project_id, group, { keys: [fact.object_key] });
  const before = new Map([...named, ...found].map((each) => [each.id, each]));
  // Removed in the meantime: the retry does not find it.
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
