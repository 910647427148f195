/** Holders of the shared lock run together; the holder of the exclusive lock runs alone. */
export interface ReadWriteLock {
  shared<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Starts when the work inside has ended; later work waits for it. */
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
