import { z } from 'zod';
import { pinnedSince, valueEntered, withChange } from '../../facts/by-hand.js';
import { readValue } from '../../facts/values.js';
import { guardText } from '../../ingestion/secret-policy.js';
import { invalidInput } from '../../model/errors.js';
import { type Fact, factId } from '../../model/fact.js';
import type { Operation } from '../operation.js';
import {
  type ChangePlace,
  changeFacts,
  changeInput,
  changeOutput,
  type Edit,
  enteredFact,
  notFound,
  refuseInferred,
  shown,
  toldOf,
  valueInput,
} from './change.js';
import { factOutput, presentFact } from './present.js';

const input = changeInput.extend({
  fact_id: changeInput.shape.fact_id.describe('The fact whose value is wrong'),
  value: valueInput.describe('The right value'),
});

const output = changeOutput.extend({
  id: z.string().describe('The fact with the right value; for tokens that may not read, the one that was named'),
  superseded: factOutput
    .optional()
    .describe('The fact with the old value, which stays as history; absent where only the wording changed'),
});

/** The right value takes the place of the wrong one, which stays as history. A pin goes over to the right value. */
export const correctFact: Operation<z.infer<typeof input>, z.infer<typeof output>> = {
  name: 'facts_correct',
  summary: 'Correct the value of a fact',
  input,
  output,
  async run(service, call, { fact_id, project_id, ...given }) {
    const value = guardText(given.value, 'value', service.settings);
    const idAfter = ({ project_id: projectId, subject_key: subjectKey, predicate }: Fact): string =>
      factId({ projectId, subjectKey, predicate, objectKey: readValue(predicate, value).key });
    return toldOf(call, { projectId: project_id, blind: { status: 'ok', id: fact_id } }, async () => {
      let id = fact_id;
      const now = await changeFacts(service, call, {
        event: 'fact_corrected',
        projectId: project_id,
        about: fact_id,
        also: (_, target) => ('id' in target ? [idAfter(target)] : []),
        edit(known, place) {
          const old = known.get(fact_id);
          if (old === undefined) throw notFound();
          refuseInferred(old.predicate, 'fact_id');
          id = idAfter(old);
          return corrected(known, place, { old, id, value });
        },
      });
      const [fact, old] = [now.get(id), now.get(fact_id)];
      if (fact === undefined || old === undefined) throw notFound();
      const answer = shown(call.principal, fact);
      const hasOld = answer.fact !== undefined && id !== fact_id;
      return { status: 'ok' as const, id, ...answer, ...(hasOld ? { superseded: presentFact(old) } : {}) };
    });
  },
};

/** Undefined when it was corrected so before. */
function corrected(
  known: ReadonlyMap<string, Fact>,
  place: ChangePlace,
  { old, id, value }: { old: Fact; id: string; value: string },
): Edit | undefined {
  const last = old.changes?.at(-1);
  if (last?.kind === 'corrected' && last.by === id && known.get(id)?.status === 'active') return undefined;
  if (old.status !== 'active') {
    throw invalidInput('fact_id', 'no longer holds; correct the fact that took its place, or add one');
  }
  const pinned = pinnedSince(old) === undefined ? {} : { pinned: true as const };
  if (id === old.id) {
    const isSo = old.object_raw === value && (last?.kind !== 'added' || valueEntered(old, last) === value);
    if (isSo) return undefined;
    const at = place.timeFor(old);
    return { changed: [withChange(old, { kind: 'added', at, corrects: old.id, ...pinned }, value)] };
  }
  const { subject, predicate } = old;
  const fact = known.get(id) ?? enteredFact(place, { subject, predicate, value, id });
  // One time for both, later than anything that was said about either.
  const at = [place.timeFor(old), place.timeFor(fact)].sort().at(-1) ?? place.timeFor(old);
  return {
    changed: [
      withChange(old, { kind: 'corrected', at, by: id }),
      withChange(fact, { kind: 'added', at, corrects: old.id, ...pinned }, value),
    ],
  };
}
