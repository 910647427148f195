import { createHash } from 'node:crypto';
import type { Visibility } from '../model/access.js';
import { projectScopes, scopeOf } from '../model/conversation.js';
import type { Change, ChangeOf, Condition, ConversationRow, RecordStore, SummaryRow, TopicRow } from './store.js';

export type TopicRecords = ReturnType<typeof topicRecords>;

export function topicRecords(store: RecordStore) {
  const ofTopic = (projectId: string, topic: string): Condition<'topics'>[] => [
    { field: 'project_id', is: 'eq', value: projectId },
    { field: 'topic', is: 'eq', value: topic },
  ];
  return {
    async count(projectId: string, topic: string): Promise<number> {
      return store.count('topics', ofTopic(projectId, topic));
    },

    async newest(projectId: string, topic: string, limit: number): Promise<TopicRow[]> {
      const order = { by: 'at', direction: 'desc' } as const;
      return store.find('topics', { where: ofTopic(projectId, topic), order, limit });
    },
  };
}

/** The topic rows of an active conversation. Idempotent. */
export function putTopics(
  conversation: { id: string; project_id: string; at: string },
  topics: readonly string[],
): Change[] {
  return topics.map((topic) => {
    const row: TopicRow = {
      id: `${conversation.id}:${topic}`,
      project_id: conversation.project_id,
      topic,
      conversation_id: conversation.id,
      at: conversation.at,
    };
    return { kind: 'put', table: 'topics', row: row };
  });
}

export type SummaryRecords = ReturnType<typeof summaryRecords>;

export function summaryRecords(store: RecordStore) {
  return {
    async put(rows: readonly SummaryRow[]): Promise<void> {
      if (rows.length > 0) await store.write(rows.map(putSummary));
    },

    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await store.write([{ kind: 'remove', table: 'summaries', ids: [...ids] }]);
    },

    async find(projectId: string, kind: SummaryRow['kind']): Promise<SummaryRow[]> {
      const rows = await store.find('summaries', {
        where: [
          { field: 'project_id', is: 'eq', value: projectId },
          { field: 'kind', is: 'eq', value: kind },
        ],
      });
      return rows;
    },

    /** The last digest of this project; conversations saved later are not in it yet. */
    async projectDigest(projectId: string): Promise<SummaryRow | undefined> {
      const id = summaryId(projectId, 'project', projectId);
      const [row] = await store.find('summaries', { where: [{ field: 'id', is: 'eq', value: id }], limit: 1 });
      return row;
    },
  };
}

export function putSummary(row: SummaryRow): Change {
  return { kind: 'put', table: 'summaries', row: row };
}

export function summaryId(projectId: string, kind: SummaryRow['kind'], targetId: string): string {
  const digest = createHash('sha256').update(`${projectId}\n${kind}\n${targetId}`).digest('hex');
  return `summary:${digest.slice(0, 32)}`;
}

export type HeadingRecords = ReturnType<typeof headingRecords>;

export function headingRecords(store: RecordStore) {
  return {
    /** The ids of conversations whose heading contains any of the terms, best first. */
    async search(
      visibility: Visibility,
      query: { terms: string[]; conversationIds?: readonly string[] | undefined; limit: number },
    ): Promise<string[]> {
      if (store.searchText === undefined || query.terms.length === 0) return [];
      const where: Condition<'headings'>[] = [{ field: 'scope', is: 'in', value: visibility.scopes }];
      if (query.conversationIds) where.push({ field: 'id', is: 'in', value: query.conversationIds });
      const among = { field: 'scope', values: projectScopes(visibility.projectId) } as const;
      const hits = await store.searchText('headings', { terms: query.terms, where, among, limit: query.limit });
      return hits.map(({ id }) => id);
    },
  };
}

type Headed = Pick<ConversationRow, 'id' | 'project_id' | 'memory_status'>;

/** A conversation without a heading gets a row too: it may be approved or renamed later. */
export function putHeading(row: Headed, terms: readonly string[]): ChangeOf<'headings'> {
  const scope = scopeOf(row.project_id, row.memory_status);
  return { kind: 'put', table: 'headings', row: { id: row.id, scope, terms: terms.join(' ') } };
}

export type SpeakerRecords = ReturnType<typeof speakerRecords>;

export function speakerRecords(store: RecordStore) {
  return {
    /** The terms that are part of a speaker's name in this project. */
    async among(projectId: string, terms: readonly string[]): Promise<string[]> {
      if (terms.length === 0) return [];
      const rows = await store.find('speakers', {
        where: [
          { field: 'project_id', is: 'eq', value: projectId },
          { field: 'term', is: 'in', value: terms },
        ],
      });
      return rows.map((row) => row.term);
    },
  };
}

/** Idempotent. */
export function putSpeakers(projectId: string, terms: readonly string[]): Change[] {
  return [...new Set(terms)].map((term) => ({
    kind: 'put',
    table: 'speakers',
    row: { id: `${projectId}:${term}`, project_id: projectId, term },
  }));
}
