import type { MetadataStore } from '../contract.js';

/** The same store for reading; writing succeeds and does nothing. */
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
