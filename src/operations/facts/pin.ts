import { mayRead } from '../../auth/access.js';
import { pinnedSince, withChange } from '../../facts/by-hand.js';
import { invalidInput, MemoryError } from '../../model/errors.js';
import type { Operation } from '../operation.js';
import { type ChangeInput, type ChangeOutput, changeFacts, changeInput, changeOutput, notFound } from './change.js';
import { shown } from './supersede.js';

/** A pinned fact stays current whatever is said, and is listed first. */
export const pinFact: Operation<ChangeInput, ChangeOutput> = {
  name: 'facts_pin',
  summary: 'Pin a fact: it stays current whatever is said, and is listed first',
  input: changeInput,
  output: changeOutput,
  run: (service, call, input) => pinning('pinned')(service, call, input),
};

/** What was said decides again, so the fact may give way to a newer statement. */
export const unpinFact: Operation<ChangeInput, ChangeOutput> = {
  name: 'facts_unpin',
  summary: 'Unpin a fact: newer statements may take its place again',
  input: changeInput,
  output: changeOutput,
  async run(service, call, input) {
    try {
      return await pinning('unpinned')(service, call, input);
    } catch (error) {
      const isUnknown = error instanceof MemoryError && error.code === 'not_found';
      // Not pinned it is in any case, and whether there is such a fact is not theirs to know.
      if (isUnknown && !mayRead(call.principal)) return { status: 'ok', id: input.fact_id };
      throw error;
    }
  },
};

function pinning(kind: 'pinned' | 'unpinned'): Operation<ChangeInput, ChangeOutput>['run'] {
  return async (service, call, { fact_id, project_id }) => {
    const now = await changeFacts(service, call, {
      event: kind === 'pinned' ? 'fact_pinned' : 'fact_unpinned',
      projectId: project_id,
      about: fact_id,
      edit(known, place) {
        const fact = known.get(fact_id);
        if (fact === undefined) throw notFound();
        if ((pinnedSince(fact) === undefined) === (kind === 'unpinned')) return undefined;
        if (kind === 'pinned' && fact.status !== 'active') {
          throw invalidInput('fact_id', 'no longer holds; only an active fact can be pinned');
        }
        return { changed: [withChange(fact, { kind, at: place.timeFor(fact) })] };
      },
    });
    const fact = now.get(fact_id);
    if (fact === undefined) throw notFound();
    return { status: 'ok', id: fact.id, ...shown(call.principal, fact) };
  };
}
