/** For conditions that come true soon, also on a busy machine. */
export const soon = { timeout: 60_000, interval: 10 };
