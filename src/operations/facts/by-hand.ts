import { z } from 'zod';
import {
  detachedFrom,
  pinnedSince,
  retractionOf,
  valueEntered,
  withChange,
  withoutLastChange,
} from '../../facts/by-hand.js';
import { readValue } from '../../facts/values.js';
import { applySecretPolicyToText } from '../../ingestion/secret-policy.js';
import { conflictAt, notFoundAt } from '../../model/errors.js';
import { type Fact, type FactChange, type FactSource, factChangeKinds, factId } from '../../model/fact.js';
import { utcRange } from '../../model/time.js';
import { date, memoryId } from '../fields.js';
import type { Operation } from '../operation.js';
import {
  type ChangeInput,
  type ChangeOutput,
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

/*
 * Changes that a user makes to a known fact: correct, retract, pin, detach a source, and undo the last change.
 */

const correctInput = changeInput.extend({
  fact_id: changeInput.shape.fact_id.describe('The fact whose value is wrong'),
  value: valueInput.describe('The correct value'),
});

const correctOutput = changeOutput.extend({
  id: z.string().describe('The fact with the correct value; for tokens that may not read, the fact that was named'),
  superseded: factOutput
    .optional()
    .describe('The fact with the old value, which stays as history; absent if only the wording changed'),
});

/** Replaces a wrong value, which stays as history. A pin moves to the right value. */
export const correctFact: Operation<z.infer<typeof correctInput>, z.infer<typeof correctOutput>> = {
  name: 'facts_correct',
  summary: 'Correct the value of a fact',
  input: correctInput,
  output: correctOutput,
  async run(service, call, { fact_id, project_id, ...given }) {
    const value = applySecretPolicyToText(given.value, 'value', service.settings);
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

/** Undefined when the same correction was already made. */
function corrected(
  known: ReadonlyMap<string, Fact>,
  place: ChangePlace,
  { old, id, value }: { old: Fact; id: string; value: string },
): Edit | undefined {
  const last = old.changes?.at(-1);
  if (last?.kind === 'corrected' && last.by === id && known.get(id)?.status === 'active') return undefined;
  if (old.status !== 'active') {
    throw conflictAt('fact_id', 'is no longer true; correct the fact that replaced it, or add one');
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
  // One time for both facts, later than every statement about either.
  const at = [place.timeFor(old), place.timeFor(fact)].sort().at(-1) ?? place.timeFor(old);
  return {
    changed: [
      withChange(old, { kind: 'corrected', at, by: id }),
      withChange(fact, { kind: 'added', at, corrects: old.id, ...pinned }, value),
    ],
  };
}

const retractInput = changeInput.extend({
  until: date
    .optional()
    .describe('Until when it was true; it then stays in answers as history. A plain date includes the whole UTC day'),
});

/** Marks a fact as false, or as no longer true. Only a later message or the user can bring it back. */
export const retractFact: Operation<z.infer<typeof retractInput>, ChangeOutput> = {
  name: 'facts_retract',
  summary: 'Mark a fact as wrong or no longer true',
  input: retractInput,
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

/** For today, the time of the change, because the day is not over yet. */
function lastMoment(until: string, { created_at }: Fact, at: string): string {
  const { first = until, last = until } = utcRange(until) ?? {};
  if (first > at) throw conflictAt('until', 'must not be later than now');
  if (last < created_at) throw conflictAt('until', 'must not be before the fact was first stated');
  return last < at ? last : at;
}

/** Repeating the same request, with the same day if it names one, changes nothing. */
function isSameEnd(before: { at: string; until?: string }, { until }: { until?: string }): boolean {
  if (before.until === undefined || until === undefined) return before.until === until;
  return before.until === until || (before.until === before.at && before.until.slice(0, 10) === until.slice(0, 10));
}

/** A pinned fact stays current regardless of later statements, and is listed first. */
export const pinFact: Operation<ChangeInput, ChangeOutput> = {
  name: 'facts_pin',
  summary: 'Pin a fact: it stays current regardless of later statements, and is listed first',
  input: changeInput,
  output: changeOutput,
  run: (service, call, input) => pinning('pinned')(service, call, input),
};

/** Statements decide again, so the fact may be replaced by a newer one. */
export const unpinFact: Operation<ChangeInput, ChangeOutput> = {
  name: 'facts_unpin',
  summary: 'Unpin a fact: newer statements may replace it again',
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
            throw conflictAt('fact_id', 'is no longer true; only an active fact can be pinned');
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

const detachInput = changeInput.extend({
  conversation_id: memoryId.describe('The conversation that does not state the fact'),
  message_index: z.int().min(0).optional().describe('Only this message of it; default all messages'),
});

/** Detaches sentences from a fact that they do not state. A fact that nothing else states no longer holds. */
export const detachFactSource: Operation<z.infer<typeof detachInput>, ChangeOutput> = {
  name: 'facts_detach',
  summary: 'Detach a fact from a conversation that does not state it',
  input: detachInput,
  output: changeOutput,
  run(service, call, { fact_id, project_id, conversation_id, message_index }) {
    const blind: ChangeOutput = { status: 'ok', id: fact_id };
    const isMeant = (source: FactSource): boolean =>
      source.conversation_id === conversation_id &&
      (message_index === undefined || source.message_index === message_index);
    return toldOf(call, { projectId: project_id, blind }, async () => {
      const now = await changeFacts(service, call, {
        event: 'fact_source_detached',
        projectId: project_id,
        about: fact_id,
        edit(known, place) {
          const fact = known.get(fact_id);
          if (fact === undefined) throw notFound();
          refuseInferred(fact.predicate, 'fact_id');
          const sources = fact.sources.filter(isMeant);
          if (sources.length > 0) {
            return { changed: [withChange(fact, { kind: 'detached', at: place.timeFor(fact), sources })] };
          }
          if (detachedFrom(fact).some(isMeant)) return undefined;
          throw notFoundAt('conversation_id', 'does not state this fact');
        },
      });
      const fact = now.get(fact_id);
      if (fact === undefined) throw notFound();
      return { status: 'ok', id: fact.id, ...shown(call.principal, fact) };
    });
  },
};

const undoOutput = changeOutput.extend({
  undone: z
    .enum([...factChangeKinds, 'superseded'])
    .optional()
    .describe('The change that was undone; only for tokens that may read'),
  fact: changeOutput.shape.fact.describe('The fact after the change; absent if only the undone change stated it'),
});

type UndoOutput = z.infer<typeof undoOutput>;

/** Undoes the user's last change to a fact; repeating it goes further back. */
export const undoFactChange: Operation<ChangeInput, UndoOutput> = {
  name: 'facts_undo',
  summary: 'Undo the last change made to a fact by hand',
  input: changeInput,
  output: undoOutput,
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
          if (last === undefined) throw conflictAt('fact_id', 'was not changed by hand, so there is nothing to undo');
          undone = last.kind;
          return undoing(known, fact, last);
        },
      });
      const fact = now.get(fact_id);
      return { status: 'ok', id: fact_id, undone, ...(fact === undefined ? {} : shown(call.principal, fact)) };
    });
  },
};

/** A correction changed two facts, and both are restored. */
function undoing(known: ReadonlyMap<string, Fact>, fact: Fact, last: FactChange): Edit {
  const other = known.get(otherOf(last) ?? '');
  if (other === undefined || other.id === fact.id) return split([withoutLastChange(fact)]);
  if (other.changes?.at(-1)?.at !== last.at) {
    throw conflictAt('fact_id', `was corrected together with ${other.id}, which was changed since; undo that first`);
  }
  return split([withoutLastChange(fact), withoutLastChange(other)]);
}

function otherOf(change: FactChange | undefined): string | undefined {
  if (change?.kind === 'corrected') return change.by;
  return change?.kind === 'added' ? change.corrects : undefined;
}

/** A fact left without a source is removed, as it was before the change; one with detached sources keeps them. */
function split(facts: readonly Fact[]): Edit {
  const isKept = (fact: Fact): boolean => fact.sources.length > 0 || detachedFrom(fact).length > 0;
  return { changed: facts.filter(isKept), gone: facts.filter((fact) => !isKept(fact)).map(({ id }) => id) };
}
