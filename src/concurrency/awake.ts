/** Retry timers do not keep a process alive; this does, for a caller that waits for the result. */
export async function awake<Result>(work: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => undefined, 60_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
