export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json | undefined };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Serialises a value in pieces, so that other requests are served in between. A response may contain hundreds of
 * messages of a megabyte, and serialising it at once would block the event loop. Together the pieces are what
 * `JSON.stringify` writes for plain data.
 */
export function* jsonPieces(value: unknown): Generator<string, void, void> {
  if (!isNested(value) || isSmall(value)) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [place, each] of value.entries()) {
      if (place > 0) yield ',';
      yield* jsonPieces(each);
    }
    yield ']';
  } else {
    let separator = '{';
    for (const [name, each] of Object.entries(value)) {
      if (each === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      yield* jsonPieces(each);
    }
    yield separator === '{' ? '{}' : '}';
  }
}

/** Characters, plus a few for each value. */
const largestPiece = 100_000;
const perValue = 8;

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether serialising it at once is faster than walking it. Reads no more of it than fits into a piece. */
export function isSmall(value: unknown): boolean {
  let room = largestPiece;
  const take = (each: unknown): boolean => {
    room -= perValue;
    if (typeof each === 'string') room -= each.length;
    else if (Array.isArray(each)) return each.every(take);
    else if (isNested(each)) return Object.values(each).every(take);
    return room >= 0;
  };
  return take(value);
}
