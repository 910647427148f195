import type { Visibility } from '../model/access.js';
import type { MemoryStatus } from '../model/conversation.js';
import type { Condition, MetadataStore, Query } from '../stores/metadata/contract.js';
import { type ConversationRow, type MessageRow, messageId } from './rows.js';

/** The filters of a search, resolved: times in UTC. */
export interface ConversationFilter {
  source?: string;
  /** Any of these. */
  sources?: readonly string[];
  from?: string;
  to?: string;
  tags?: readonly string[];
  threadId?: string;
  /** This conversation, if it belongs to no thread. */
  alone?: string;
  ids?: readonly string[];
  tokenId?: string;
  /** Earlier than this moment. */
  before?: string;
}

export type ConversationRecords = ReturnType<typeof conversationRecords>;

export function conversationRecords(store: MetadataStore) {
  const find = async (query: Query) => (await store.find('conversations', query)) as unknown as ConversationRow[];

  return {
    /** The one memory of a project with this content, whatever its status. */
    async byHash(projectId: string, hash: string): Promise<ConversationRow | undefined> {
      const where: Condition[] = [eq('project_id', projectId), eq('conversation_hash', hash)];
      return (await find({ where, limit: 1 }))[0];
    },

    /** Any conversation with this id, also another project's: only to refuse an id that is taken. */
    async holderOfId(id: string): Promise<ConversationRow | undefined> {
      return (await find({ where: [eq('id', id)], limit: 1 }))[0];
    },

    async visible(visibility: Visibility, id: string): Promise<ConversationRow | undefined> {
      return (await find({ where: [eq('id', id), ...visibleTo(visibility)], limit: 1 }))[0];
    },

    async byIds(
      visibility: Visibility,
      ids: readonly string[],
      filter: ConversationFilter = {},
    ): Promise<ConversationRow[]> {
      if (ids.length === 0) return [];
      return find({ where: [{ field: 'id', is: 'in', value: ids }, ...visibleTo(visibility), ...conditions(filter)] });
    },

    /** The stored captures of one upstream thread, oldest first. */
    async ofThread(visibility: Visibility, source: string, upstreamThreadId: string): Promise<ConversationRow[]> {
      const where = [...visibleTo(visibility), eq('source', source), eq('upstream_thread_id', upstreamThreadId)];
      return find({ where, order: { by: 'created_at', direction: 'asc' }, limit: 100 });
    },

    /** The ids that pass a filter, at most `limit`. */
    async idsMatching(visibility: Visibility, filter: ConversationFilter, limit: number): Promise<string[]> {
      const rows = await store.find('conversations', {
        where: [...visibleTo(visibility), ...conditions(filter)],
        fields: ['id'],
        limit,
      });
      return rows.map((row) => row.id);
    },

    /** A page in the order of time, after the row the page before ended with. */
    async inTime(
      visibility: Visibility,
      filter: ConversationFilter,
      page: { direction: 'asc' | 'desc'; limit: number; after?: { value: string; id: string } | undefined },
    ): Promise<ConversationRow[]> {
      const after = page.after === undefined ? {} : { after: page.after };
      const order = { by: 'at', direction: page.direction };
      return find({ where: [...visibleTo(visibility), ...conditions(filter)], order, limit: page.limit, ...after });
    },

    async countVisible(visibility: Visibility, filter: ConversationFilter): Promise<number> {
      return store.count('conversations', [...visibleTo(visibility), ...conditions(filter)]);
    },

    /** When each conversation was, of which source and how long: all that a calendar needs. */
    async moments(
      visibility: Visibility,
      filter: ConversationFilter,
      page: { limit: number; after?: { value: string; id: string } | undefined },
    ): Promise<Pick<ConversationRow, 'id' | 'at' | 'source' | 'message_count'>[]> {
      const after = page.after === undefined ? {} : { after: page.after };
      return find({
        where: [...visibleTo(visibility), ...conditions(filter)],
        order: { by: 'at', direction: 'asc' },
        fields: ['at', 'source', 'message_count'],
        limit: page.limit,
        ...after,
      });
    },

    /** Walks conversations by id, for reindexing. */
    async page(options: {
      after?: string | undefined;
      limit: number;
      projectId?: string | undefined;
      statuses: readonly MemoryStatus[];
    }): Promise<ConversationRow[]> {
      const where: Condition[] = [{ field: 'memory_status', is: 'in', value: options.statuses }];
      if (options.projectId !== undefined) where.push(eq('project_id', options.projectId));
      const after = options.after === undefined ? {} : { after: { value: options.after, id: options.after } };
      return find({ where, limit: options.limit, ...after });
    },

    async newest(projectId: string, limit: number): Promise<ConversationRow[]> {
      return find({ where: activeOf(projectId), order: { by: 'at', direction: 'desc' }, limit });
    },

    /** Walks by id what was saved or changed since then. */
    async savedSince(
      projectId: string,
      time: string,
      page: { after?: string | undefined; limit: number },
    ): Promise<ConversationRow[]> {
      const after = page.after === undefined ? {} : { after: { value: page.after, id: page.after } };
      const where: Condition[] = [...activeOf(projectId), { field: 'updated_at', is: 'gte', value: time }];
      return find({ where, limit: page.limit, ...after });
    },

    async countActive(projectId: string): Promise<number> {
      return store.count('conversations', activeOf(projectId));
    },

    async countAll(where: { projectId?: string | undefined; statuses: readonly MemoryStatus[] }): Promise<number> {
      const conditions: Condition[] = [{ field: 'memory_status', is: 'in', value: where.statuses }];
      if (where.projectId !== undefined) conditions.push(eq('project_id', where.projectId));
      return store.count('conversations', conditions);
    },

    /** All messages of these conversations, by conversation, in order. */
    async messagesOf(conversationIds: readonly string[]): Promise<Map<string, MessageRow[]>> {
      const grouped = new Map<string, MessageRow[]>(conversationIds.map((id) => [id, []]));
      if (conversationIds.length === 0) return grouped;
      const rows = await store.find('messages', {
        where: [{ field: 'conversation_id', is: 'in', value: conversationIds }],
      });
      for (const row of rows as unknown as MessageRow[]) grouped.get(row.conversation_id)?.push(row);
      return grouped;
    },

    /** Single messages, keyed by their id. */
    async messagesAt(
      places: readonly { conversation_id: string; message_index: number }[],
    ): Promise<Map<string, MessageRow>> {
      const ids = [...new Set(places.map((place) => messageId(place.conversation_id, place.message_index)))];
      if (ids.length === 0) return new Map();
      const rows = await store.find('messages', { where: [{ field: 'id', is: 'in', value: ids }] });
      return new Map((rows as unknown as MessageRow[]).map((row) => [row.id, row]));
    },
  };
}

function eq(field: string, value: string): Condition {
  return { field, is: 'eq', value };
}

export function visibleTo(visibility: Visibility): Condition[] {
  return [eq('project_id', visibility.projectId), { field: 'memory_status', is: 'in', value: visibility.statuses }];
}

function activeOf(projectId: string): Condition[] {
  return [eq('project_id', projectId), eq('memory_status', 'active')];
}

function conditions(filter: ConversationFilter): Condition[] {
  const where: Condition[] = [];
  if (filter.source !== undefined) where.push(eq('source', filter.source));
  if (filter.sources !== undefined) where.push({ field: 'source', is: 'in', value: filter.sources });
  if (filter.threadId !== undefined) where.push(eq('thread_id', filter.threadId));
  if (filter.alone !== undefined) where.push(eq('id', filter.alone), { field: 'thread_id', is: 'absent' });
  if (filter.from !== undefined) where.push({ field: 'at', is: 'gte', value: filter.from });
  if (filter.to !== undefined) where.push({ field: 'at', is: 'lte', value: filter.to });
  if (filter.ids !== undefined) where.push({ field: 'id', is: 'in', value: filter.ids });
  if (filter.tokenId !== undefined) where.push(eq('token_id', filter.tokenId));
  // The contract knows no "less than": the moment before is the same for times in milliseconds.
  if (filter.before !== undefined) where.push({ field: 'at', is: 'lte', value: momentBefore(filter.before) });
  for (const tag of filter.tags ?? []) where.push({ field: 'tags', is: 'has', value: tag });
  return where;
}

function momentBefore(time: string): string {
  return new Date(new Date(time).getTime() - 1).toISOString();
}
