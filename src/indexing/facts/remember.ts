import type { KeyedMutex } from '../../concurrency/locks.js';
import { createTimeSlice, runYielding, type TimeSlice } from '../../concurrency/yielding.js';
import type { Statement } from '../../facts/extract.js';
import { kindOf } from '../../facts/predicates.js';
import { type Group, groupOf, type Occasion, reconciling, withdraw } from '../../facts/reconcile.js';
import { factTerms } from '../../facts/values.js';
import { type SaveIntent, saveIntents, timeOf } from '../../model/conversation.js';
import type { Fact } from '../../model/fact.js';
import { groupKey, nextRevision, putFact, removeFacts } from '../../records/facts.js';
import type { Records } from '../../records/open.js';
import type { Change, ChunkRow, ConversationRow, MessageRow } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';

/** The dependencies for writing facts. */
export interface FactWriter {
  records: Records;
  mutex: KeyedMutex;
}

interface Extraction {
  row: ConversationRow;
  /** All messages of the conversation in order: a statement has the time of its message. */
  messages: readonly Pick<MessageRow, 'timestamp'>[];
  statements: readonly Statement[];
  chunks: readonly Pick<ChunkRow, 'message_index' | 'chunk_index' | 'start'>[];
}

const attempts = 20;

/**
 * Commits a conversation's changes together with the facts it states, so that an acknowledged insert includes its
 * facts. Facts of one subject and predicate are written under a keyed mutex, and their revision detects writers in
 * other processes, so that no fact is lost.
 */
export async function writeWithFacts(
  service: FactWriter,
  extraction: Extraction,
  changes: readonly Change[],
): Promise<void> {
  if (extraction.statements.length === 0 || extraction.row.memory_status !== 'active')
    return service.records.write(changes);
  const occasion = occasionOf(extraction);
  const groups = byGroup(extraction.statements);
  return withGroupsLocked(service, extraction.row.project_id, groups, async () => {
    const slice = createTimeSlice();
    const planned = await Promise.all(groups.map((group) => plan(service, occasion, group, slice)));
    return [...changes, ...planned.flat()];
  });
}

/** Retracts the facts of a conversation that was forgotten or is no longer active. */
export async function writeWithoutFacts(
  service: FactWriter,
  row: Pick<ConversationRow, 'id' | 'project_id'>,
  changes: readonly Change[],
): Promise<void> {
  const { facts } = service.records;
  const groups = byGroup(await facts.statedIn(row.project_id, row.id));
  return withGroupsLocked(service, row.project_id, groups, async () => {
    // Revisions are read first, so that later writes are detected.
    const revisions = await facts.revisions(groups.map(({ group }) => groupKey(row.project_id, group)));
    const stated = new Map(byGroup(await facts.statedIn(row.project_id, row.id)).map((each) => [each.group.id, each]));
    const planned = groups.map(({ group }) =>
      withdrawal(service, row, { group, revisions, stated: stated.get(group.id)?.items ?? [] }),
    );
    return [...changes, ...(await Promise.all(planned)).flat()];
  });
}

interface Grouped<Item> {
  group: Group;
  items: Item[];
}

function byGroup<Item extends { subject: string; predicate: string }>(items: readonly Item[]): Grouped<Item>[] {
  const groups = new Map<string, Grouped<Item>>();
  for (const item of items) {
    const group = groupOf(item);
    const known = groups.get(group.id);
    if (known === undefined) groups.set(group.id, { group, items: [item] });
    else known.items.push(item);
  }
  return [...groups.values()].sort((one, other) => (one.group.id < other.group.id ? -1 : 1));
}

/** Locks in sorted order, so that two conversations about the same things cannot deadlock. */
async function withGroupsLocked(
  service: FactWriter,
  projectId: string,
  groups: readonly Grouped<unknown>[],
  changes: () => Promise<Change[]>,
): Promise<void> {
  const write = async (): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await service.records.write(await changes());
      } catch (error) {
        const lost = error instanceof WriteConflict && error.table === 'fact_groups';
        if (!lost || attempt === attempts) throw error;
      }
    }
  };
  const locked = groups.reduceRight<() => Promise<void>>(
    (run, { group }) =>
      () =>
        service.mutex(`facts\n${groupKey(projectId, group)}`, run),
    write,
  );
  return locked();
}

async function plan(
  service: FactWriter,
  occasion: Occasion,
  { group, items }: Grouped<Statement>,
  slice: TimeSlice,
): Promise<Change[]> {
  const { projectId } = occasion;
  const id = groupKey(projectId, group);
  const { facts } = service.records;
  const keys = [...new Set(items.map(({ object_key }) => object_key))];
  // Where values add up, only equal values and endings matter, unless this statement is itself an ending.
  const partly =
    kindOf(group.predicates[0] ?? '')?.values === 'many' &&
    items.every(({ ends, corrects }) => !ends && corrects === undefined);
  const [revisions, ...found] = await Promise.all([
    facts.revisions([id]),
    ...(partly
      ? [facts.inGroup(projectId, group, { keys }), facts.inGroup(projectId, group, { ended: true })]
      : [facts.inGroup(projectId, group)]),
  ]);
  const known = new Map(found.flat().map((fact) => [fact.id, fact]));
  const judged = await runYielding(reconciling([...known.values()], items, occasion), { slice });
  const touched = partly ? judged.filter(({ object_key }) => keys.includes(object_key)) : judged;
  return [nextRevision(projectId, id, revisions.get(id)), ...changedFacts(known, touched)];
}

async function withdrawal(
  service: FactWriter,
  row: Pick<ConversationRow, 'id' | 'project_id'>,
  { group, revisions, stated }: { group: Group; revisions: ReadonlyMap<string, number>; stated: readonly Fact[] },
): Promise<Change[]> {
  const id = groupKey(row.project_id, group);
  // `inGroup` returns only the newest values of a large group; the withdrawn facts may be older.
  const found = [...(await service.records.facts.inGroup(row.project_id, group)), ...stated];
  const known = new Map(found.map((fact) => [fact.id, fact]));
  const { kept, gone } = withdraw([...known.values()], row.id);
  const removed = removeFacts(gone.flatMap((each) => known.get(each) ?? []));
  return [nextRevision(row.project_id, id, revisions.get(id)), ...changedFacts(known, kept), ...removed];
}

/** The writes for the facts of a group that are new or differ from before. */
export function changedFacts(before: ReadonlyMap<string, Fact>, after: readonly Fact[]): Change[] {
  return after.flatMap((fact) => {
    const known = before.get(fact.id);
    return isSame(known, fact) ? [] : putFact(fact, factTerms(fact), known);
  });
}

function isSame(before: Fact | undefined, after: Fact): boolean {
  if (before === undefined) return false;
  const sorted = (fact: Fact): string =>
    JSON.stringify(Object.entries(fact).sort(([one], [other]) => (one < other ? -1 : 1)));
  return sorted(before) === sorted(after);
}

function occasionOf({ row, messages, chunks }: Extraction): Occasion {
  const intent = saveIntents.find((each): each is SaveIntent => each === row.metadata.save_intent);
  const intentSource = row.metadata.save_intent_source;
  const byMessage = new Map<number, Extraction['chunks'][number][]>();
  for (const chunk of chunks) {
    const known = byMessage.get(chunk.message_index);
    if (known === undefined) byMessage.set(chunk.message_index, [chunk]);
    else known.push(chunk);
  }
  return {
    projectId: row.project_id,
    ownerId: row.owner_id,
    conversationId: row.id,
    source: row.source,
    saidAt: (messageIndex) => timeOf(messages[messageIndex] ?? {}, row).at,
    saveIntent: intent,
    saveIntentSource: typeof intentSource === 'string' ? intentSource : undefined,
    chunkAt: (messageIndex, start) =>
      byMessage.get(messageIndex)?.findLast((chunk) => chunk.start <= start)?.chunk_index ?? 0,
  };
}
