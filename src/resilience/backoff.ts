/** Full jitter: anywhere below a bound that doubles, so that clients which failed together do not return together. */
export function backoff(
  failures: number,
  { first, longest, random }: { first: number; longest: number; random: () => number },
): number {
  return Math.floor(random() * Math.min(longest, first * 2 ** failures));
}
