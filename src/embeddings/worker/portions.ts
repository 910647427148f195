/** How much goes to the worker in one message. */
export interface PortionSize {
  texts: number;
  characters: number;
  /** A model that reads only the beginning of a text takes no longer for the rest. */
  charactersRead: number;
}

/** Looking at everything at once would hold up the event loop when there is much. */
const sortedTogether = 2_000;

/**
 * The positions of the texts in portions, made as they are asked for. Texts of like length go together, so that little
 * is padded; a caller with one short text waits for one portion of others at most.
 */
export function* portions(texts: readonly string[], size: PortionSize): Generator<number[], void, void> {
  const lengthOf = (position: number) => Math.min(texts[position]?.length ?? 0, size.charactersRead);
  for (let begin = 0; begin < texts.length; begin += sortedTogether) {
    const count = Math.min(sortedTogether, texts.length - begin);
    const order = Array.from({ length: count }, (_, place) => begin + place);
    order.sort((one, other) => lengthOf(one) - lengthOf(other));
    let portion: number[] = [];
    let characters = 0;
    for (const position of order) {
      const length = lengthOf(position);
      if (portion.length > 0 && (portion.length >= size.texts || characters + length > size.characters)) {
        yield portion;
        portion = [];
        characters = 0;
      }
      portion.push(position);
      characters += length;
    }
    yield portion;
  }
}
