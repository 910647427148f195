import type { Observer } from '../observability/observer.js';
import { outsideRequests } from '../observability/request-context.js';
import type { VectorStore } from '../stores/vector/contract.js';

export interface Maintenance {
  store: VectorStore;
  /** Stops the timer and waits for a run in progress. */
  stop(): Promise<void>;
}

/** Debounce: runs once writes pause, and from time to time while they continue. */
const quietAfter = 3_000;
const writesBetweenRuns = 200;

/**
 * Runs the vector store's housekeeping in the background after writes: compacts small files, drops old versions and
 * builds indexes, so that searches stay fast and inserts do not wait.
 */
export function maintained(store: VectorStore, observer: Observer): Maintenance {
  let writes = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  function run(): void {
    clearTimeout(timer);
    timer = undefined;
    const { maintain } = store;
    if (running !== undefined || stopped || maintain === undefined) return;
    writes = 0;
    running = outsideRequests(() => maintain.call(store))
      .catch((error: unknown) => observer.log('warn', 'vector_maintenance_failed', {}, error))
      .finally(() => {
        running = undefined;
        if (writes > 0) schedule();
      });
  }

  function schedule(): void {
    writes += 1;
    if (stopped || store.maintain === undefined) return;
    if (writes >= writesBetweenRuns) run();
    clearTimeout(timer);
    timer = setTimeout(run, quietAfter);
    timer.unref();
  }

  return {
    store: {
      ...store,
      async upsert(points, options) {
        await store.upsert(points, options);
        schedule();
      },
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
