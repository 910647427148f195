/** How many messages two conversations begin with alike: branches of one share all up to where they part. */
export function sharedBeginning(
  one: readonly { role: string; text: string }[],
  other: readonly { role: string; text: string }[],
): number {
  const parting = one.findIndex(({ role, text }, index) => other[index]?.role !== role || other[index]?.text !== text);
  return parting === -1 ? one.length : parting;
}
