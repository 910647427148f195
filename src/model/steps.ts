/** Work in steps of bounded size. The caller decides whether to yield to the event loop in between. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps without yielding, for callers that may block. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
