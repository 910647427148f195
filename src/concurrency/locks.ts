/** Many holders of the shared lock run together; the holder of the exclusive lock runs alone. */
interface ReadWriteLock {
  shared<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for running work to finish; work that arrives later waits for this. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createReadWriteLock(): ReadWriteLock {
  const sharing = new Set<Promise<unknown>>();
  let excluding: Promise<unknown> | undefined;

  return {
    async shared(work) {
      while (excluding !== undefined) await Promise.allSettled([excluding]);
      const running = work();
      sharing.add(running);
      return running.finally(() => sharing.delete(running));
    },
    async exclusive(work) {
      while (excluding !== undefined) await Promise.allSettled([excluding]);
      const running = Promise.allSettled(sharing).then(work);
      excluding = running;
      return running.finally(() => {
        excluding = undefined;
      });
    },
  };
}

export type KeyedMutex = ReturnType<typeof createKeyedMutex>;

/** Serialises work per key, in order of arrival; different keys run in parallel. */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  return async function withLock<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(run, run);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** Runs work one item at a time, in order. A failure rejects only its own caller's promise. */
export function createSerialQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = Promise.allSettled([mine]);
    return mine;
  };
}
