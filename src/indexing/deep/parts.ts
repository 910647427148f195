/** About as much as the model reads at once. */
const longestPart = 400;
/** A limit for what one message may cost. */
const mostParts = 8;
/** A cut before this place would leave a part that says little. */
const shortestPart = 200;

/** What ends a thought, the clearest sign first. */
const ends = [/[.!?…؟۔](?=\s)|[。！？｡\n]/gu, /\s/gu];

/** A short text whole; a long one in parts that end with a sentence, or at least with a word. Of a very long one the first. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length && parts.length < mostParts) {
    const end = text.length - start <= longestPart ? text.length : cutAfter(text, start);
    const part = text.slice(start, end).trim();
    if (part !== '') parts.push(part);
    start = end;
  }
  return parts;
}

function cutAfter(text: string, start: number): number {
  const slice = text.slice(start, start + longestPart + 1);
  for (const end of ends) {
    const places = [...slice.matchAll(end)].map(({ index }) => index + 1);
    const last = places.filter((place) => place <= longestPart).at(-1) ?? 0;
    if (last >= shortestPart) return start + last;
  }
  const isInsidePair = (text.codePointAt(start + longestPart - 1) ?? 0) > 0xffff;
  return start + longestPart - (isInsidePair ? 1 : 0);
}
