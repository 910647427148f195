/** No name of ours is longer; comparing takes the square of the length. */
const longestName = 64;

/**
 * The known name that a misspelled one is nearest to, or undefined when none is close enough to be meant. Case and the
 * signs between words do not count: `topK` is `top_k`.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > longestName) return undefined;
  const folded = fold(given);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const distance = closeness(folded, fold(name));
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** ` (did you mean top_k?)`, or nothing. */
export function suggestion(given: string, known: Iterable<string>): string {
  const nearest = nearestName(given, known);
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

/** The edit distance, or infinity when more than a third of the letters would change. */
export function closeness(left: string, right: string): number {
  const limit = Math.max(1, Math.floor(Math.min(left.length, right.length) / 3));
  if (Math.abs(left.length - right.length) > limit) return Number.POSITIVE_INFINITY;
  const distance = editDistance(left, right);
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, '');
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, right.length);
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? Number.POSITIVE_INFINITY;
}
