import { z } from 'zod';
import { withoutLastChange } from '../../facts/by-hand.js';
import { invalidInput } from '../../model/errors.js';
import { type Fact, type FactChange, factChangeKinds } from '../../model/fact.js';
import type { Operation } from '../operation.js';
import {
  type ChangeInput,
  changeFacts,
  changeInput,
  changeOutput,
  type Edit,
  notFound,
  shown,
  toldOf,
} from './change.js';

const output = changeOutput.extend({
  undone: z
    .enum([...factChangeKinds, 'superseded'])
    .optional()
    .describe('What was taken back; only for tokens that may read'),
  fact: changeOutput.shape.fact.describe('The fact as it is now; absent when nothing but the change stated it'),
});

type UndoOutput = z.infer<typeof output>;

/** Takes back the last change that a user made to a fact, so that repeating it goes further back. */
export const undoFactChange: Operation<ChangeInput, UndoOutput> = {
  name: 'facts_undo',
  summary: 'Take back the last change made to a fact by hand',
  input: changeInput,
  output,
  run(service, call, { fact_id, project_id }) {
    const blind: UndoOutput = { status: 'ok', id: fact_id };
    return toldOf(call, { projectId: project_id, blind }, async () => {
      let undone: UndoOutput['undone'] = 'superseded';
      const now = await changeFacts(service, call, {
        event: 'fact_change_undone',
        projectId: project_id,
        about: fact_id,
        also: (_, target) => ('changes' in target ? [otherOf(target.changes?.at(-1)) ?? ''] : []),
        edit(known) {
          const fact = known.get(fact_id);
          if (fact === undefined) throw notFound();
          const last = fact.changes?.at(-1);
          const { superseded_by_hand: hand, ...left } = fact;
          if (hand !== undefined && hand.superseded_at >= (last?.at ?? '')) {
            undone = 'superseded';
            return { changed: [left] };
          }
          if (last === undefined) throw invalidInput('fact_id', 'was not changed by hand, so there is nothing to undo');
          undone = last.kind;
          return undoing(known, fact, last);
        },
      });
      const fact = now.get(fact_id);
      return { status: 'ok', id: fact_id, undone, ...(fact === undefined ? {} : shown(call.principal, fact)) };
    });
  },
};

/** A correction changed two facts, and both go back. */
function undoing(known: ReadonlyMap<string, Fact>, fact: Fact, last: FactChange): Edit {
  const other = known.get(otherOf(last) ?? '');
  if (other === undefined || other.id === fact.id) return split([withoutLastChange(fact)]);
  if (other.changes?.at(-1)?.at !== last.at) {
    throw invalidInput('fact_id', `was corrected together with ${other.id}, which was changed since; undo that first`);
  }
  return split([withoutLastChange(fact), withoutLastChange(other)]);
}

function otherOf(change: FactChange | undefined): string | undefined {
  if (change?.kind === 'corrected') return change.by;
  return change?.kind === 'added' ? change.corrects : undefined;
}

/** What nothing states any more is gone, as it was before the change. */
function split(facts: readonly Fact[]): Edit {
  return {
    changed: facts.filter(({ sources }) => sources.length > 0),
    gone: facts.filter(({ sources }) => sources.length === 0).map(({ id }) => id),
  };
}
