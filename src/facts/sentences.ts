import { isInnerDot } from '../language/inner-dot.js';

/** A slice of a message. `text` has the length of the slice: what must not be read is blotted out. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
  asks: boolean;
}

/** Stands for what is not the speaker's own statement: code, quotations, quoted lines. */
export const blot = '\u0000';

const fenced = /^[ \t]*(```|~~~)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm;
const quotedLine = /^[ \t]*>[^\n]*$/gm;
// With bounds, so that tags that never end do not each look through the whole message.
const tagged = /<(pre|code|blockquote|script|style)\b[^<>]{0,500}>[\s\S]{0,10000}?<\/\1>/gi;
const quotation =
  /"[^"\n]{2,600}"|“[^”\n]{2,600}”|„[^“”\n]{2,600}[“”]|«[^»\n]{2,600}»|「[^」\n]{2,600}」|『[^』\n]{2,600}』/gu;
/** Somebody speaks in it; a title or a name in quotation marks is left as it is. */
const speaks =
  /(?<!\p{L})(?:i|i'm|my|me|we|our|you|is|are|am|was|ich|mein|je|j'|mon|ma|yo|mi|soy|vivo|me|я|мене|мій|моя|є)(?!\p{L})|[我是]/iu;

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
const listMark = /^(?:\s|[-*+•–—#]+\s|[0-9]{1,3}[.)]\s|\*\*|__)*/;
function isAbbreviation(text: string, start: number, match: RegExpExecArray): boolean {
  if (!match[0].startsWith('.') || match[0].includes('\n') || match[0].startsWith('..')) return false;
  return isInnerDot(text, { from: start, dot: match.index, next: match.index + match[0].length });
}

function withoutForeign(message: string): string {
  let text = message;
  if (text.includes('```') || text.includes('~~~')) text = text.replace(fenced, blotted);
  if (text.includes('<')) text = text.replace(tagged, blotted);
  if (text.includes('>')) text = text.replace(quotedLine, blotted);
  if (/["“„«「『]/.test(text)) text = text.replace(quotation, (part) => (speaks.test(part) ? blotted(part) : part));
  return text;
}

/** Lines stay lines, so that a sentence after a code block begins where it does. */
function blotted(part: string): string {
  return part.replace(/[^\n]/g, blot);
}

/** One sign for each apostrophe and blank, so that rules need to know one of them. */
function plainSigns(text: string): string {
  return text.replace(/[’ʼ‘`´]/g, "'").replace(/[\u00a0\u2009\u202f\t\n]/g, ' ');
}
