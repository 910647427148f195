import type { Observer } from '../observability/observer.js';

/** Work on stored conversations behind the inserts, one conversation after the other. */
export interface ConversationQueue {
  /** A conversation was saved or went on. */
  add(id: string): void;
  /**
   * Resolves when the work on everything that was added is done, or after `patience` milliseconds; at once where more than `most`
   * conversations wait, which take longer than anybody does.
   */
  settled(patience: number, most?: number): Promise<void>;
  /** How many conversations wait, as far as they were counted: at least one until the whole store was looked through. */
  waiting(): number;
  /** Resolves when the conversation that is worked on was left. */
  stop(): Promise<void>;
}

export interface ConversationWork {
  /** What a failure is called in the log. */
  failure: string;
  run(id: string, isStopped: () => boolean): Promise<void>;
  /** Some more of those that an older version or a command left, without those that failed; undefined when there are none. */
  backlog(failed: ReadonlySet<string>): Promise<string[] | undefined>;
}

/** More are not kept in memory: those left out are found again in the store. */
const mostWaiting = 1_000;

/**
 * New conversations come before the backlog. What fails is left for the next start. Nothing that waits is lost with the
 * process, because the store tells what is still to be done.
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
      // Taken out first: if it goes on meanwhile, it is added again.
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
    // A store that does not answer is asked again at the next start.
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
