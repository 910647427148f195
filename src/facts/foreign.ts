import { derived, wholeWords } from '../language/languages.js';

/*
 * The parts of a message that are not the speaker's own statements. Code, quotations and quoted lines are blotted out
 * and never read. Pasted text is read with low confidence: a web page or a tool's output may say "I prefer …" in the
 * user's name. Every function here is linear in the length of the message.
 */

/** Replaces characters that must not be read. */
export const blot = '\u0000';

/** The message with foreign text blotted out. The length stays the same, so offsets stay valid. */
export function withoutForeign(message: string): string {
  let text = message;
  if (text.includes('```') || text.includes('~~~')) text = text.replace(fenced, blotted);
  if (text.includes('<')) text = withoutTagged(text);
  if (text.includes('>')) text = text.replace(quotedLine, blotted);
  if (/["“„«「『]/.test(text)) text = withoutQuotations(text);
  return text;
}

const fenced = /^[ \t]*(```|~~~)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm;
const quotedLine = /^[ \t]*>[^\n]*$/gm;
const opening = /<(pre|code|blockquote|script|style)\b[^<>]{0,500}>/gi;
/** A longer span is an unclosed tag followed by an unrelated closing one. */
const longestTagged = 10_000;

function withoutTagged(text: string): string {
  // Only ASCII letters: other letters may change length in lower case, which would shift the offsets.
  const find = nextFinder(text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
  return replaced(text, text.matchAll(opening), ({ 0: tag, 1: name = '', index }) => {
    const inside = index + tag.length;
    const closing = `</${name.toLowerCase()}>`;
    const at = find(closing, inside);
    return at === undefined || at - inside > longestTagged ? undefined : at + closing.length;
  });
}

const closings: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  '“': ['”'],
  '„': ['“', '”'],
  '«': ['»'],
  '「': ['」'],
  '『': ['』'],
};
const longestQuotation = 600;
/** A quotation of someone's speech, as opposed to a title or a name in quotation marks. */
const speaks = derived(
  () =>
    new RegExp(
      wholeWords(({ facts }) => facts?.gates?.quotedSelf),
      'iu',
    ),
);

function withoutQuotations(text: string): string {
  const find = nextFinder(text);
  return replaced(text, text.matchAll(/["“„«「『]/g), ({ 0: mark, index }) => {
    const at = nearest(find, closings[mark] ?? [], index + 1);
    const length = at === undefined ? 0 : at - index - 1;
    if (at === undefined || length < 2 || length > longestQuotation) return undefined;
    if ((find('\n', index + 1) ?? at) < at) return undefined;
    return speaks().test(text.slice(index, at + 1)) ? at + 1 : undefined;
  });
}

type Find = (sought: string, from: number) => number | undefined;

/** Finds the next occurrence of a string. Queried with increasing offsets, it reads each character once. */
function nextFinder(text: string): Find {
  const known = new Map<string, number>();
  return (sought, from) => {
    let at = known.get(sought) ?? -1;
    if (at < from) {
      const found = text.indexOf(sought, from);
      at = found < 0 ? Number.POSITIVE_INFINITY : found;
      known.set(sought, at);
    }
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  };
}

function nearest(find: Find, sought: readonly string[], from: number): number | undefined {
  let first: number | undefined;
  for (const each of sought) {
    const at = find(each, from);
    if (at !== undefined && (first === undefined || at < first)) first = at;
  }
  return first;
}

/** Blots out each match up to the offset returned by `endOf`; matches inside a blotted span are skipped. */
function replaced(
  text: string,
  matches: Iterable<RegExpExecArray>,
  endOf: (match: RegExpExecArray) => number | undefined,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of matches) {
    if (match.index < from) continue;
    const end = endOf(match);
    if (end === undefined) continue;
    parts.push(text.slice(from, match.index), blotted(text.slice(match.index, end)));
    from = end;
  }
  return [...parts, text.slice(from)].join('');
}

/** Line breaks stay, so that a sentence after a code block still starts on its own line. */
function blotted(part: string): string {
  return part.replace(/[^\n]/g, blot);
}
