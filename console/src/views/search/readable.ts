interface Span {
  start: number;
  end: number;
}

interface Passage {
  text: string;
  highlights: readonly Span[];
  excerpt?: Span | undefined;
}

interface Edit extends Span {
  replacement: string;
}

/**
 * A passage as a result shows it: two lines of running text have no room for tables and lists, so the characters that
 * only Markdown needs are left out. Code in fences stays as it is. Highlights and the excerpt move with the text.
 */
export function readable({ text, highlights, excerpt }: Passage): Passage {
  const edits = editsIn(text);
  if (edits.length === 0) return { text, highlights, excerpt };
  const pieces: string[] = [];
  let [from, length] = [0, 0];
  const shifts: { edit: Edit; at: number }[] = [];
  for (const edit of edits) {
    pieces.push(text.slice(from, edit.start), edit.replacement);
    shifts.push({ edit, at: length + edit.start - from });
    length += edit.start - from + edit.replacement.length;
    from = edit.end;
  }
  pieces.push(text.slice(from));
  const moved = moverOf(shifts);
  return {
    text: pieces.join(''),
    highlights: highlights.map(moved).filter(({ start, end }) => start < end),
    excerpt: excerpt === undefined ? undefined : moved(excerpt),
  };
}

function moverOf(shifts: readonly { edit: Edit; at: number }[]): (span: Span) => Span {
  const place = (position: number): number => {
    let [low, high] = [0, shifts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((shifts[middle]?.edit.start ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    const last = shifts[low - 1];
    if (last === undefined) return position;
    const { edit, at } = last;
    return at + edit.replacement.length + Math.max(0, position - edit.end);
  };
  return ({ start, end }) => ({ start: place(start), end: place(end) });
}

/** In the order of the text; they do not overlap. */
function editsIn(text: string): Edit[] {
  const edits: Edit[] = [];
  let isCode = false;
  let start = 0;
  for (const line of text.split('\n')) {
    const isFence = /^ {0,3}(?:```|~~~)/.test(line);
    if (isFence) edits.push({ start, end: start + line.length, replacement: '' });
    else if (!isCode) {
      for (const edit of editsInLine(line)) {
        edits.push({ ...edit, start: start + edit.start, end: start + edit.end });
      }
    }
    if (isFence) isCode = !isCode;
    start += line.length + 1;
  }
  return edits;
}

/** Quotes, then a heading, a bullet or a box to tick. */
const opening = /^[ \t]*(?:>[ \t]?)*[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[([ xX])\][ \t]+)?)?/;
/** Emphasis, code and links; the lengths keep one unclosed character from being read to the end again and again. */
const inline =
  /(?<![\p{L}\p{N}*])(\*{1,3})(?=[^\s*])([^*]{1,300}?)(?<!\s)\1(?![\p{L}\p{N}*])|(`+)([^`]{1,300})\3|(!?\[)([^[\]]{1,300})(\]\([^()\s]{0,500}\))/gu;

function editsInLine(line: string): Edit[] {
  if (isRule(line)) return [{ start: 0, end: line.length, replacement: '' }];
  const edits: Edit[] = [];
  const [prefix = '', box] = opening.exec(line) ?? [];
  if (prefix.trim() !== '') edits.push({ start: 0, end: prefix.length, replacement: bulletFor(prefix, box) });
  const body = line.slice(prefix.length);
  if (body.startsWith('|')) return [...edits, ...bars(line, prefix.length)];
  for (const match of body.matchAll(inline)) {
    const [whole, stars, , ticks, , bracket, , address] = match;
    const start = prefix.length + match.index;
    const before = stars ?? ticks ?? bracket ?? '';
    const after = stars ?? ticks ?? address ?? '';
    edits.push({ start, end: start + before.length, replacement: '' });
    edits.push({ start: start + whole.length - after.length, end: start + whole.length, replacement: '' });
  }
  return edits;
}

/** A line across the page, or the one under the heading of a table. */
function isRule(line: string): boolean {
  const characters = line.replaceAll(/[ \t]/g, '');
  if (characters.length < 3) return false;
  return /^(?:-+|\*+|_+)$/.test(characters) || (/^[|:-]+$/.test(characters) && /^\|.*-/.test(characters));
}

function bulletFor(prefix: string, box: string | undefined): string {
  if (box !== undefined) return box === ' ' ? '☐ ' : '☑ ';
  return /[-*+][ \t]+$/.test(prefix) ? '• ' : '';
}

/** The cells of a table, told apart by dots. */
function bars(line: string, from: number): Edit[] {
  const last = line.trimEnd().length - 1;
  const edits: Edit[] = [];
  for (let at = line.indexOf('|', from); at !== -1; at = line.indexOf('|', at + 1)) {
    edits.push({ start: at, end: at + 1, replacement: at === from || at === last ? '' : '·' });
  }
  return edits;
}
