/** Limit on writes per group, so that no caller waits for an endless transaction. */
const LARGEST_GROUP = 64;

export interface GroupCommit<Write> {
  /** Resolves when the group of this write is committed; rejects with the write's own error, or the group's. */
  write(write: Write): Promise<void>;
  /** Resolves when nothing is queued or in progress. */
  idle(): Promise<void>;
}

/**
 * Group commit: while one group is being committed, later writes queue up and are committed together, so that they
 * share one disk sync. `commit` returns one outcome per write, undefined for success.
 */
export function groupCommit<Write>(commit: (writes: Write[]) => Promise<(Error | undefined)[]>): GroupCommit<Write> {
  const waiting: { write: Write; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let running: Promise<void> | undefined;

  return {
    write: (write) =>
      new Promise((resolve, reject) => {
        waiting.push({ write, resolve, reject });
        running ??= drain();
      }),
    async idle() {
      while (running !== undefined) await running;
    },
  };

  async function drain(): Promise<void> {
    // Writes made in the same pass of the event loop join the first group.
    await Promise.resolve();
    while (waiting.length > 0) await commitGroup(waiting.splice(0, LARGEST_GROUP));
    running = undefined;
  }

  async function commitGroup(group: typeof waiting): Promise<void> {
    try {
      const outcomes = await commit(group.map(({ write }) => write));
      for (const [position, { resolve, reject }] of group.entries()) {
        const error = outcomes[position];
        if (error === undefined) resolve();
        else reject(error);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
