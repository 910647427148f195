export type Turns = ReturnType<typeof createTurns>;

/** Runs the work of one key one after the other, in the order of arrival; the work of other keys does not wait. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async function take<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
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
