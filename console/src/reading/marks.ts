/*
 * Marks on what is drawn. They are ranges over the page's text, not elements in it, so they go across bold words, table
 * cells and coloured code, and drawing a message again is not needed. Browsers without them (before 2025) only scroll.
 */

export type MarkName = 'match' | 'current' | 'passage';

export function setMarks(name: MarkName, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

export function clearMarks(): void {
  for (const name of ['match', 'current', 'passage'] as const) setMarks(name, []);
}

/** The text under an element, and which node each part of it is in. */
interface Drawn {
  text: string;
  nodes: { node: Text; start: number }[];
}

function drawnIn(element: Element): Drawn {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Drawn['nodes'] = [];
  let text = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest('.code-head, .unseen')) continue;
    nodes.push({ node: node as Text, start: text.length });
    text += node.nodeValue ?? '';
  }
  return { text, nodes };
}

function rangeOf({ nodes }: Drawn, start: number, end: number): Range | undefined {
  const from = nodeAt(nodes, start);
  const to = nodeAt(nodes, Math.max(start, end - 1));
  if (from === undefined || to === undefined) return undefined;
  const range = document.createRange();
  range.setStart(from.node, start - from.start);
  range.setEnd(to.node, end - to.start);
  return range;
}

function nodeAt(nodes: Drawn['nodes'], place: number): Drawn['nodes'][number] | undefined {
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((nodes[middle]?.start ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return nodes[low];
}

/** Every position of the text, ignoring case. */
export function rangesOf(element: Element, wanted: string): Range[] {
  const drawn = drawnIn(element);
  return placesOf(drawn.text, wanted).flatMap((start) => rangeOf(drawn, start, start + wanted.length) ?? []);
}

/** Where a text contains another, whatever the case; letters that change their length with it stay as they are. */
export function placesOf(text: string, wanted: string, most = 5_000): number[] {
  const letters = sameLength(text);
  const sought = sameLength(wanted);
  const places: number[] = [];
  if (sought === '') return places;
  for (
    let at = letters.indexOf(sought);
    at !== -1 && places.length < most;
    at = letters.indexOf(sought, at + sought.length)
  ) {
    places.push(at);
  }
  return places;
}

function sameLength(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Where words of a query begin like words of the text. */
export function wordRanges(element: Element, pattern: RegExp): Range[] {
  const drawn = drawnIn(element);
  return [...drawn.text.matchAll(pattern)].flatMap(
    ({ index, 0: word }) => rangeOf(drawn, index, index + word.length) ?? [],
  );
}

/** The position of a quote. Only letters and digits are compared, because rendering removed the Markdown syntax. */
export function quoteRange(element: Element, quote: string): Range | undefined {
  const drawn = drawnIn(element);
  const { letters, places } = lettersOf(drawn.text);
  const sought = lettersOf(quote).letters;
  if (sought.length < 2) return undefined;
  const at = letters.indexOf(sought);
  if (at !== -1) return rangeOf(drawn, places[at] ?? 0, (places[at + sought.length - 1] ?? 0) + 1);
  // A quote may be cut or joined from several parts: its beginning is enough to find the place.
  const start = sought.slice(0, 24);
  const near = sought.length > 24 ? letters.indexOf(start) : -1;
  return near === -1 ? undefined : rangeOf(drawn, places[near] ?? 0, (places[near + start.length - 1] ?? 0) + 1);
}

function lettersOf(text: string): { letters: string; places: number[] } {
  const places: number[] = [];
  const kept: string[] = [];
  for (const { 0: letter, index } of sameLength(text).matchAll(/[\p{L}\p{N}]/gu)) {
    kept.push(letter);
    for (let unit = 0; unit < letter.length; unit += 1) places.push(index + unit);
  }
  return { letters: kept.join(''), places };
}

/** The range to show first: where most of the marks are close together. */
export function densest(ranges: readonly Range[]): Range | undefined {
  const tops = ranges.map((range) => range.getBoundingClientRect().top);
  let best = 0;
  let most = 0;
  for (let from = 0, to = 0; from < ranges.length; from += 1) {
    to = Math.max(to, from);
    while (to + 1 < ranges.length && (tops[to + 1] ?? 0) - (tops[from] ?? 0) < 90) to += 1;
    const words = new Set(
      ranges.slice(from, Math.min(to + 1, from + 40)).map((range) => range.toString().toLowerCase()),
    ).size;
    if (words > most) {
      most = words;
      best = from;
    }
  }
  return ranges[best];
}
