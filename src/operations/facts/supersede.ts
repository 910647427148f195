import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { doer } from '../../auth/audit.js';
import type { Visibility } from '../../model/access.js';
import { invalidInput } from '../../model/errors.js';
import type { Fact } from '../../model/fact.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { projectId } from '../fields.js';
import type { Operation } from '../operation.js';
import type { Service } from '../service.js';
import { notFound, shown, toldOf } from './change.js';
import { decided } from './decide.js';
import { factIdInput } from './input.js';
import { factOutput } from './present.js';

const input = z.strictObject({
  fact_id: factIdInput.describe('The fact that no longer holds'),
  superseded_by: factIdInput.describe('The fact that took its place'),
  project_id: projectId.optional(),
});

const output = z.object({
  status: z.literal('ok'),
  id: z.string(),
  superseded_by: z.string(),
  fact: factOutput.optional().describe('The fact as it is now; only for tokens that may read'),
});

type SupersedeInput = z.infer<typeof input>;

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
  /** When it was decided. */
  at: string;
}

/** A caller's decision that one fact took the place of another. The same decision again changes nothing. */
export async function supersedeByHand(service: Service, visibility: Visibility, decision: Decision): Promise<Fact> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await supersede(service, visibility, decision);
    } catch (error) {
      // Somebody said something about the same just now: look again.
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
  if (old.id === next.id) throw invalidInput('superseded_by', 'must be another fact');
  if (old.status === 'superseded' && old.superseded_by === next.id) return old;
  // The decision is kept beside the sources, so that judging the group again does not forget it.
  const superseded_by_hand = { superseded_by: next.id, superseded_at };
  const { group, changes } = await decided(service.records, old, (fact) => ({ ...fact, superseded_by_hand }));
  await refuseCycle(service, visibility, { from: next, to: old, group });
  await service.records.write(changes);
  return group.get(old.id) ?? old;
}

const longestChain = 1_000;

/** A chain of superseded facts must end at one that stands, as the group is judged with the decision. */
async function refuseCycle(
  service: Service,
  visibility: Visibility,
  { from, to, group }: { from: Fact; to: Fact; group: ReadonlyMap<string, Fact> },
): Promise<void> {
  let current: Fact | undefined = group.get(from.id) ?? from;
  for (let step = 0; current !== undefined && step < longestChain; step++) {
    if (current.superseded_by === undefined) return;
    if (current.superseded_by === to.id) throw invalidInput('superseded_by', 'is itself superseded by this fact');
    const { superseded_by }: Fact = current;
    current = group.get(superseded_by) ?? (await service.records.facts.byIds(visibility, [superseded_by]))[0];
  }
}
