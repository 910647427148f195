import { isInnerDot } from '../language/inner-dot.js';
import { alternatives, derived } from '../language/languages.js';

/** A sentence as a slice of its text. */
export interface Sentence {
  start: number;
  end: number;
  text: string;
}

// Each run of marks is tried once, from its beginning, and an aside is short: no text takes more than its length.
const ends = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|(?<=\S)\s+(?=\[[^\]]{0,200}\]\s*$)|[。！？]+[”’」』）]*|\n+/gu;

/** The sentences of a text in order, trimmed; the name in front of a turn belongs to none. White space alone gives none. */
export function sentencesOf(text: string, from = 0): Sentence[] {
  const sentences: Sentence[] = [];
  let start = from;
  const add = (end: number): void => {
    const raw = text.slice(start, end);
    const lead = raw.length - raw.trimStart().length;
    const body = raw.trim();
    if (/[\p{L}\p{N}]/u.test(body))
      sentences.push({ start: start + lead, end: start + lead + body.length, text: body });
    start = end;
  };
  for (const match of text.matchAll(ends)) {
    const end = match.index + match[0].length;
    if (
      end <= start ||
      (match[0] === '.' && isInnerDot(text, { from: start, dot: match.index, next: nextOf(text, end) }))
    )
      continue;
    add(end);
  }
  add(text.length);
  return sentences;
}

/** Where the line goes on, or the end of the text: a dot before a line break ends its sentence. */
function nextOf(text: string, end: number): number {
  blanks.lastIndex = end;
  const next = end + (blanks.exec(text)?.[0].length ?? 0);
  return text[next] === '\n' ? text.length : next;
}

const blanks = /[^\S\n]*/uy;

/** Whether it asks rather than tells. */
export function isAsking(sentence: string): boolean {
  return /[?？؟]["'”’)\]\s]*$/u.test(sentence);
}

/** What a transcript puts in brackets (a picture, laughter) was not said. */
export function isAside(sentence: string): boolean {
  return /^\[[^\]]*\]$/u.test(sentence);
}

/** "Yes, exactly!" answers and tells nothing: what it says stands in the turn before. */
export function isBareReply(sentence: string): boolean {
  return sentence.length <= 60 && bareReply().test(sentence);
}

const bareReply = derived(
  () =>
    new RegExp(
      `^["'“‘]?(?:${alternatives(({ answers }) => answers?.bareReplies)})(?![\\p{L}\\p{N}])[^.!?]{0,40}[.!?。！]*$`,
      'iu',
    ),
);
