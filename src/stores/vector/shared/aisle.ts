/** Many walk it together; who needs it alone waits until it is empty, and nobody enters meanwhile. */
export interface Aisle {
  together<Result>(work: () => Promise<Result>): Promise<Result>;
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createAisle(): Aisle {
  const inside = new Set<Promise<unknown>>();
  let alone: Promise<unknown> | undefined;

  async function enter<Result>(work: () => Promise<Result>): Promise<Result> {
    while (alone !== undefined) await Promise.allSettled([alone]);
    const walk = work();
    inside.add(walk);
    return walk.finally(() => inside.delete(walk));
  }

  return {
    together: enter,
    async alone(work) {
      while (alone !== undefined) await Promise.allSettled([alone]);
      const walk = Promise.allSettled(inside).then(work);
      alone = walk;
      return walk.finally(() => {
        alone = undefined;
      });
    },
  };
}
