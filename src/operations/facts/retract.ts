import { isRetracted, withChange } from '../../facts/by-hand.js';
import type { Operation } from '../operation.js';
import { type ChangeInput, type ChangeOutput, changeFacts, changeInput, changeOutput, notFound } from './change.js';
import { shown } from './supersede.js';

/** The user says that a fact is not so. It stays as history, and only a later message or the user brings it back. */
export const retractFact: Operation<ChangeInput, ChangeOutput> = {
  name: 'facts_retract',
  summary: 'Say that a fact is not so',
  input: changeInput,
  output: changeOutput,
  async run(service, call, { fact_id, project_id }) {
    const now = await changeFacts(service, call, {
      event: 'fact_retracted',
      projectId: project_id,
      about: fact_id,
      edit(known, place) {
        const fact = known.get(fact_id);
        if (fact === undefined) throw notFound();
        if (isRetracted(fact)) return undefined;
        return { changed: [withChange(fact, { kind: 'retracted', at: place.timeFor(fact) })] };
      },
    });
    const fact = now.get(fact_id);
    if (fact === undefined) throw notFound();
    return { status: 'ok', id: fact.id, ...shown(call.principal, fact) };
  },
};
