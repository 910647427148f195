/** A text and the part of it that must stay in sight. */
export interface Long {
  text: string;
  focus: { start: number; end: number };
}

/** Fewer characters of a message are not understood. */
const leastShown = 160;

/**
 * The texts cut to `most` characters together. Short ones stay whole, and what they leave goes to the long ones, each of
 * which keeps at least a sentence or two.
 */
export function shortened(texts: readonly Long[], most: number): string[] {
  const sizes = sharesOf(
    texts.map(({ text }) => text.length),
    most,
  );
  return texts.map((long, at) => cutAround(long, sizes[at] ?? leastShown));
}

function sharesOf(lengths: readonly number[], most: number): number[] {
  const shares = new Array<number>(lengths.length).fill(0);
  const byLength = lengths.map((length, at) => ({ length, at })).sort((one, other) => one.length - other.length);
  let left = most;
  for (const [position, { length, at }] of byLength.entries()) {
    const even = Math.max(leastShown, Math.floor(left / (byLength.length - position)));
    shares[at] = Math.min(length, even);
    left -= shares[at];
  }
  return shares;
}

/** At most so many characters around the focus, with marks where something is left out. */
export function cutAround({ text, focus }: Long, length: number): string {
  if (text.length <= length) return text;
  const spare = Math.max(0, length - (focus.end - focus.start));
  const first = Math.max(0, Math.min(focus.start - Math.floor(spare / 3), text.length - length));
  const start = first === 0 ? 0 : afterBlank(text, first);
  const end = Math.min(text.length, start + length);
  const shown = text.slice(start, end < text.length ? beforeBlank(text, start, end) : end);
  return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
}

/** The beginning of a text. */
export function cutTo(text: string, length: number): string {
  return cutAround({ text, focus: { start: 0, end: 0 } }, length);
}

/** How far a cut may move so that it does not go through a word. */
const nearBlank = 24;

function afterBlank(text: string, at: number): number {
  const blank = text.slice(at, at + nearBlank).search(/\s/);
  return blank < 0 ? wholeCharacter(text, at) : at + blank + 1;
}

function beforeBlank(text: string, start: number, at: number): number {
  for (let place = at; place > Math.max(start, at - nearBlank); place--) {
    if (/\s/.test(text.charAt(place))) return place;
  }
  return wholeCharacter(text, at);
}

/** Not between the two halves of one character. */
function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;
}
