/** Read in a few milliseconds by any step of an insert. */
const portionLength = 16_384;

/** Signs that no word, name or identifier contains, and that no mark behind them changes. */
const betweenWords = /[\s,;!?()"。，、！？；]/;

/**
 * The same text in portions of bounded length, for work that yields to the event loop between them. Cut between words,
 * so that what is read word by word is the same; only a run of many thousand characters without a blank is cut inside.
 */
export function* portionsOf(text: string): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const end = start + portionLength >= text.length ? text.length : cutBefore(text, start, start + portionLength);
    yield text.slice(start, end);
    start = end;
  }
}

function cutBefore(text: string, start: number, limit: number): number {
  for (let at = limit; at > start + portionLength / 2; at--) if (betweenWords.test(text.charAt(at - 1))) return at;
  return /[\uDC00-\uDFFF]/.test(text.charAt(limit)) ? limit - 1 : limit;
}
