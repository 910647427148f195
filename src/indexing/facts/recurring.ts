import { isDeepStrictEqual } from 'node:util';
import { groupOf, judged } from '../../facts/reconcile.js';
import { factTerms, keyOf } from '../../facts/values.js';
import { type Fact, type FactSource, factId } from '../../model/fact.js';
import { groupKey, nextRevision, putFact, removeFacts } from '../../records/facts.js';
import type { Records } from '../../records/open.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Change } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';

const subject = 'user';
const predicate = 'recurring_topic';
const group = groupOf({ subject, predicate });
const mostSources = 5;
/** A topic of one conversation says nothing about the user. */
const leastConversations = 2;

/** Rewrites the facts about these topics from the conversations that have them. Idempotent. */
export async function noteRecurringTopics(
  records: Records,
  projectId: string,
  topics: readonly string[],
): Promise<void> {
  const key = groupKey(projectId, group);
  for (let attempt = 1; ; attempt++) {
    // Read before the facts: whoever pins or retracts one in between is noticed.
    const revision = (await records.facts.revisions([key])).get(key);
    const changes: Change[] = [];
    for (const topic of topics) changes.push(...(await changesFor(records, projectId, topic)));
    if (changes.length === 0) return;
    try {
      await records.write([nextRevision(projectId, key, revision), ...changes]);
      return;
    } catch (error) {
      if (!(error instanceof WriteConflict) || attempt === attempts) throw error;
    }
  }
}

const attempts = 20;

async function changesFor(records: Records, projectId: string, topic: string): Promise<Change[]> {
  const objectKey = keyOf(topic);
  const id = factId({ projectId, subjectKey: subject, predicate, objectKey });
  const [known] = await records.facts.inGroup(projectId, group, { keys: [objectKey] });
  const total = await records.topics.count(projectId, topic);
  if (total < leastConversations) return known === undefined ? [] : removeFacts([known]);
  const rows = await conversationsOf(records, projectId, topic);
  const [newest] = rows;
  if (newest === undefined) return [];
  const sources = rows.map((row) => sourceOf(row, topic)).reverse();
  const [fact] = judged([draftOf({ id, newest, topic, objectKey, sources, known })]);
  if (fact === undefined) return [];
  const noted = {
    ...fact,
    qualifiers: { topic, conversations: total },
    confidence_reason: `Inferred: a topic of ${total} conversations.`,
  };
  // The revision tells that something changed, so what is as it was is not written.
  return isDeepStrictEqual(noted, known) ? [] : putFact(noted, factTerms(noted), known);
}

async function conversationsOf(records: Records, projectId: string, topic: string): Promise<ConversationRow[]> {
  const rows: ConversationRow[] = [];
  for (const { conversation_id } of await records.topics.newest(projectId, topic, mostSources)) {
    const row = await records.conversations.holderOfId(conversation_id);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** The conversation as a whole is the source: no single sentence says it. */
function sourceOf(row: ConversationRow, topic: string): FactSource {
  return {
    conversation_id: row.id,
    message_index: 0,
    chunk_index: 0,
    start: 0,
    end: 0,
    source: row.source,
    stated_at: row.at,
    role: 'user',
    object_raw: topic,
    inferred: true,
  };
}

interface Draft {
  id: string;
  newest: ConversationRow;
  topic: string;
  objectKey: string;
  sources: FactSource[];
  known: Fact | undefined;
}

function draftOf({ id, newest, topic, objectKey, sources, known }: Draft): Fact {
  return {
    id,
    project_id: newest.project_id,
    owner_id: newest.owner_id,
    subject,
    subject_key: subject,
    predicate,
    object_raw: topic,
    object_normalized: topic,
    object_key: objectKey,
    qualifiers: {},
    source_quality: 'inferred_from_conversation',
    confidence: 'medium',
    confidence_reason: '',
    status: 'active',
    stated_at: newest.at,
    created_at: newest.at,
    updated_at: newest.at,
    last_confirmed_at: newest.at,
    ...(known?.superseded_by_hand === undefined ? {} : { superseded_by_hand: known.superseded_by_hand }),
    ...(known?.changes === undefined ? {} : { changes: known.changes }),
    sources,
    source_names: [],
    conversation_ids: [],
  };
}
