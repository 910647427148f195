import type { z } from 'zod';
import { retractionOf, withChange } from '../../facts/by-hand.js';
import { invalidInput } from '../../model/errors.js';
import type { Fact } from '../../model/fact.js';
import { utcRange } from '../../model/time.js';
import { date } from '../fields.js';
import type { Operation } from '../operation.js';
import { type ChangeOutput, changeFacts, changeInput, changeOutput, notFound, shown, toldOf } from './change.js';

const input = changeInput.extend({
  until: date
    .optional()
    .describe('Until when it was so: it then stays in answers as history. A plain date includes its whole UTC day'),
});

/** The user says that a fact is not so, or no longer. Only a later message or the user brings it back. */
export const retractFact: Operation<z.infer<typeof input>, ChangeOutput> = {
  name: 'facts_retract',
  summary: 'Say that a fact is not so, or no longer',
  input,
  output: changeOutput,
  run(service, call, { fact_id, project_id, until: asked }) {
    const blind: ChangeOutput = { status: 'ok', id: fact_id };
    return toldOf(call, { projectId: project_id, blind }, async () => {
      const now = await changeFacts(service, call, {
        event: 'fact_retracted',
        projectId: project_id,
        about: fact_id,
        edit(known, place) {
          const fact = known.get(fact_id);
          if (fact === undefined) throw notFound();
          const at = place.timeFor(fact);
          const until = asked === undefined ? {} : { until: lastMoment(asked, fact, at) };
          const before = retractionOf(fact);
          if (before !== undefined && isSameEnd(before, until)) return undefined;
          return { changed: [withChange(fact, { kind: 'retracted', at, ...until })] };
        },
      });
      const fact = now.get(fact_id);
      if (fact === undefined) throw notFound();
      return { status: 'ok', id: fact.id, ...shown(call.principal, fact) };
    });
  },
};

/** Today is not over yet, so of today it is the time of the change. */
function lastMoment(until: string, { created_at }: Fact, at: string): string {
  const { first = until, last = until } = utcRange(until) ?? {};
  if (first > at) throw invalidInput('until', 'must not be later than now');
  if (last < created_at) throw invalidInput('until', 'must not be before the fact was first said');
  return last < at ? last : at;
}

/** The same request again, on the same day where it names the day, changes nothing. */
function isSameEnd(before: { at: string; until?: string }, { until }: { until?: string }): boolean {
  if (before.until === undefined || until === undefined) return before.until === until;
  return before.until === until || (before.until === before.at && before.until.slice(0, 10) === until.slice(0, 10));
}
