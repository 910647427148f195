import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';

/** The lease on background work, as stored in the metadata store: one process at a time holds it. */
export interface Lease {
  holder: string;
  /** Changes with every renewal. */
  renewed: string;
}

/** Shared storage for the lease, visible to every process that uses the same data. */
export interface LeaseStore {
  current(): Promise<Lease | undefined>;
  /**
   * Takes or renews the lease if it is unchanged since it was read (compare and swap); false when another process was
   * first.
   */
  take(holder: string, seen: Lease | undefined): Promise<boolean>;
  give(): Promise<void>;
}

/** How often a lease is renewed, and after how long without renewal it expires. */
export const leaseTimes = { renewal: 3_000, patience: 12_000 };

interface Election {
  lease: LeaseStore;
  observer: Observer;
  /** Called when this process acquires the lease. */
  onElected: () => void;
  /** Called after each renewal while this process holds the lease. */
  onRenewed: () => void;
  times?: typeof leaseTimes;
}

export interface Background {
  isOurs(): boolean;
  /** Releases the lease, so that another process does not have to wait for it to expire. */
  stop(): Promise<void>;
}

/**
 * Elects one process per metadata store to do the background work. A process that died stops renewing; the others time
 * that with their own monotonic clock, so clock skew does no harm. A brief overlap is safe too, because indexing a
 * chunk twice writes the same point twice.
 */
export function electBackground({ lease, observer, onElected, onRenewed, times = leaseTimes }: Election): Background {
  const me = randomUUID();
  const stopping = new AbortController();
  let ours = false;
  let watched: { lease: Lease; since: number } | undefined;

  async function renew(): Promise<void> {
    const seen = await lease.current();
    const free = seen === undefined || seen.holder === me || isStale(seen);
    const before = ours;
    ours = free && (await lease.take(me, seen));
    if (ours && !before) onElected();
    else if (ours) onRenewed();
  }

  function isStale(seen: Lease): boolean {
    if (watched?.lease.renewed !== seen.renewed || watched.lease.holder !== seen.holder) {
      watched = { lease: seen, since: performance.now() };
    }
    return performance.now() - watched.since > times.patience;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await renew().catch((error: unknown) => {
        ours = false;
        observer.log('warn', 'background_lease_failed', {}, error);
      });
      await delay(times.renewal, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    isOurs: () => ours,
    async stop() {
      stopping.abort();
      await running;
      if (!ours) return;
      ours = false;
      // If the release fails, the lease expires by itself.
      await lease.give().catch((error: unknown) => observer.log('warn', 'background_lease_failed', {}, error));
    },
  };
}

/**
 * The variant for a data folder on this machine: every server sweeps up leftover work, without a lease. Usually only
 * one of the processes sharing a folder is a server, and indexing a chunk twice writes the same point twice.
 */
export function sweepFolder(sweep: () => void, everyMs = 10_000): Background {
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  return { isOurs: () => true, stop: async () => clearInterval(timer) };
}

/** Rejects while a server holds the lease: emptying the index would lose what that server writes meanwhile. */
export async function refuseWhileServed(lease: LeaseStore, times = leaseTimes): Promise<void> {
  const before = await lease.current();
  if (before === undefined) return;
  await delay(times.renewal * 2);
  const after = await lease.current();
  if (after === undefined || after.renewed === before.renewed) return;
  throw new StartupError('data_in_use', 'A server is running on the same metadata store.', {
    hint: 'Rebuilding the index for another model needs exclusive access: stop every server, then run `threadkeep reindex` again.',
  });
}
