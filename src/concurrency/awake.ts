/** Pauses between retries let a process end; one that was told to wait for their outcome must not. */
export async function awake<Result>(work: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => undefined, 60_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
