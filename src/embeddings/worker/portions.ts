/** How much goes to the worker in one message. */
export interface PortionSize {
  texts: number;
  characters: number;
  /** A model that reads only the beginning of a text takes no longer for the rest. */
  charactersRead: number;
}

/** Sorting everything at once would hold up the event loop when there is much. */
const sortedTogether = 2_000;

/**
 * The positions of the texts in portions, texts of like length together, so that little is padded. A caller with one
 * short text waits for one portion of others at most.
 */
export function portions(texts: readonly string[], size: PortionSize): number[][] {
  const lengths = texts.map((text) => Math.min(text.length, size.charactersRead));
  const result: number[][] = [];
  let current: number[] = [];
  let characters = 0;
  for (const position of roughlyByLength(lengths)) {
    const length = lengths[position] ?? 0;
    if (current.length > 0 && (current.length >= size.texts || characters + length > size.characters)) {
      result.push(current);
      current = [];
      characters = 0;
    }
    current.push(position);
    characters += length;
  }
  if (current.length > 0) result.push(current);
  return result;
}

function* roughlyByLength(lengths: readonly number[]): Generator<number, void, void> {
  for (let begin = 0; begin < lengths.length; begin += sortedTogether) {
    const size = Math.min(sortedTogether, lengths.length - begin);
    const order = Array.from({ length: size }, (_, place) => begin + place);
    yield* order.sort((one, other) => (lengths[one] ?? 0) - (lengths[other] ?? 0));
  }
}
