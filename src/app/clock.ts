/** A clock set back by more than this was wrong before, and is followed. */
const longestStep = 60_000;

/**
 * The time of day that does not run backwards when the machine's clock is put right by seconds: what is said later is
 * stored as later. It runs slowly until the clock has caught up, which takes a minute at most.
 */
export function steadyClock(read: () => number = Date.now): () => string {
  let last = 0;
  return () => {
    const now = read();
    // Behind the last answer each question is a moment later, so that their order is kept as well.
    last = now >= last || last - now > longestStep ? now : last + 1;
    return new Date(last).toISOString();
  };
}
