import type { Visibility } from '../model/access.js';
import { memoryStatuses, projectScopes, scopeOf } from '../model/conversation.js';
import type { IndexState } from '../model/tables.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { type Change, type ChunkRow, type Condition, eq, type MessageVectorsRow, type RecordStore } from './store.js';

export type ChunkRecords = ReturnType<typeof chunkRecords>;

export function chunkRecords(store: RecordStore) {
  return {
    async ofConversation(conversationId: string): Promise<ChunkRow[]> {
      const rows = await store.find('chunks', {
        where: [{ field: 'conversation_id', is: 'eq', value: conversationId }],
        order: { by: 'chunk_index', direction: 'asc' },
      });
      return rows;
    },

    async byIds(visibility: Visibility, ids: readonly string[]): Promise<ChunkRow[]> {
      if (ids.length === 0) return [];
      const where: Condition<'chunks'>[] = [{ field: 'id', is: 'in', value: ids }, inScopes(visibility)];
      return store.find('chunks', { where });
    },

    async countVisible(visibility: Visibility, conversationIds?: readonly string[]): Promise<number> {
      return store.count('chunks', within(visibility, { conversationIds }));
    },

    /** Regardless of visibility: for repairs. */
    async known(ids: readonly string[]): Promise<ChunkRow[]> {
      if (ids.length === 0) return [];
      return store.find('chunks', { where: [{ field: 'id', is: 'in', value: ids }] });
    },

    /** Walks the chunks in a state by id, for the background indexer. */
    async inState(state: IndexState, options: { after?: string | undefined; limit: number }): Promise<ChunkRow[]> {
      const after = options.after === undefined ? {} : { after: { value: options.after, id: options.after } };
      const where: Condition<'chunks'>[] = [{ field: 'index_state', is: 'eq', value: state }];
      return store.find('chunks', { where, limit: options.limit, ...after });
    },

    async countInState(state: IndexState): Promise<number> {
      return store.count('chunks', [{ field: 'index_state', is: 'eq', value: state }]);
    },

    /** The total number of vectors of the indexed chunks: one each, plus the further windows of long ones. */
    async countPoints(): Promise<number> {
      const atLeast = (windows: number): Condition<'chunks'> => ({ field: 'windows', is: 'gte', value: windows });
      const inIndex = await store.count('chunks', [{ field: 'index_state', is: 'eq', value: 'indexed' }]);
      let further = 0;
      // Counts the chunks with a second window, a third and so on: counting is the only operation fast in every store.
      for (let windows = 2, long = 1; long > 0; windows++) {
        long = await store.count('chunks', [atLeast(windows)]);
        further += long;
      }
      // Chunks that are not indexed are few and quickly read.
      const others: Condition<'chunks'> = { field: 'index_state', is: 'in', value: ['pending', 'held'] };
      const notIn = await store.find('chunks', { where: [others, atLeast(2)], fields: ['id', 'windows'] });
      return inIndex + further - notIn.reduce((sum, row) => sum + (row.windows ?? 1) - 1, 0);
    },

    /** The speakers who appear in more chunks of the project than counted here. */
    async speakersBeside(projectId: string, own: ReadonlyMap<string, number>): Promise<string[]> {
      const isBeside = async (speaker: string, chunks: number): Promise<boolean> => {
        let left = chunks + 1;
        // One partition at a time, so that the index returns just the rows asked for without scanning the others.
        for (const status of memoryStatuses) {
          const where: Condition<'chunks'>[] = [
            { field: 'scope', is: 'eq', value: scopeOf(projectId, status) },
            { field: 'speaker', is: 'eq', value: speaker },
          ];
          left -= (await store.find('chunks', { where, limit: left, fields: ['speaker'] })).length;
          if (left <= 0) return true;
        }
        return false;
      };
      const others: string[] = [];
      for (const [speaker, chunks] of own) if (await isBeside(speaker, chunks)) others.push(speaker);
      return others;
    },

    async mark(ids: readonly string[], state: IndexState): Promise<void> {
      if (ids.length > 0)
        await store.write([{ kind: 'patch', table: 'chunks', ids: [...ids], set: { index_state: state } }]);
    },

    /**
     * Marks these chunks as indexed. Their rows are checked in the same write, because a chunk may have been forgotten
     * or reviewed while it was being embedded. A chunk that moved to another partition becomes pending again; the
     * result names the chunks that must be removed from the index because they are gone or held.
     */
    async markIndexed(written: readonly ScopedChunk[]): Promise<string[]> {
      let { same, moved, unwanted }: Compared = { same: written, moved: [], unwanted: [] };
      for (let attempt = 1; ; attempt++) {
        try {
          await store.write([...inScope(same).map(indexed), ...moved.map(pendingAgain)]);
          return unwanted;
        } catch (error) {
          if (!(error instanceof WriteConflict) || attempt === attempts) throw error;
        }
        ({ same, moved, unwanted } = compare(written, await this.known(written.map(({ id }) => id))));
      }
    },

    /** Full-text hits, best first; undefined when the store has no text lookup. */
    async searchText(
      visibility: Visibility,
      query: { terms: string[]; conversationIds?: readonly string[] | undefined; limit: number },
    ): Promise<{ id: string; score: number }[] | undefined> {
      if (store.searchText === undefined) return undefined;
      if (query.terms.length === 0) return [];
      const among = { field: 'scope', values: projectScopes(visibility.projectId) } as const;
      return store.searchText('chunks', {
        terms: query.terms,
        where: within(visibility, query),
        among,
        limit: query.limit,
      });
    },

    /** Chunks that may contain a phrase, according to the index; undefined when the store has no text lookup. */
    async searchRuns(
      visibility: Visibility,
      query: { runs: readonly (readonly string[])[]; conversationIds?: readonly string[] | undefined; limit: number },
    ): Promise<string[] | undefined> {
      if (store.searchText === undefined) return undefined;
      const { runs, limit } = query;
      const terms = [...new Set(runs.flat())];
      if (terms.length === 0) return [];
      const hits = await store.searchText('chunks', { terms, runs, where: within(visibility, query), limit });
      return hits.map(({ id }) => id);
    },
  };
}

type ScopedChunk = Pick<ChunkRow, 'id' | 'scope'>;

interface Compared {
  same: readonly ScopedChunk[];
  moved: readonly ChunkRow[];
  unwanted: string[];
}

const attempts = 5;

/** Compares what was written to the index with the rows. */
function compare(written: readonly ScopedChunk[], rows: readonly ChunkRow[]): Compared {
  const now = new Map(rows.map((row) => [row.id, row]));
  const same = written.filter(({ id, scope }) => now.get(id)?.scope === scope);
  const others = written.filter(({ id, scope }) => now.get(id)?.scope !== scope).map(({ id }) => id);
  const moved = others.flatMap((id) => now.get(id) ?? []).filter(({ index_state }) => index_state !== 'held');
  const again = new Set(moved.map(({ id }) => id));
  return { same, moved, unwanted: others.filter((id) => !again.has(id)) };
}

function inScope(chunks: readonly ScopedChunk[]): { scope: string; ids: string[] }[] {
  const scopes = new Map<string, string[]>();
  for (const { id, scope } of chunks) {
    const ids = scopes.get(scope);
    if (ids === undefined) scopes.set(scope, [id]);
    else ids.push(id);
  }
  return [...scopes].map(([scope, ids]) => ({ scope, ids }));
}

function indexed({ scope, ids }: { scope: string; ids: string[] }): Change {
  return { kind: 'patch', table: 'chunks', ids, set: { index_state: 'indexed' }, when: { scope } };
}

function pendingAgain({ id, scope, index_state }: ChunkRow): Change {
  return { kind: 'patch', table: 'chunks', ids: [id], set: { index_state: 'pending' }, when: { scope, index_state } };
}

function within(
  visibility: Visibility,
  query: { conversationIds?: readonly string[] | undefined },
): Condition<'chunks'>[] {
  const where: Condition<'chunks'>[] = [inScopes(visibility)];
  if (query.conversationIds) where.push({ field: 'conversation_id', is: 'in', value: query.conversationIds });
  return where;
}

function inScopes(visibility: Visibility): Condition<'chunks'> {
  return { field: 'scope', is: 'in', value: visibility.scopes };
}

export type MessageVectorRecords = ReturnType<typeof messageVectorRecords>;

/** A row without its vectors. */
export type MessageVectorsHead = Pick<MessageVectorsRow, 'id' | 'at' | 'vector_count' | 'written_at'>;

const headFields: ('at' | 'vector_count' | 'written_at')[] = ['at', 'vector_count', 'written_at'];

export function messageVectorRecords(store: RecordStore) {
  const ofModel = (scope: string, model: string): Condition<'message_vectors'>[] => [
    eq('scope', scope),
    eq('model', model),
  ];

  return {
    async byIds(ids: readonly string[]): Promise<MessageVectorsRow[]> {
      if (ids.length === 0) return [];
      return store.find('message_vectors', { where: [{ field: 'id', is: 'in', value: ids }] });
    },

    /** The rows of a partition, newest conversations first. */
    async newest(
      { scope, model }: { scope: string; model: string },
      page: { limit: number; after?: { value: string; id: string } | undefined },
    ): Promise<MessageVectorsHead[]> {
      return store.find('message_vectors', {
        where: ofModel(scope, model),
        order: { by: 'at', direction: 'desc' },
        fields: headFields,
        limit: page.limit,
        ...(page.after === undefined ? {} : { after: page.after }),
      });
    },

    /** The rows of a partition written since this time, in write order. */
    async writtenSince(
      { scope, model }: { scope: string; model: string },
      time: string,
      page: { limit: number; after?: { value: string; id: string } | undefined },
    ): Promise<MessageVectorsHead[]> {
      return store.find('message_vectors', {
        where: [...ofModel(scope, model), { field: 'written_at', is: 'gte', value: time }],
        order: { by: 'written_at', direction: 'asc' },
        fields: headFields,
        limit: page.limit,
        ...(page.after === undefined ? {} : { after: page.after }),
      });
    },

    /**
     * Iterates over all active conversations by id: returns those of a page whose vectors are missing, incomplete or of
     * another model, and where the next page starts; undefined after the last.
     */
    async behind(
      model: string,
      page: { limit: number; after?: string | undefined },
    ): Promise<{ ids: string[]; next: string | undefined }> {
      const after = page.after === undefined ? {} : { after: { value: page.after, id: page.after } };
      const conversations = await store.find('conversations', {
        where: [eq('memory_status', 'active')],
        fields: ['chunk_count'],
        limit: page.limit,
        ...after,
      });
      const ids = conversations.map(({ id }) => id);
      if (ids.length === 0) return { ids, next: undefined };
      const made = await store.find('message_vectors', {
        where: [{ field: 'id', is: 'in', value: ids }, eq('model', model)],
        fields: ['chunk_count'],
      });
      const read = new Map(made.map(({ id, chunk_count }) => [id, chunk_count]));
      return {
        ids: conversations.filter(({ id, chunk_count }) => read.get(id) !== chunk_count).map(({ id }) => id),
        next: ids.length < page.limit ? undefined : ids.at(-1),
      };
    },

    /** How many conversations have vectors of this model. */
    async count(model: string): Promise<number> {
      return store.count('message_vectors', [eq('model', model)]);
    },
  };
}
