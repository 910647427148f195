/** Work in steps of bounded size. Whoever runs it decides whether others get a turn in between. */
export type Steps<Result> = Generator<void, Result, void>;

/** All steps at once, where nobody waits. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
