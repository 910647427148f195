import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';

/** The right of one process to do the background work, as it is kept in the metadata store. */
export interface Lease {
  holder: string;
  /** A different value after each renewal. */
  renewed: string;
}

/** Where processes on the same data agree on who holds the lease. */
export interface LeaseStore {
  current(): Promise<Lease | undefined>;
  /** Takes or renews it if it is still as it was seen; false when another process was quicker. */
  take(holder: string, seen: Lease | undefined): Promise<boolean>;
  give(): Promise<void>;
}

/** How often a lease is renewed, and after how long without renewal it expires. */
export const leaseTimes = { renewal: 3_000, patience: 12_000 };

interface Election {
  lease: LeaseStore;
  observer: Observer;
  /** This process acquired the lease. */
  onElected: () => void;
  /** After each renewal while this process holds the lease. */
  onRenewed: () => void;
  times?: typeof leaseTimes;
}

export interface Background {
  isOurs(): boolean;
  /** Gives the lease back, so that another process need not wait until it is free. */
  stop(): Promise<void>;
}

/**
 * Of several processes on one metadata store, one does the background work. A process that died stops renewing; the
 * others measure that with their own clock, so clocks that disagree do no harm. Two of them at work for a moment do none
 * either: indexing a chunk twice writes the same point twice.
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
      // If it is left behind, it expires a little later.
      await lease.give().catch((error: unknown) => observer.log('warn', 'background_lease_failed', {}, error));
    },
  };
}

/**
 * On a folder of this machine every server looks after what was left behind, without a lease: of those that share it,
 * most often one is a server, and two that index a chunk write the same point twice.
 */
export function sweepFolder(sweep: () => void, everyMs = 10_000): Background {
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  return { isOurs: () => true, stop: async () => clearInterval(timer) };
}

/** Emptying the index while a server runs would lose what it writes meanwhile. */
export async function refuseWhileServed(lease: LeaseStore, times = leaseTimes): Promise<void> {
  const before = await lease.current();
  if (before === undefined) return;
  await delay(times.renewal * 2);
  const after = await lease.current();
  if (after === undefined || after.renewed === before.renewed) return;
  throw new StartupError('data_in_use', 'A server is running on the same metadata store.', {
    hint: 'Rebuilding the index for another model needs it alone: stop every server, then run `threadkeep reindex` again.',
  });
}
