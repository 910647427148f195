import { derived, wholeWords } from '../language/languages.js';

/*
 * What in a message is not the speaker's own statement. Code, quotations and quoted lines are blotted out: nothing in
 * them is read. Text that was pasted is read, but what it states counts for little: a web page or a tool's output may
 * say "I prefer …" in the person's name. Everything here takes time that grows with the length of the message.
 */

/** Stands for what is not read. */
export const blot = '\u0000';

/** The message with everything blotted out that is not read; its length stays, so that places stay the same. */
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
/** What is longer is an opening that was never closed, and a closing of something else. */
const longestTagged = 10_000;

function withoutTagged(text: string): string {
  // Letters of tags alone: others may be longer in lower case, and places would no longer be the same.
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
/** Somebody speaks in it; a title or a name in quotation marks is left as it is. */
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

/** Where something stands next. Asked for places in order, it looks at each character once. */
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
  const places = sought.flatMap((each) => find(each, from) ?? []);
  return places.length === 0 ? undefined : Math.min(...places);
}

/** Blots out from each match to where `endOf` says that it ends; matches inside of one are passed over. */
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

/** Lines stay lines, so that a sentence after a code block begins where it does. */
function blotted(part: string): string {
  return part.replace(/[^\n]/g, blot);
}
