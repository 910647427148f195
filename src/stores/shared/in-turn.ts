/** Runs what it is given one after the other, in the order given; a failure is its caller's alone and stops nobody. */
export function inTurn(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = Promise.allSettled([mine]);
    return mine;
  };
}
