import { isObject, type JsonObject } from '../model/json.js';
import type { Condition, MetadataStore, Row, Value } from '../stores/metadata/contract.js';

/** An answer that was given to a request with an `Idempotency-Key`. Neither the key nor the request is kept, only hashes. */
export interface GivenAnswer {
  id: string;
  request_hash: string;
  answer: JsonObject;
  created_at: string;
}

/** How long an answer is remembered. */
const kept = 24 * 3_600_000;

/** Old answers removed with each new one: more than come in, so that the table stays small. */
const removedAtOnce = 10;

const rowsAtOnce = 500;

export function idempotencyRecords(store: MetadataStore) {
  /** Removes the rows that are meant, a page at a time. */
  async function removeEach(
    query: { where?: Condition[]; fields: string[] },
    isMeant: (row: Row) => boolean,
  ): Promise<void> {
    let after: string | undefined;
    do {
      const page = { ...query, limit: rowsAtOnce, ...(after && { after: { value: after, id: after } }) };
      const rows = await store.find('idempotency', page);
      const ids = rows.filter(isMeant).map(({ id }) => id);
      if (ids.length > 0) await store.write([{ kind: 'remove', table: 'idempotency', ids }]);
      after = rows.at(-1)?.id;
    } while (after !== undefined);
  }

  return {
    async get(id: string, now: string): Promise<GivenAnswer | undefined> {
      const [row] = await store.find('idempotency', { where: [{ field: 'id', is: 'eq', value: id }], limit: 1 });
      const given = row as unknown as GivenAnswer | undefined;
      return given === undefined || given.created_at < oldest(now) ? undefined : given;
    },

    /** Keeps an answer and drops some that are too old. */
    async put(given: GivenAnswer): Promise<void> {
      const old = await store.find('idempotency', {
        where: [isOld(given.created_at)],
        limit: removedAtOnce,
        fields: ['created_at'],
      });
      const row = { ...given, answer: given.answer as Value } as Row;
      await store.write([
        { kind: 'remove', table: 'idempotency', ids: old.map(({ id }) => id).filter((id) => id !== given.id) },
        { kind: 'put', table: 'idempotency', row },
      ]);
    },

    /** Those that are too old and that no later answer took along. */
    async removeOld(now: string): Promise<void> {
      await removeEach({ where: [isOld(now)], fields: ['created_at'] }, () => true);
    },

    /** Answers about these memories: repeated, they would say that what is gone is stored. */
    async removeNaming(memoryIds: ReadonlySet<string>): Promise<void> {
      if (memoryIds.size === 0) return;
      const isMeant = ({ answer }: Row): boolean => isObject(answer) && memoryIds.has(String(answer.id));
      await removeEach({ fields: ['answer'] }, isMeant);
    },
  };
}

function oldest(now: string): string {
  return new Date(Date.parse(now) - kept).toISOString();
}

function isOld(now: string): Condition {
  return { field: 'created_at', is: 'lte', value: oldest(now) };
}
