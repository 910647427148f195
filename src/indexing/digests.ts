import { isDeepStrictEqual } from 'node:util';
import { groupOf, judged } from '../facts/reconcile.js';
import { factTerms, keyOf } from '../facts/values.js';
import { digestSummary } from '../ingestion/summarise.js';
import { memoryStatuses } from '../model/conversation.js';
import { type Fact, type FactSource, factId } from '../model/fact.js';
import type { Observer } from '../observability/observer.js';
import { summaryId } from '../records/annotations.js';
import { groupKey, nextRevision, putFact, removeFacts } from '../records/facts.js';
import type { Records } from '../records/open.js';
import type { Change, ConversationRow, SummaryRow } from '../records/store.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { headingChange, topicsOf } from './rows.js';

/*
 * Derived data about many conversations: generated summaries, recurring topics and missing headings.
 */

export type Digests = ReturnType<typeof createDigests>;

interface DigestParts {
  records: Records;
  observer: Observer;
  now: () => string;
  /** Schedules the callback; the returned function cancels it. */
  later: (run: () => void) => () => void;
}

const highlights = 5;
const pageSize = 1_000;

/**
 * Maintains the generated summary of each topic and of the project, and the facts about recurring topics. They describe
 * many conversations, so they are written in the background, once for a burst of inserts.
 */
export function createDigests({ records, observer, now, later }: DigestParts) {
  const dirty = new Map<string, Set<string>>();
  let callOff: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let failing = false;

  /** Failed digests stay due, so that an outage does not leave them outdated. Returns true when all are written. */
  async function refresh(): Promise<boolean> {
    const work = [...dirty];
    dirty.clear();
    let done = 0;
    try {
      for (const [projectId, topics] of work) {
        await refreshProject(projectId, topics);
        done++;
      }
      failing = false;
      return true;
    } catch (error) {
      for (const [projectId, topics] of work.slice(done)) note(projectId, topics);
      // Logged once per outage, not once a second.
      if (!failing) observer.log('warn', 'digest_refresh_failed', {}, error);
      failing = true;
      return false;
    }
  }

  function note(projectId: string, topics: Iterable<string>): void {
    const known = dirty.get(projectId) ?? new Set();
    for (const topic of topics) known.add(topic);
    dirty.set(projectId, known);
  }

  async function refreshProject(projectId: string, topics: ReadonlySet<string>): Promise<void> {
    const generatedAt = now();
    const rows = [await projectDigest(projectId, generatedAt)];
    for (const topic of topics) rows.push(await topicDigest(projectId, topic, generatedAt));
    // A topic whose last conversation was forgotten has no digest.
    await records.summaries.put(rows.filter(({ conversation_ids: ids }) => ids.length > 0));
    await records.summaries.remove(rows.filter(({ conversation_ids: ids }) => ids.length === 0).map(({ id }) => id));
    await noteRecurringTopics(records, projectId, [...topics]);
  }

  async function topicDigest(projectId: string, topic: string, generatedAt: string): Promise<SummaryRow> {
    const total = await records.topics.count(projectId, topic);
    const newest = await records.topics.newest(projectId, topic, highlights);
    const ids = newest.map((row) => row.conversation_id);
    return summary('topic', projectId, topic, { total, titles: await titlesOf(ids), ids, generatedAt });
  }

  async function projectDigest(projectId: string, generatedAt: string): Promise<SummaryRow> {
    const total = await records.conversations.countActive(projectId);
    const newest = await records.conversations.newest(projectId, highlights);
    const titles = newest.map((row) => row.title ?? `${row.source} conversation`);
    return summary('project', projectId, projectId, { total, titles, ids: newest.map((row) => row.id), generatedAt });
  }

  async function titlesOf(ids: readonly string[]): Promise<string[]> {
    const titles: string[] = [];
    for (const id of ids) {
      const row = await records.conversations.holderOfId(id);
      if (row !== undefined) titles.push(row.title ?? `${row.source} conversation`);
    }
    return titles;
  }

  function schedule(): void {
    if (callOff !== undefined) return;
    callOff = later(() => {
      callOff = undefined;
      writing = writing.then(refresh).then(() => {
        if (dirty.size > 0) schedule();
      });
    });
  }

  return {
    /** Call after a conversation of this project with these topics was saved. */
    touch(projectId: string, topics: readonly string[]): void {
      note(projectId, topics);
      schedule();
    },

    /**
     * At startup: marks what was saved after the last digest was written, because the process may have died in between.
     */
    async catchUp(projectId: string): Promise<void> {
      const since = (await records.summaries.projectDigest(projectId))?.generated_at ?? '';
      let after: string | undefined;
      do {
        const missed = await records.conversations.savedSince(projectId, since, { after, limit: pageSize });
        for (const row of missed) this.touch(projectId, topicsOf(row));
        after = missed.at(-1)?.id;
      } while (after !== undefined);
    },

    /** Marks every digest of a project as due: after an interrupted forget, any of them may still mention it. */
    async renew(projectId: string): Promise<void> {
      const topics = await records.summaries.find(projectId, 'topic');
      this.touch(
        projectId,
        topics.map(({ target_id }) => target_id),
      );
    },

    /** Writes the due digests now. Returns false on failure; they stay due. */
    async flush(): Promise<boolean> {
      const stopTimer = (): void => {
        callOff?.();
        callOff = undefined;
      };
      stopTimer();
      await writing;
      // A refresh that failed in the meantime has set another timer.
      stopTimer();
      return refresh();
    },
  };
}

function summary(
  kind: 'topic' | 'project',
  projectId: string,
  targetId: string,
  digest: { total: number; titles: string[]; ids: string[]; generatedAt: string },
): SummaryRow {
  return {
    id: summaryId(projectId, kind, targetId),
    project_id: projectId,
    kind,
    target_id: targetId,
    text: digestSummary(targetId, digest.total, digest.titles),
    conversation_ids: digest.ids,
    generated_at: digest.generatedAt,
  };
}

/** Set once every conversation has its heading; a copied store creates its headings itself. */
const headingsMark = 'headings';

const headingsPerPage = 500;

/** Adds headings to conversations of an older store, which could otherwise not be found by their titles. */
export async function fillHeadings(records: Records): Promise<void> {
  if ((await records.settings.get(headingsMark)) !== undefined) return;
  let last: string | undefined;
  let isWhole = true;
  while (isWhole) {
    const rows = await records.conversations.page({ after: last, statuses: memoryStatuses, limit: headingsPerPage });
    if (!(await putHeadings(records, rows))) continue;
    last = rows.at(-1)?.id;
    isWhole = rows.length === headingsPerPage;
  }
  await records.settings.set(headingsMark, true);
}

/** False when another process changed one of them in the meantime: they have to be read again. */
async function putHeadings(records: Records, rows: readonly ConversationRow[]): Promise<boolean> {
  // Conversations with detected secrets are indexed only after approval.
  const findable = rows.filter(({ metadata }) => metadata.review_reason === undefined);
  try {
    await records.write(findable.flatMap((row) => [unchanged(row), headingChange(row)]));
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}

function unchanged({ id, updated_at, memory_status }: ConversationRow): Change {
  return { kind: 'patch', table: 'conversations', ids: [id], set: {}, when: { updated_at, memory_status } };
}

const subject = 'user';
const predicate = 'recurring_topic';
const group = groupOf({ subject, predicate });
const mostSources = 5;
/** A topic of a single conversation says nothing about the user. */
const leastConversations = 2;

/** Rewrites the facts about these topics from the conversations that have them. Idempotent. */
async function noteRecurringTopics(records: Records, projectId: string, topics: readonly string[]): Promise<void> {
  const key = groupKey(projectId, group);
  for (let attempt = 1; ; attempt++) {
    // Read before the facts, so that a pin or retraction in between is detected.
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
  // Writing an unchanged fact would only increase its revision.
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

/** The source is the conversation as a whole, because no single sentence states a topic. */
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
