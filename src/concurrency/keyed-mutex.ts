export type KeyedMutex = ReturnType<typeof createKeyedMutex>;

/** Runs the work of one key one piece at a time, in the order of arrival; other keys do not wait for it. */
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
