import { z } from 'zod';
import { mayRead, visibilityOf } from '../../auth/access.js';
import { type AuditEventName, doer } from '../../auth/audit.js';
import { kindOf } from '../../facts/predicates.js';
import { type Group, groupOf, judgedAnew } from '../../facts/reconcile.js';
import { readValue } from '../../facts/values.js';
import { changedFacts } from '../../indexing/facts/remember.js';
import type { Principal } from '../../model/access.js';
import { conflictAt, invalidInput, MemoryError } from '../../model/errors.js';
import type { Fact } from '../../model/fact.js';
import { noted } from '../../model/parse.js';
import { storableText } from '../../model/text.js';
import { timeAfter } from '../../model/time.js';
import { groupKey, nextRevision, removeFacts } from '../../records/facts.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { projectId, textUpTo } from '../fields.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import { factOutput, presentFact } from './present.js';
import { factIdInput } from './search.js';

/** The input shared by all changes to one fact. */
export const changeInput = z.strictObject({ fact_id: factIdInput, project_id: projectId.optional() });

export type ChangeInput = z.infer<typeof changeInput>;

export const changeOutput = z.object({
  status: z.literal('ok'),
  id: z.string(),
  fact: factOutput.optional().describe('The fact after the change; only for tokens that may read'),
});

export type ChangeOutput = z.infer<typeof changeOutput>;

/** Values are short: longer text belongs in a conversation. */
export const valueInput = noted(
  textUpTo(1_000)
    .transform((text) => storableText(text).replace(/\s+/g, ' ').trim())
    .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must contain a letter or a digit'),
  { pattern: '[\\p{L}\\p{N}]' },
);

/** The effect of a change on a group: changed or new facts, and removed ones. */
export interface Edit {
  changed: Fact[];
  gone?: string[];
}

interface ChangeRequest {
  /** Absent for an import, which has its own audit entry. */
  event?: AuditEventName;
  projectId: string | undefined;
  /** The id of the fact to change, or the subject and predicate of a new one. */
  about: string | { subject: string; predicate: string };
  /** Ids of other facts in the group that may change: of a large group only the newest are read. */
  also?: (projectId: string, target: Fact | { subject: string; predicate: string }) => string[];
  /** Undefined when there is nothing to change: the fact is already in the requested state. */
  edit: (known: ReadonlyMap<string, Fact>, place: ChangePlace) => Edit | undefined;
}

/** The context of a change. */
export interface ChangePlace {
  projectId: string;
  ownerId: string;
  group: Group;
  /** The time of a change to a fact: now, or just after the newest statement that it overrides. */
  timeFor: (fact: Pick<Fact, 'id' | 'predicate'>) => string;
}

const attempts = 20;

/**
 * Changes facts of one group and judges the group again; of the other facts, only those affected are written. Returns
 * the group by id, as it is now.
 */
export async function changeFacts(
  service: Service,
  call: Call,
  request: ChangeRequest,
): Promise<ReadonlyMap<string, Fact>> {
  const visibility = visibilityOf(call.principal, { projectId: request.projectId });
  const { projectId } = visibility;
  const { records } = service;
  for (let attempt = 1; ; attempt++) {
    const { about } = request;
    const target = typeof about === 'string' ? (await records.facts.byIds(visibility, [about]))[0] : about;
    if (target === undefined) throw notFound();
    const group = groupOf(target);
    const key = groupKey(projectId, group);
    // Read before the facts, so that a concurrent write is detected.
    const revision = (await records.facts.revisions([key])).get(key);
    const found = await records.facts.inGroup(projectId, group);
    // Of a large group only the newest facts are read; these may be older. A fact forgotten in the meantime is missing.
    const ids = [...(typeof about === 'string' ? [about] : []), ...(request.also?.(projectId, target) ?? [])];
    const named = await records.facts.byIds(visibility, ids);
    const known = new Map([...named, ...found].map((fact) => [fact.id, fact]));
    if (typeof about === 'string' && !known.has(about)) throw notFound();
    const place: ChangePlace = {
      projectId,
      ownerId: call.principal.userId,
      group,
      timeFor: (fact) => timeAfter(newestStatement([...known.values()], fact), service.now()),
    };
    const edit = request.edit(known, place);
    if (edit === undefined) return known;
    const { changed, gone = [] } = edit;
    const changedIds = new Set(changed.map(({ id }) => id));
    const touched = judgedAnew([...known.values()], groupAfter(known, edit), changedIds);
    const removed = removeFacts(gone.flatMap((id) => known.get(id) ?? []));
    try {
      await records.write([nextRevision(projectId, key, revision), ...changedFacts(known, touched), ...removed]);
    } catch (error) {
      // A concurrent statement about the same subject: retry.
      if (!(error instanceof WriteConflict) || attempt === attempts) throw error;
      continue;
    }
    const { event } = request;
    const targets = [...changedIds, ...gone];
    if (event !== undefined) await service.audit.record({ event, ...doer(call.principal), projectId, targets });
    const now = new Map([...known, ...touched.map((fact) => [fact.id, fact] as const)]);
    for (const id of gone) now.delete(id);
    return now;
  }
}

/**
 * Answers a change of a fact. Fact ids are derived from the fact's text, so a caller without read access could otherwise test
 * whether something is known, pinned or retracted by trying to change it. Such a caller always gets `blind`, whether or not
 * the fact exists or can be changed.
 */
export async function toldOf<Answer extends object>(
  { principal }: Call,
  { projectId, blind }: { projectId: string | undefined; blind: Answer },
  change: () => Promise<Answer>,
): Promise<Answer> {
  if (mayRead(principal)) return change();
  // A project that the caller may not see is refused as usual.
  visibilityOf(principal, { projectId });
  try {
    await change();
  } catch (error) {
    const isAboutFact = error instanceof MemoryError && (error.code === 'not_found' || error.code === 'conflict');
    if (!isAboutFact) throw error;
  }
  return blind;
}

/** The newest statement that a change has to override: any in a single-valued group, otherwise the fact's own. */
function newestStatement(known: readonly Fact[], { id, predicate }: Pick<Fact, 'id' | 'predicate'>): string {
  const isSingle = kindOf(predicate)?.values === 'one';
  const rivals = known.filter((fact) => fact.id === id || (isSingle && fact.predicate === predicate));
  const times = rivals.flatMap(({ sources, changes = [], superseded_by_hand: hand }) => [
    ...sources.map(({ stated_at }) => stated_at),
    ...changes.map(({ at }) => at),
    ...(hand === undefined ? [] : [hand.superseded_at]),
  ]);
  return times.reduce((newest, time) => (time > newest ? time : newest), '');
}

function groupAfter(known: ReadonlyMap<string, Fact>, { changed, gone = [] }: Edit): Fact[] {
  const after = new Map([...known, ...changed.map((fact) => [fact.id, fact] as const)]);
  for (const id of gone) after.delete(id);
  return [...after.values()];
}

/** A fact entered by the user, before its group is judged. */
export function enteredFact(
  place: ChangePlace,
  { subject, predicate, value, id }: { subject: string; predicate: string; value: string; id: string },
): Fact {
  const now = place.timeFor({ id, predicate });
  return {
    id,
    project_id: place.projectId,
    owner_id: place.ownerId,
    subject,
    subject_key: place.group.subjectKey,
    predicate,
    object_raw: value,
    object_normalized: value,
    object_key: readValue(predicate, value).key,
    qualifiers: {},
    source_quality: 'direct_user_statement',
    confidence: 'high',
    confidence_reason: '',
    status: 'active',
    stated_at: now,
    created_at: now,
    updated_at: now,
    last_confirmed_at: now,
    sources: [],
    source_names: [],
    conversation_ids: [],
  };
}

/** The service derives these from the conversations, so they cannot be entered. */
export function refuseInferred(predicate: string, field: 'predicate' | 'fact_id'): void {
  if (predicate !== 'recurring_topic') return;
  const refusedAt = field === 'predicate' ? invalidInput : conflictAt;
  throw refusedAt(field, 'recurring_topic is counted from the conversations');
}

/** A fact is stored text, so a caller without read access gets only its id. */
export function shown(principal: Principal, fact: Fact): { fact?: z.infer<typeof factOutput> } {
  return mayRead(principal) ? { fact: presentFact(fact) } : {};
}

/** An invisible fact and a missing one get the same response. */
export function notFound(): MemoryError {
  return new MemoryError('not_found', 'No fact with this id is visible to you');
}
