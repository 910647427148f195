/** One look at an import: when, in milliseconds, and how many conversations were read by then. */
export interface Look {
  at: number;
  read: number;
}

/** The last looks that count: an import may get slower or faster. */
const mostLooks = 25;

export function withLook(looks: readonly Look[], look: Look): Look[] {
  return [...looks, look].slice(-mostLooks);
}

/** Conversations per second over the last looks, and the seconds left; undefined while there is nothing to tell from. */
export function paceOf(
  looks: readonly Look[],
  total: number | undefined,
): { perSecond: number; secondsLeft?: number } | undefined {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < 1_000 || last.read <= first.read) {
    return undefined;
  }
  const perSecond = ((last.read - first.read) * 1_000) / (last.at - first.at);
  return total === undefined ? { perSecond } : { perSecond, secondsLeft: Math.max(0, total - last.read) / perSecond };
}
