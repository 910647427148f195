import type { JsonObject } from '../model/json.js';
import type { MetadataStore, Row, Value } from '../stores/metadata/contract.js';

/** An answer that was given to a request with an `Idempotency-Key`. Neither the key nor the request is kept, only hashes. */
export interface GivenAnswer {
  id: string;
  request_hash: string;
  answer: JsonObject;
  created_at: string;
}

/** Old answers removed with each new one: more than come in, so that the table stays small. */
const removedAtOnce = 10;

export function idempotencyRecords(store: MetadataStore) {
  return {
    async get(id: string, since: string): Promise<GivenAnswer | undefined> {
      const [row] = await store.find('idempotency', { where: [{ field: 'id', is: 'eq', value: id }], limit: 1 });
      const given = row as unknown as GivenAnswer | undefined;
      return given === undefined || given.created_at < since ? undefined : given;
    },

    /** Keeps an answer and drops some that are older than `since`. */
    async put(given: GivenAnswer, since: string): Promise<void> {
      const old = await store.find('idempotency', {
        where: [{ field: 'created_at', is: 'lte', value: since }],
        limit: removedAtOnce,
        fields: ['created_at'],
      });
      const row = { ...given, answer: given.answer as Value } as Row;
      await store.write([
        { kind: 'remove', table: 'idempotency', ids: old.map(({ id }) => id).filter((id) => id !== given.id) },
        { kind: 'put', table: 'idempotency', row },
      ]);
    },
  };
}
