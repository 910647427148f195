import type { Observer } from '../observability/observer.js';

/** A serial background queue for work on stored conversations. */
export interface ConversationQueue {
  /** Call after a conversation was saved or extended. */
  add(id: string): void;
  /**
   * Resolves when all queued work is done, or after `patience` milliseconds. Resolves at once when more than `most`
   * conversations are waiting, because they would take longer than a caller can wait.
   */
  settled(patience: number, most?: number): Promise<void>;
  /** The number of waiting conversations known so far: at least one until the whole store has been scanned. */
  waiting(): number;
  /** Resolves when the current conversation is finished. */
  stop(): Promise<void>;
}

export interface ConversationWork {
  /** The log event for a failure. */
  failure: string;
  run(id: string, isStopped: () => boolean): Promise<void>;
  /**
   * The next conversations left by an older version or a command, except those that failed; undefined when there are
   * none.
   */
  backlog(failed: ReadonlySet<string>): Promise<string[] | undefined>;
}

/**
 * How long a question waits for facts and vectors of recent inserts; the messages themselves can be searched anyway.
 */
export const askPatience = 6_000;
/** A question does not wait when more conversations than this are queued. */
export const mostAwaited = 200;

/** Bounds memory: conversations beyond this are found again in the store. */
const mostWaiting = 1_000;

/**
 * New conversations come before the backlog. Failed ones are retried at the next start. Nothing is lost when the
 * process dies, because the store records what is still to be done.
 */
export function createConversationQueue(
  observer: Observer,
  { failure, run, backlog: readBacklog }: ConversationWork,
  options: { catchUp: boolean },
): ConversationQueue {
  const fresh = new Set<string>();
  const backlog = new Set<string>();
  const failed = new Set<string>();
  const waiters: (() => void)[] = [];
  let current: { isFresh: boolean } | undefined;
  let isStopped = false;
  let hasMore = options.catchUp;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (!isStopped) {
      if (fresh.size === 0) for (const resolve of waiters.splice(0)) resolve();
      const [next] = fresh.size > 0 ? fresh : backlog;
      if (next === undefined) {
        if (!hasMore) return;
        await fillBacklog();
        continue;
      }
      // Removed first: if it is extended in the meantime, it is added again.
      current = { isFresh: fresh.delete(next) };
      backlog.delete(next);
      await run(next, () => isStopped).catch((error: unknown) => {
        failed.add(next);
        if (!isStopped) observer.log('warn', failure, {}, error);
      });
      current = undefined;
    }
  }

  async function fillBacklog(): Promise<void> {
    // If the store is unavailable, it is queried again at the next start.
    const ids = await readBacklog(failed).catch(() => undefined);
    hasMore = ids !== undefined;
    for (const id of ids ?? []) backlog.add(id);
  }

  function start(): void {
    running ??= work().finally(() => {
      running = undefined;
      for (const resolve of waiters.splice(0)) resolve();
      if (fresh.size > 0 && !isStopped) start();
    });
  }

  if (options.catchUp) start();

  return {
    add(id) {
      if (isStopped) return;
      if (fresh.size >= mostWaiting) hasMore = true;
      else fresh.add(id);
      start();
    },
    async settled(patience, most = Number.POSITIVE_INFINITY) {
      if ((fresh.size === 0 && current?.isFresh !== true) || fresh.size > most) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        waiters.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
    waiting: () => fresh.size + backlog.size + (current === undefined ? 0 : 1) + (hasMore ? 1 : 0),
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
