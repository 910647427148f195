import { type Condition, eq, type MessageVectorsRow, type RecordStore } from './store.js';

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
