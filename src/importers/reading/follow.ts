import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImportedConversation } from '../contract.js';
import { type ChangedFile, createLook, type Watched } from './files.js';

/** Follows files: reports what has changed since the last scan, and when the next scan is due. */
interface Follower {
  /** Scans the places that changed, or everything when a full scan is due. */
  look(): AsyncGenerator<FollowedFile>;
  /** Waits until the next scan is due. */
  due(signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface FollowedFile extends ChangedFile {
  /** Reports it again after this many milliseconds, whether it has changed or not. */
  again(afterMs: number): void;
}

interface Pace {
  /** Milliseconds between two full scans; undefined: the system reports changes, if it can. */
  interval?: number | undefined;
}

const times = {
  /** A program writes several lines at once, so this debounces them into one read. */
  gather: 200,
  /** How often to check whether another program was installed. */
  appear: 5_000,
  /** Change reports may be lost, for example when the machine sleeps. */
  complete: 60_000,
  /** The scan interval if the system cannot report changes. */
  poll: 5_000,
};

/** Watching more folders than this uses too much system memory; they are listed regularly instead. */
const mostWatched = 4_096;

/**
 * The system reports changes, so that nothing is listed while nothing happens. The reports only say where to look; an
 * occasional full scan finds what they missed.
 */
export function createFollower(watched: () => readonly Watched[], { interval }: Pace = {}): Follower {
  const look = createLook(watched);
  const reports = createReports(() => wake?.());
  /** Files to scan again, with the earliest time for it. */
  const again = new Map<string, number>();
  const known = new Set<string>();
  let completeAt = 0;
  /**
   * The processor time of the last scan. Elapsed time would be longer on a busy machine, which is no reason to scan
   * less often.
   */
  let workedFor = 0;
  let wake: (() => void) | undefined;

  async function* following(): AsyncGenerator<FollowedFile> {
    const now = performance.now();
    const used = process.cpuUsage();
    const isComplete = now >= completeAt;
    const appeared = watched().filter(({ path }) => !known.has(path));
    for (const { path } of appeared) known.add(path);
    // Starts the reports before the scan, so that no change is missed in between.
    for (const { path } of isComplete ? watched() : appeared) await reports.follow(path);
    const ready = [...again].filter(([, from]) => from <= now).map(([path]) => path);
    for (const path of ready) again.delete(path);
    const reported = await reports.take();
    if (isComplete) completeAt = now + (interval ?? (reports.areComplete() ? times.complete : times.poll));
    const places = [...new Set([...reported, ...ready, ...appeared.map(({ path }) => path)])];
    for await (const changed of look(isComplete ? undefined : places, new Set(ready))) {
      const { onDisk } = changed.file;
      yield {
        ...changed,
        again(afterMs) {
          if (onDisk !== undefined) again.set(onDisk, performance.now() + afterMs);
        },
      };
    }
    const { user, system } = process.cpuUsage(used);
    workedFor = (user + system) / 1_000;
  }

  return {
    look: following,
    async due(signal) {
      const from = performance.now();
      // Reading a large file is expensive, so it is read less often, to keep this program's load low.
      const earliest = from + Math.min(times.poll, Math.max(times.gather, workedFor));
      while (!signal.aborted) {
        const now = performance.now();
        const next = Math.min(
          completeAt,
          from + times.appear,
          reports.some() ? earliest : Number.POSITIVE_INFINITY,
          ...[...again.values()].map((at) => Math.max(at, earliest)),
        );
        if (next <= now) return;
        const reported = new AbortController();
        wake = () => reported.abort();
        // A report or a stop request ends the pause early.
        const ends = AbortSignal.any([signal, reported.signal]);
        await delay(next - now, undefined, { signal: ends }).catch(() => undefined);
        wake = undefined;
      }
    },
    close: reports.close,
  };
}

interface Reports {
  /** Reports changes of a file, or of a folder with everything below it. */
  follow(path: string): Promise<void>;
  some(): boolean;
  /** The places where something has changed since the last call. */
  take(): Promise<string[]>;
  /** Whether every given folder is being watched. */
  areComplete(): boolean;
  close(): void;
}

/** Linux reports changes per folder; other systems report a folder with everything below it. */
const reportsTrees = process.platform === 'darwin' || process.platform === 'win32';

function createReports(onReport: () => void): Reports {
  const watchers = new Map<string, FSWatcher>();
  const reported = new Set<string>();
  let isComplete = true;

  function report(path: string): void {
    // A database in use changes its write-ahead log.
    reported.add(path.replace(/-(?:wal|shm|journal)$/, ''));
    onReport();
  }

  function forget(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function followFolder(folder: string, only?: string): void {
    if (watchers.has(folder)) return;
    if (watchers.size >= mostWatched) {
      isComplete = false;
      return;
    }
    try {
      const watcher = watch(folder, { persistent: false, recursive: reportsTrees && only === undefined });
      watchers.set(folder, watcher);
      watcher.on('change', (_, name) => {
        const path = name === null ? folder : join(folder, String(name));
        if (only === undefined || path.startsWith(only)) report(path);
      });
      // The folder was removed, or the system stopped watching it; the next full scan tries again.
      watcher.on('error', () => forget(folder));
    } catch {
      // No permission, or the system's limit of watched folders is reached.
      isComplete = false;
    }
  }

  async function followTree(folder: string): Promise<void> {
    followFolder(folder);
    if (reportsTrees) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory()) await followTree(join(folder, entry.name));
  }

  return {
    async follow(path) {
      const found = await stat(path).catch(() => undefined);
      if (found?.isDirectory() === true) await followTree(path);
      else if (found !== undefined) followFolder(dirname(path), path);
    },
    some: () => reported.size > 0,
    async take() {
      const places = [...reported];
      reported.clear();
      for (const place of places) {
        const found = await stat(place).catch(() => undefined);
        if (found === undefined) forget(place);
        // A new folder may already contain files.
        if (found?.isDirectory() === true) await followTree(place);
      }
      return places;
    },
    areComplete: () => isComplete,
    close() {
      for (const folder of [...watchers.keys()]) forget(folder);
    },
  };
}

/** `changing`: read it again after `forMs`. `new`: stable, not imported yet. `known`: imported in this state. */
type Rest = { kind: 'changing'; forMs: number } | { kind: 'new' } | { kind: 'known' };

/** How long a conversation that its program rewrites must stay unchanged. */
const restMs = 1_000;

/**
 * Programs that rewrite a file while an answer streams in save incomplete sentences first. A conversation is stable
 * when it has not changed for a second, so an incomplete answer is not imported; one that is known to be complete
 * need not wait.
 */
export function createRest(now: () => number = () => performance.now()) {
  const seen = new Map<string, { digest: string; since: number; taken: boolean }>();
  return function restOf(
    place: string,
    { messages }: Pick<ImportedConversation, 'messages'>,
    { isComplete = false } = {},
  ): Rest {
    const digest = createHash('sha256').update(JSON.stringify(messages)).digest('base64');
    const known = seen.get(place);
    const before = known?.digest === digest ? known : { digest, since: now(), taken: false };
    if (before.taken) return { kind: 'known' };
    const forMs = isComplete ? 0 : before.since + restMs - now();
    seen.set(place, { ...before, taken: forMs <= 0 });
    return forMs > 0 ? { kind: 'changing', forMs } : { kind: 'new' };
  };
}
