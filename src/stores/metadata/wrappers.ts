import { MemoryError, StartupError } from '../../model/errors.js';
import type { Guard } from '../../resilience/guard.js';
import { type MetadataStore, type Snapshot, WriteConflict } from './contract.js';
import { type Trouble, troubleOf } from './shared/trouble.js';

/** Opening may migrate, and a snapshot waits for its own connection. */
const longCall = 10;

/**
 * Adds time-outs and retries. Reads are retried when the store is down; writes are not, because the first attempt may
 * have succeeded. `scrub` has no time-out: it takes as long as the files are large.
 */
export function guardedMetadata(
  store: MetadataStore,
  guard: Guard,
  { timeoutMs }: { timeoutMs: number },
): MetadataStore {
  const { searchText, scrub, check } = store;
  const reading = { withinMs: timeoutMs, again: true };
  const once = { withinMs: timeoutMs, again: false };
  const long = { withinMs: timeoutMs * longCall, again: false };
  return {
    open: (tables) => guard.run(() => store.open(tables), long),
    write: (changes) => guard.run(() => store.write(changes), once),
    find: (table, query) => guard.run(() => store.find(table, query), reading),
    count: (table, where) => guard.run(() => store.count(table, where), reading),
    ...(searchText && {
      searchText: (table, query) => guard.run(() => searchText.call(store, table, query), reading),
    }),
    ...(scrub && { scrub: () => scrub.call(store) }),
    ...(check && { check: () => guard.run(() => check.call(store), once) }),
    snapshot: async () => guardedSnapshot(await guard.run(() => store.snapshot(), long)),
    close: () => guard.run(() => store.close(), { ...once, always: true }),
  };

  /** A snapshot lives on one connection, so its reads cannot be retried. */
  function guardedSnapshot(snapshot: Snapshot): Snapshot {
    return {
      find: (table, query) => guard.run(() => snapshot.find(table, query), once),
      count: (table, where) => guard.run(() => snapshot.count(table, where), once),
      close: () => guard.run(() => snapshot.close(), { ...once, always: true }),
    };
  }
}

export interface MetadataEvent {
  call: keyof MetadataStore;
  milliseconds: number;
  failed: boolean;
  error?: unknown;
}

/**
 * Times and records every call, and turns back-end failures into `metadata_unavailable`. WriteConflict is not a failure
 * and passes unchanged, as do errors that already have a code.
 */
export function observedMetadata(
  store: MetadataStore,
  { record }: { record: (event: MetadataEvent) => void },
): MetadataStore {
  const { searchText, scrub, check } = store;
  return {
    open: (tables) => observe('open', () => store.open(tables)),
    write: (changes) => observe('write', () => store.write(changes)),
    find: (table, query) => observe('find', () => store.find(table, query)),
    count: (table, where) => observe('count', () => store.count(table, where)),
    ...(searchText && {
      searchText: (table, query) => observe('searchText', () => searchText.call(store, table, query)),
    }),
    ...(scrub && { scrub: () => observe('scrub', () => scrub.call(store)) }),
    ...(check && { check: () => observe('check', () => check.call(store)) }),
    snapshot: () => observe('snapshot', () => store.snapshot()),
    close: () => observe('close', () => store.close()),
  };

  async function observe<Result>(call: keyof MetadataStore, work: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    try {
      const result = await work();
      record({ call, milliseconds: performance.now() - started, failed: false });
      return result;
    } catch (error) {
      record({ call, milliseconds: performance.now() - started, failed: true, error });
      throw publicError(error);
    }
  }
}

const unknownTrouble: Trouble = {
  what: 'The metadata store failed',
  remedy: 'Try again, and see the server log if it persists.',
};

function publicError(error: unknown): unknown {
  if (error instanceof WriteConflict || error instanceof MemoryError || error instanceof StartupError) return error;
  const { what, remedy } = troubleOf(error) ?? unknownTrouble;
  return new MemoryError('metadata_unavailable', `${what}; nothing that was acknowledged is lost. ${remedy}`, {
    cause: error,
  });
}

/** Reads as usual; writes succeed and do nothing. */
export function dryRunMetadata(store: MetadataStore): MetadataStore {
  const { searchText, check } = store;
  return {
    open: (tables) => store.open(tables),
    write: async () => {},
    find: (table, query) => store.find(table, query),
    count: (table, where) => store.count(table, where),
    ...(searchText && { searchText: (table, query) => searchText.call(store, table, query) }),
    scrub: async () => {},
    ...(check && { check: () => check.call(store) }),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
  };
}
