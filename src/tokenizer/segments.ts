/**
 * The text in parts of bounded length, because a pattern that meets a run of millions of letters exhausts its stack. A
 * cut lies where every encoding starts a new piece anyway, so that the tokens stay the same; only a run that offers no
 * such place is cut between two characters.
 */
export function* segments(text: string): Generator<string, void, void> {
  let start = 0;
  while (text.length - start > longestSegment) {
    const end = cutBefore(text, start + longestSegment);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

const longestSegment = 65_536;
/** How far back a good place is looked for. */
const searched = 1_024;

// After a letter and before what cannot belong to its word: no mark, no other letter, no apostrophe of "it's".
const wordEnd = /\p{L}(?=[^\p{L}\p{M}'])/gu;

function cutBefore(text: string, limit: number): number {
  const from = limit - searched;
  // One character more than is searched, so that the last letter can see what follows it.
  const last = [...text.slice(from, limit + 1).matchAll(wordEnd)].at(-1);
  if (last !== undefined) return from + last.index + last[0].length;
  const cutsPair = (text.codePointAt(limit - 1) ?? 0) > 0xffff;
  return cutsPair ? limit - 1 : limit;
}
