import type { Visibility } from '../model/access.js';
import type { MemoryStatus } from '../model/conversation.js';
import { idWithin } from '../model/ids.js';
import { utcTime } from '../model/time.js';
import { aliasConditions, maySayWithin, ownNames, spans } from './aliases.js';
import {
  type Condition,
  type ConversationRow,
  eq,
  type MessageRow,
  messageId,
  type Query,
  type RecordStore,
} from './store.js';

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
  /** Saved by this user. */
  ownerId?: string;
  /** Earlier than this time. */
  before?: string;
  /** Part of it was said at or after this time, by message times if present, else by the conversation's time. */
  saidFrom?: string;
  saidTo?: string;
  /** Matches the conversation's own metadata only, not its aliases. */
  own?: true;
}

/** What a conversation is labelled with, without its messages. */
export type LabelledRow = Pick<
  ConversationRow,
  'id' | 'at' | 'source' | 'title' | 'message_count' | 'chunk_count' | 'thread_id' | 'tags' | 'metadata'
>;

/** Changes whenever the row or a message of it does: `updated_at`, and what changes without it. */
export type ConversationVersion = Pick<ConversationRow, 'id' | (typeof versionFields)[number]>;
const versionFields = ['updated_at', 'conversation_hash', 'first_at', 'last_at', 'chunk_count', 'tagged'] as const;

interface PageInTime {
  limit: number;
  after?: { value: string; id: string } | undefined;
}

/** A search reads hundreds of messages, and never their hashes. */
export type SaidMessage = Omit<MessageRow, 'hash'>;

export type ConversationRecords = ReturnType<typeof conversationRecords>;

/** Rows that are decoded in a few milliseconds. */
const messagesAtOnce = 2_000;

export function conversationRecords(store: RecordStore) {
  const find = (query: Query<'conversations'>) => store.find('conversations', query);
  const passing = (visibility: Visibility, filter: ConversationFilter) => conditionsOf(store, visibility, filter);
  const periodsOf = async (visibility: Visibility, filter: ConversationFilter) => [
    ...spans(filter),
    ...(await aliasSpan(store, visibility, filter)),
  ];
  /** The same periods as one condition, for queries that need the rows in order. */
  const saidWithin = async (
    visibility: Visibility,
    filter: ConversationFilter,
  ): Promise<Condition<'conversations'>[]> => {
    const { saidFrom, saidTo } = filter;
    if (saidFrom === undefined && saidTo === undefined) return [];
    return [{ is: 'either', of: await periodsOf(visibility, filter) }];
  };
  const oldestFirst = async (visibility: Visibility, filter: ConversationFilter, { limit, after }: PageInTime) => ({
    where: [...visibleTo(visibility), ...(await passing(visibility, filter))],
    order: { by: 'at', direction: 'asc' } as const,
    limit,
    ...(after === undefined ? {} : { after }),
  });

  return {
    /** The project's conversation with this content, whatever its status. */
    async byHash(projectId: string, hash: string): Promise<ConversationRow | undefined> {
      return (await find({ where: [eq('project_id', projectId), eq('conversation_hash', hash)], limit: 1 }))[0];
    },

    /** Any conversation with this id, even in another project: used only to detect an id that is taken. */
    holderOfId: async (id: string): Promise<ConversationRow | undefined> =>
      (await find({ where: [eq('id', id)], limit: 1 }))[0],

    /**
     * The conversation with this id in any of several projects, with one query. Earlier projects take precedence, and
     * within a project the id itself precedes a derived one.
     */
    async visible(seen: Visibility | readonly Visibility[], id: string): Promise<ConversationRow | undefined> {
      const visibilities = [seen].flat();
      const ids = [id, ...visibilities.map(({ projectId }) => idWithin(projectId, id))];
      const projects = visibilities.map(({ projectId }) => projectId);
      const where: Condition<'conversations'>[] = [
        { field: 'id', is: 'in', value: ids },
        { field: 'project_id', is: 'in', value: projects },
      ];
      const rows = (await find({ where })).filter((row) => visibilities.some((each) => isVisible(each, row, id)));
      const [own] = projects;
      return (
        rows.find((row) => row.project_id === own && row.id === id) ??
        rows.find((row) => row.project_id === own) ??
        rows.find((row) => row.id === id) ??
        rows[0]
      );
    },

    async byIds(
      visibility: Visibility,
      ids: readonly string[],
      filter: ConversationFilter = {},
    ): Promise<ConversationRow[]> {
      if (ids.length === 0) return [];
      const where: Condition<'conversations'>[] = [
        { field: 'id', is: 'in', value: ids },
        ...visibleTo(visibility),
        ...(await passing(visibility, filter)),
      ];
      return (await find({ where })).filter((row) => maySayWithin(row, filter));
    },

    /** Those of these that the caller may see, a tenth of the size of their rows. */
    async versions(visibility: Visibility, ids: readonly string[]): Promise<ConversationVersion[]> {
      if (ids.length === 0) return [];
      const where: Condition<'conversations'>[] = [{ field: 'id', is: 'in', value: ids }, ...visibleTo(visibility)];
      return store.find('conversations', { where, fields: [...versionFields] });
    },

    /** The stored captures of one upstream thread, oldest first. */
    async ofThread(visibility: Visibility, source: string, upstreamThreadId: string): Promise<ConversationRow[]> {
      const where = [...visibleTo(visibility), eq('source', source), eq('upstream_thread_id', upstreamThreadId)];
      return find({ where, order: { by: 'created_at', direction: 'asc' }, limit: 100 });
    },

    /** The ids that match a filter, at most `limit`. */
    async idsMatching(visibility: Visibility, filter: ConversationFilter, limit: number): Promise<string[]> {
      const where = [...visibleTo(visibility), ...(await passing(visibility, filter))];
      const periods = await periodsOf(visibility, filter);
      const found = await Promise.all(
        periods.map((span) => store.find('conversations', { where: [...where, ...span], fields: ['id'], limit })),
      );
      return [...new Set(found.flat().map((row) => row.id))].slice(0, limit);
    },

    /** One page in time order, after the last row of the previous page. */
    async inTime(
      visibility: Visibility,
      filter: ConversationFilter,
      { direction, limit, after }: PageInTime & { direction: 'asc' | 'desc' },
    ): Promise<ConversationRow[]> {
      const { ids, ...others } = filter;
      const named = ids === undefined ? [] : [idIn(visibility, ids)];
      const where = [
        ...visibleTo(visibility),
        ...named,
        ...(await passing(visibility, others)),
        ...(await saidWithin(visibility, filter)),
      ];
      return find({ where, order: { by: 'at', direction }, limit, ...(after === undefined ? {} : { after }) });
    },

    async countVisible(visibility: Visibility, filter: ConversationFilter): Promise<number> {
      const where = [
        ...visibleTo(visibility),
        ...(await passing(visibility, filter)),
        ...(await saidWithin(visibility, filter)),
      ];
      return store.count('conversations', where);
    },

    /** Time, source and length of each conversation, for a calendar. */
    async moments(
      visibility: Visibility,
      filter: ConversationFilter,
      page: PageInTime,
    ): Promise<Pick<ConversationRow, 'id' | 'at' | 'source' | 'message_count'>[]> {
      const fields: ('at' | 'source' | 'message_count')[] = ['at', 'source', 'message_count'];
      return store.find('conversations', { ...(await oldestFirst(visibility, filter, page)), fields });
    },

    /** The same with what they are labelled with, which takes longer to read. */
    async labelled(visibility: Visibility, filter: ConversationFilter, page: PageInTime): Promise<LabelledRow[]> {
      return store.find('conversations', {
        ...(await oldestFirst(visibility, filter, page)),
        fields: ['at', 'source', 'title', 'message_count', 'chunk_count', 'thread_id', 'tags', 'metadata'],
      });
    },

    /** Iterates over conversations by id, for reindexing. */
    async page(options: {
      after?: string | undefined;
      limit: number;
      projectId?: string | undefined;
      statuses: readonly MemoryStatus[];
    }): Promise<ConversationRow[]> {
      const where: Condition<'conversations'>[] = [{ field: 'memory_status', is: 'in', value: options.statuses }];
      if (options.projectId !== undefined) where.push(eq('project_id', options.projectId));
      const after = options.after === undefined ? {} : { after: { value: options.after, id: options.after } };
      return find({ where, limit: options.limit, ...after });
    },

    /** Active conversations of any project that the tagging model has not read, by id. */
    async untagged(limit: number): Promise<ConversationRow[]> {
      return find({ where: [eq('memory_status', 'active'), { field: 'tagged', is: 'absent' }], limit });
    },

    async newest(projectId: string, limit: number): Promise<ConversationRow[]> {
      return find({ where: activeOf(projectId), order: { by: 'at', direction: 'desc' }, limit });
    },

    /** Iterates by id over conversations saved or changed since then. */
    async savedSince(
      projectId: string,
      time: string,
      page: { after?: string | undefined; limit: number },
    ): Promise<ConversationRow[]> {
      const after = page.after === undefined ? {} : { after: { value: page.after, id: page.after } };
      const where: Condition<'conversations'>[] = [
        ...activeOf(projectId),
        { field: 'updated_at', is: 'gte', value: time },
      ];
      return find({ where, limit: page.limit, ...after });
    },

    async countActive(projectId: string): Promise<number> {
      return store.count('conversations', activeOf(projectId));
    },

    async countAll(where: { projectId?: string | undefined; statuses: readonly MemoryStatus[] }): Promise<number> {
      const conditions: Condition<'conversations'>[] = [{ field: 'memory_status', is: 'in', value: where.statuses }];
      if (where.projectId !== undefined) conditions.push(eq('project_id', where.projectId));
      return store.count('conversations', conditions);
    },

    /** All messages of these conversations, by conversation, in order. */
    async messagesOf(conversationIds: readonly string[]): Promise<Map<string, MessageRow[]>> {
      const grouped = new Map<string, MessageRow[]>(conversationIds.map((id) => [id, []]));
      if (conversationIds.length === 0) return grouped;
      const where: Condition<'messages'>[] = [{ field: 'conversation_id', is: 'in', value: conversationIds }];
      // In pages: tens of thousands of rows at once would hold the event loop when they arrive.
      let last: string | undefined;
      do {
        const after = last === undefined ? {} : { after: { value: last, id: last } };
        const rows = await store.find('messages', { where, limit: messagesAtOnce, ...after });
        for (const row of rows) grouped.get(row.conversation_id)?.push(row);
        last = rows.length < messagesAtOnce ? undefined : rows.at(-1)?.id;
      } while (last !== undefined);
      return grouped;
    },

    /** Conversations whose messages overlap a period, unordered. */
    async spanning(
      visibility: Visibility,
      { first, last }: { first: string; last: string },
      limit: number,
    ): Promise<ConversationRow[]> {
      const [, within = []] = spans({ saidFrom: first, saidTo: last });
      return find({ where: [...visibleTo(visibility), ...within], limit });
    },

    /** The messages' own times, by conversation, for a calendar. */
    async timesOf(conversationIds: readonly string[]): Promise<Map<string, string[]>> {
      const times = new Map<string, string[]>(conversationIds.map((id) => [id, []]));
      if (conversationIds.length === 0) return times;
      const where: Condition<'messages'>[] = [{ field: 'conversation_id', is: 'in', value: conversationIds }];
      for (const { conversation_id, timestamp } of await store.find('messages', {
        where,
        fields: ['conversation_id', 'timestamp'],
      })) {
        const at = typeof timestamp === 'string' ? utcTime(timestamp) : undefined;
        if (at !== undefined) times.get(String(conversation_id))?.push(at);
      }
      return times;
    },

    /** Single messages, keyed by their id. */
    async messagesAt(
      places: readonly { conversation_id: string; message_index: number }[],
    ): Promise<Map<string, SaidMessage>> {
      const ids = [...new Set(places.map((place) => messageId(place.conversation_id, place.message_index)))];
      if (ids.length === 0) return new Map();
      const where: Condition<'messages'>[] = [{ field: 'id', is: 'in', value: ids }];
      const fields: (keyof SaidMessage)[] = ['conversation_id', 'message_index', 'role', 'text', 'timestamp'];
      const rows = await store.find('messages', { where, fields });
      return new Map(rows.map((row) => [row.id, row]));
    },
  };
}

function visibleTo(visibility: Visibility): Condition<'conversations'>[] {
  return [eq('project_id', visibility.projectId), { field: 'memory_status', is: 'in', value: visibility.statuses }];
}

/** Also matches the derived id that a conversation got because another project has the original one. */
function idIn({ projectId }: Visibility, ids: readonly string[]): Condition<'conversations'> {
  return { field: 'id', is: 'in', value: ids.flatMap((id) => [id, idWithin(projectId, id)]) };
}

function isVisible({ projectId, statuses }: Visibility, row: ConversationRow, id: string): boolean {
  const isNamed = row.id === id || row.id === idWithin(projectId, id);
  return isNamed && row.project_id === projectId && statuses.includes(row.memory_status);
}

function activeOf(projectId: string): Condition<'conversations'>[] {
  return [eq('project_id', projectId), eq('memory_status', 'active')];
}

async function conditionsOf(
  store: RecordStore,
  { projectId }: Visibility,
  filter: ConversationFilter,
): Promise<Condition<'conversations'>[]> {
  const aliases = aliasConditions(store, projectId);
  const { from, to, own } = filter;
  const inPeriod: Condition<'conversations'>[] = [
    ...(from === undefined ? [] : [{ field: 'at', is: 'gte', value: from } as const]),
    ...(to === undefined ? [] : [{ field: 'at', is: 'lte', value: to } as const]),
  ];
  if (own) return [...ownNames(filter), ...inPeriod, ...plain(filter)];
  const [named, within] = await Promise.all([aliases.named(filter), aliases.idsWithin({ from, to })]);
  return [...named, ...aliases.orOneOf(inPeriod, within), ...plain(filter)];
}

/** The conditions that aliases cannot satisfy. */
function plain(filter: ConversationFilter): Condition<'conversations'>[] {
  const where: Condition<'conversations'>[] = [];
  if (filter.alone !== undefined) where.push(eq('id', filter.alone), { field: 'thread_id', is: 'absent' });
  if (filter.ids !== undefined) where.push({ field: 'id', is: 'in', value: filter.ids });
  if (filter.tokenId !== undefined) where.push(eq('token_id', filter.tokenId));
  if (filter.ownerId !== undefined) where.push(eq('owner_id', filter.ownerId));
  // The contract has no "less than"; with millisecond times, the millisecond before is equivalent.
  if (filter.before !== undefined) where.push({ field: 'at', is: 'lte', value: momentBefore(filter.before) });
  return where;
}

/** Conversations with an alias in this period: an additional query besides those of `spans`. */
async function aliasSpan(
  store: RecordStore,
  { projectId }: Visibility,
  { saidFrom: from, saidTo: to, own }: ConversationFilter,
): Promise<Condition<'conversations'>[][]> {
  const ids = own ? [] : await aliasConditions(store, projectId).idsWithin({ from, to });
  return ids.length === 0 ? [] : [[{ field: 'id', is: 'in', value: ids }]];
}

function momentBefore(time: string): string {
  return new Date(new Date(time).getTime() - 1).toISOString();
}

/** An inclusive range; texts are ordered by character. */
export interface Span {
  from: string;
  to: string;
}

export type TimelineRecords = ReturnType<typeof timelineRecords>;

/** Queries for suggesting ids and days. */
export function timelineRecords(store: RecordStore) {
  return {
    /** The time of the newest conversation in a range. */
    async latest(visibility: Visibility, span: Span): Promise<string | undefined> {
      const [row] = await store.find('conversations', {
        where: [...visibleTo(visibility), ...within('at', span)],
        order: { by: 'at', direction: 'desc' },
        fields: ['at'],
        limit: 1,
      });
      return row?.at;
    },

    /** The ids in a range of ids, in order; without a range, those of the newest conversations. */
    async ids(visibility: Visibility, span: Span | undefined, limit: number): Promise<string[]> {
      const rows = await store.find('conversations', {
        where: [...visibleTo(visibility), ...(span === undefined ? [] : within('id', span))],
        ...(span === undefined ? { order: { by: 'at', direction: 'desc' } } : {}),
        fields: ['id'],
        limit,
      });
      return rows.map(({ id }) => id);
    },
  };
}

function within(field: 'at' | 'id', { from, to }: Span): Condition<'conversations'>[] {
  const bound = (is: 'gte' | 'lte', value: string): Condition<'conversations'> => ({ field, is, value });
  return [bound('gte', from), bound('lte', to)];
}
