import { createHash } from 'node:crypto';
import type { Lease, LeaseStore } from '../concurrency/lease.js';
import type { MemoryStatus } from '../model/conversation.js';
import type { RowOf } from '../model/tables.js';
import { timeAfter } from '../model/time.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { type Condition, eq, type FieldOf, type RecordStore } from './store.js';

/** The stored answer to a request with an `Idempotency-Key`. Only hashes of the key and the request are stored. */
export type GivenAnswer = RowOf<'idempotency'>;

/** How long an answer is kept. */
const kept = 24 * 3_600_000;

/** Old answers removed with each new one: more than one, so that the table stays small. */
const removedAtOnce = 10;

const rowsAtOnce = 500;

export function idempotencyRecords(store: RecordStore) {
  /** Removes the matching rows, page by page. */
  async function removeEach<Field extends FieldOf<'idempotency'>>(
    query: { where?: Condition<'idempotency'>[]; fields: Field[] },
    isMeant: (row: Pick<GivenAnswer, Field | 'id'>) => boolean,
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
      const [row] = await store.find('idempotency', { where: [eq('id', id)], limit: 1 });
      return row === undefined || row.created_at < oldest(now) ? undefined : row;
    },

    /** Stores an answer and removes some expired ones. */
    async put(given: GivenAnswer): Promise<void> {
      const old = await store.find('idempotency', {
        where: [isOld(given.created_at)],
        limit: removedAtOnce,
        fields: ['created_at'],
      });
      await store.write([
        { kind: 'remove', table: 'idempotency', ids: old.map(({ id }) => id).filter((id) => id !== given.id) },
        { kind: 'put', table: 'idempotency', row: given },
      ]);
    },

    /** Removes the expired answers that remain. */
    async removeOld(now: string): Promise<void> {
      await removeEach({ where: [isOld(now)], fields: ['created_at'] }, () => true);
    },

    /**
     * Removes the answers about these conversations: a repeated one would claim that a forgotten conversation is
     * stored.
     */
    async removeNaming(memoryIds: ReadonlySet<string>): Promise<void> {
      if (memoryIds.size === 0) return;
      const isMeant = ({ answer }: Pick<GivenAnswer, 'answer'>): boolean => memoryIds.has(String(answer.id));
      await removeEach({ fields: ['answer'] }, isMeant);
    },
  };
}

function oldest(now: string): string {
  return new Date(Date.parse(now) - kept).toISOString();
}

function isOld(now: string): Condition<'idempotency'> {
  return { field: 'created_at', is: 'lte', value: oldest(now) };
}

export interface Thread {
  projectId: string;
  source: string;
  upstreamThreadId: string;
  status: MemoryStatus;
}

/** Held conversations are never merged with active ones, so each status has its own thread. */
export function threadKey({ projectId, source, upstreamThreadId, status }: Thread): string {
  const key = JSON.stringify([projectId, source, upstreamThreadId, status]);
  return createHash('sha256').update(key).digest('hex');
}

/** The first conversation of each thread; see operations/insert/decide.ts. */
export function threadRecords(store: RecordStore) {
  return {
    async holder(id: string): Promise<string | undefined> {
      const [row] = await store.find('threads', { where: [{ field: 'id', is: 'eq', value: id }], limit: 1 });
      return row?.conversation_id;
    },
  };
}

const leaseKey = 'background_lease';

/** The row that holds the background lease shared by all processes on the same data. */
export function leaseRecords(store: RecordStore, now: () => string): LeaseStore {
  return {
    async current(): Promise<Lease | undefined> {
      const [row] = await store.find('settings', { where: [{ field: 'id', is: 'eq', value: leaseKey }], limit: 1 });
      if (row === undefined) return undefined;
      return { holder: String((row.value as { holder?: string }).holder), renewed: String(row.updated_at) };
    },

    /** Takes or renews the lease if it is unchanged since it was read. False when another process was first. */
    async take(holder: string, seen: Lease | undefined): Promise<boolean> {
      const set = { value: { holder }, updated_at: seen === undefined ? now() : timeAfter(seen.renewed, now()) };
      try {
        if (seen === undefined)
          await store.write([{ kind: 'insert', table: 'settings', row: { id: leaseKey, ...set } }]);
        else {
          const when = { updated_at: seen.renewed };
          await store.write([{ kind: 'patch', table: 'settings', ids: [leaseKey], set, when }]);
        }
        return true;
      } catch (error) {
        if (error instanceof WriteConflict) return false;
        throw error;
      }
    },

    async give(): Promise<void> {
      await store.write([{ kind: 'remove', table: 'settings', ids: [leaseKey] }]);
    },
  };
}
