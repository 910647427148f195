/** Writes taken together at most, so that no caller waits for an endless transaction. */
const LARGEST_GROUP = 64;

export interface GroupCommit<Write> {
  /** Resolves when the group holding this write is committed; rejects with its own outcome, or the group's failure. */
  write(write: Write): Promise<void>;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

/**
 * While one group is being committed, later writes wait and then travel together: a durable commit costs a disk sync,
 * and this shares it. `commit` answers with one outcome for each write, undefined for success.
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
