import { pinnedSince, withChange } from '../../facts/by-hand.js';
import { invalidInput } from '../../model/errors.js';
import type { Operation } from '../operation.js';
import {
  type ChangeInput,
  type ChangeOutput,
  changeFacts,
  changeInput,
  changeOutput,
  notFound,
  shown,
  toldOf,
} from './change.js';

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
  run: (service, call, input) => pinning('unpinned')(service, call, input),
};

function pinning(kind: 'pinned' | 'unpinned'): Operation<ChangeInput, ChangeOutput>['run'] {
  return (service, call, { fact_id, project_id }) => {
    const blind: ChangeOutput = { status: 'ok', id: fact_id };
    return toldOf(call, { projectId: project_id, blind }, async () => {
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
    });
  };
}
