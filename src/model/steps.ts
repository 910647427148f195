/** Work in steps of bounded size. The caller decides whether to yield to the event loop in between. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps without yielding, for callers that may block. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** What `toSorted` gives, in steps: runs are sorted one after the other, then merged. */
export function* sorting<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Steps<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += itemsPerStep) {
    runs.push(items.slice(start, start + itemsPerStep).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let place = 0; place < runs.length; place += 2) {
      const [one = [], other = []] = runs.slice(place, place + 2);
      merged.push(yield* merging(one, other, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

const itemsPerStep = 2_048;

function* merging<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Steps<Item[]> {
  const merged: Item[] = [];
  const [left, right] = [one.values(), other.values()];
  let [item, rival] = [left.next(), right.next()];
  while (!item.done && !rival.done) {
    // Of equal ones the first stays first.
    if (compare(rival.value, item.value) < 0) {
      merged.push(rival.value);
      rival = right.next();
    } else {
      merged.push(item.value);
      item = left.next();
    }
    if (merged.length % itemsPerStep === 0) yield;
  }
  for (; !item.done; item = left.next()) merged.push(item.value);
  for (; !rival.done; rival = right.next()) merged.push(rival.value);
  return merged;
}
