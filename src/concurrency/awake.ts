/** Keeps the process alive until `work` settles: retry timers are unref'd and would not. */
export async function awake<Result>(work: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => undefined, 60_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
