/** Runs work one piece after the other, in the order given. A failure reaches its own caller and stops nothing else. */
export function createSerialQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = Promise.allSettled([mine]);
    return mine;
  };
}
