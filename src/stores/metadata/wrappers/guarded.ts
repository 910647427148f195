import type { Guard } from '../../../resilience/guard.js';
import type { MetadataStore, Snapshot } from '../contract.js';

/** Opening may migrate, and a snapshot waits for a connection of its own. */
const longCall = 10;

/**
 * The same store, each call within its time. Reads are repeated when the store is down; a write never is, because nobody
 * knows whether the first one was made. `scrub` takes as long as the files are large.
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

  /** It lives on one connection: what failed there cannot be asked again. */
  function guardedSnapshot(snapshot: Snapshot): Snapshot {
    return {
      find: (table, query) => guard.run(() => snapshot.find(table, query), once),
      count: (table, where) => guard.run(() => snapshot.count(table, where), once),
      close: () => guard.run(() => snapshot.close(), { ...once, always: true }),
    };
  }
}
