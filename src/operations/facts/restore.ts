import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { doer } from '../../auth/audit.js';
import { decisionAgainst } from '../../facts/by-hand.js';
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
  fact_id: factIdInput.describe('The fact that was superseded by hand'),
  project_id: projectId.optional(),
});

const output = z.object({ status: z.literal('ok'), id: z.string(), fact: factOutput.optional() });

type RestoreInput = z.infer<typeof input>;

const attempts = 20;

/** Takes a caller's decision back. What was said decides again, so the fact may still not be the newest one. */
export const restoreFact: Operation<RestoreInput, z.infer<typeof output>> = {
  name: 'facts_restore',
  summary: 'Take back that a fact was superseded by hand',
  input,
  output,
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
          // Somebody said something about the same just now: look again.
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
      throw invalidInput('fact_id', 'was corrected or retracted; undo that change instead');
    }
    throw invalidInput('fact_id', 'was superseded by what was said, which stands; only a decision can be taken back');
  }
  const { group, changes } = await decided(records, fact, ({ superseded_by_hand: _, ...left }) => left);
  await records.write(changes);
  return group.get(id) ?? fact;
}
