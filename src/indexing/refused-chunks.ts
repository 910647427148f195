/** When a chunk whose text the model refused is offered to it again; at first and at last. */
const pauses = { first: 60_000, longest: 3_600_000 };

export type RefusedChunks = ReturnType<typeof rememberRefused>;

/** Chunks whose text the model does not take. They stay pending, and are offered again after longer and longer pauses. */
export function rememberRefused(now: () => number = Date.now) {
  const refused = new Map<string, { pause: number; until: number }>();

  return {
    note(id: string): void {
      const before = refused.get(id)?.pause;
      const pause = before === undefined ? pauses.first : Math.min(before * 2, pauses.longest);
      refused.set(id, { pause, until: now() + pause });
    },

    forget(ids: readonly string[]): void {
      for (const id of ids) refused.delete(id);
    },

    /** What is not pending any more was indexed by another process, or is gone. */
    keepOnly(pending: ReadonlySet<string>): void {
      for (const id of refused.keys()) if (!pending.has(id)) refused.delete(id);
    },

    has: (id: string): boolean => refused.has(id),
    isResting: (id: string): boolean => (refused.get(id)?.until ?? 0) > now(),
    count: (): number => refused.size,
  };
}
