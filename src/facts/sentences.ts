import { isInnerDot } from '../language/inner-dot.js';
import { withoutForeign } from './foreign.js';

/** A slice of a message. `text` has the length of the slice: what must not be read is blotted out. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
  asks: boolean;
}

/** The sentences of a message with their places, without code, quotations and quoted lines. */
export function sentencesOf(message: string): Sentence[] {
  const text = withoutForeign(message);
  const sentences: Sentence[] = [];
  let start = 0;
  for (const match of text.matchAll(boundary)) {
    const end = match.index + match[0].trimEnd().length;
    if (isAbbreviation(text, start, match)) continue;
    add(start, end);
    start = match.index + match[0].length;
  }
  add(start, text.length);
  return sentences;

  function add(from: number, to: number): void {
    const raw = text.slice(from, to);
    const lead = listMark.exec(raw)?.[0].length ?? 0;
    const body = raw.slice(lead).trimEnd();
    if (!/[\p{L}]/u.test(body)) return;
    sentences.push({
      text: plainSigns(body),
      start: from + lead,
      end: from + lead + body.length,
      asks: /[?？]\s*$/.test(body),
    });
  }
}

const boundary = /(?<![.!?…])[.!?…]+["'”’)\]*_]*(?=\s|$)\s*|[。！？]+[”」』）]*\s*|\n+/gu;
// A mark has few signs: a line of thousands of stars would be tried from each of them.
const listMark = /^(?:\s|[-*+•–—#]{1,20}\s|[0-9]{1,3}[.)]\s|\*\*|__)*/;

function isAbbreviation(text: string, start: number, match: RegExpExecArray): boolean {
  if (!match[0].startsWith('.') || match[0].includes('\n') || match[0].startsWith('..')) return false;
  return isInnerDot(text, { from: start, dot: match.index, next: match.index + match[0].length });
}

/** One sign for each apostrophe and blank, so that rules need to know one of them. */
function plainSigns(text: string): string {
  return text.replace(/[’\u02bc‘`´]/g, "'").replace(/[\u00a0\u2009\u202f\t\n]/g, ' ');
}
