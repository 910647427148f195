import { MemoryError, StartupError } from '../../../model/errors.js';
import { type MetadataStore, WriteConflict } from '../contract.js';
import { type Trouble, troubleOf } from '../shared/trouble.js';

export interface MetadataEvent {
  call: keyof MetadataStore;
  milliseconds: number;
  failed: boolean;
  error?: unknown;
}

/**
 * The same store, with every call timed and recorded, and failures of the back end turned into `metadata_unavailable`.
 * A lost race is no failure of the store and passes as it is; so do errors that already have a code.
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
