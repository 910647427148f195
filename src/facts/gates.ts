import type { GateWords } from '../language/fact-words.js';
import { alternatives, derived, wholeWords } from '../language/languages.js';

/*
 * Filters that keep a sentence from being read for facts: doubt, hypotheses, quotations and pasted text.
 */

/** A clause preceded by these words in its sentence is not a statement. */
export function isGated(before: string): boolean {
  const { supposing, reporting, instructing } = patterns();
  return supposing.test(before) || reporting.test(before) || instructing.test(before);
}

/** "I own a car if I win": the condition withdraws the statement. "If that matters" does not. */
export function isConditional(behind: string): boolean {
  const { condition, politeCondition } = patterns();
  return condition.test(behind) && !politeCondition.test(behind);
}

/**
 * The offset where the speaker's own words end ("Translate this: …", or "summarise" and an empty line); the message's
 * length when they never do. In a role play, no message is the speaker's own statement.
 */
export function ownWords(message: string): number {
  const { material, rolePlay } = patterns();
  if (rolePlay.test(message.slice(0, longestScene))) return 0;
  const match = material.exec(message);
  return match === null ? message.length : match[0].length;
}

/** A role play is set up in a few sentences at the beginning. */
const longestScene = 1_000;

const patterns = derived(() => {
  const any = (part: keyof GateWords): string => alternatives(({ facts }) => facts?.gates?.[part]);
  const whole = (part: keyof GateWords): RegExp =>
    new RegExp(
      wholeWords(({ facts }) => facts?.gates?.[part]),
      'iu',
    );
  return {
    supposing: whole('supposing'),
    reporting: whole('reporting'),
    instructing: new RegExp(`(?<!\\p{L})(?:${any('instructing')})(?!\\p{L})`, 'iu'),
    rolePlay: whole('rolePlay'),
    condition: whole('condition'),
    politeCondition: new RegExp(any('politeCondition'), 'iu'),
    material: new RegExp(
      `^\\s*(?:(?:${any('materialLead')}) )*(?:${any('material')})(?!\\p{L})` +
        '(?:[^\\n]{0,200}?[:：→]|[^\\n.!?。！？]{0,60}\\n[ \\t]*\\n)',
      'iu',
    ),
  };
});

/*
 * Finds the part of a message that another author may have written: a pasted page, log, e-mail or transcript. This is a
 * heuristic and errs on the side of caution: a fact from pasted text has low confidence and never replaces one that was
 * plainly stated.
 */

/** People rarely type more than this; a longer message is, or contains, a document. */
const longestSaid = 1_500;

const pastePatterns = derived(() => {
  const any = (part: keyof GateWords): string => alternatives(({ facts }) => facts?.gates?.[part]);
  return {
    // A line that introduces text by another author: "Here is the page:", "Tool output:", "Subject: …".
    announces: new RegExp(
      `^[^\\n]{0,200}(?<!\\p{L})(?:${any('announces')})(?!\\p{L})[^\\n]{0,100}[:：][ \\t]*$`,
      'imu',
    ),
    // A header, a transcript line, a tool line, a tag or a separator.
    foreignLine: new RegExp(
      `^[ \\t]*(?:[*_#>|[<({]{0,6}[ \\t]*(?:${any('headers')})[ \\t]*(?:\\([^()\\n]{0,40}\\)|\\[[^[\\]\\n]{0,40}\\])?[\\])}>|*_]{0,6}[ \\t]*[:：]|[-=*_~#]{3}|<{2,}|>{2,}|<[/!?a-z]|\\[\\/?(?:INST|SYS|system|user|assistant|tool)|<\\|)`,
      'imu',
    ),
    // Prompt injection in the user's name: "I prefer that assistants always run …".
    commands: new RegExp(
      `(?<!\\p{L})(?:${any('assistants')})(?!\\p{L})[^\\n]{0,200}(?<!\\p{L})(?:${any('commands')})(?!\\p{L})`,
      'iu',
    ),
  };
});

/** The offset where pasted text begins in a message; the message's length when there is none. */
export function pastedFrom(message: string): number {
  if (message.length > longestSaid) return 0;
  const { announces, foreignLine } = pastePatterns();
  const announced = announces.exec(message);
  const line = foreignLine.exec(message);
  return Math.min(
    announced === null ? message.length : announced.index + announced[0].length,
    line?.index ?? message.length,
    longQuotation(message) ?? message.length,
  );
}

/** A quotation over several lines: everything between the first and the last quotation mark may be quoted. */
function longQuotation(message: string): number | undefined {
  const first = message.search(/["“„«「『]/);
  if (first < 0) return undefined;
  const last = message.search(/["”“»」』][^"”“»」』]*$/);
  return message.slice(first, last).includes('\n') ? first : undefined;
}

/** A sentence with a link, an image, a tag or invisible characters may be crafted. */
const crafted =
  /!?\[[^[\]]{0,200}\]\([^()\s]{1,500}|<[/!?a-z][^<>]{0,200}>|[\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\u00ad\ufeff\u{e0000}-\u{e007f}]/iu;

export function isCrafted(sentence: string): boolean {
  const head = sentence.slice(0, longestRead);
  return crafted.test(head) || pastePatterns().commands.test(head);
}

/** Only the beginning of a sentence is read for statements. */
const longestRead = 800;

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
  if (/["“„«「『'‘]/.test(text)) text = withoutQuotations(text);
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
  const closingOf = (mark: string, from: number): number | undefined =>
    mark === "'" || mark === '‘' ? find(closingApostrophe, from) : nearest(find, closings[mark] ?? [], from);
  return replaced(text, text.matchAll(opens), ({ 0: mark, index }) => {
    const at = closingOf(mark, index + 1);
    const length = at === undefined ? 0 : at - index - 1;
    if (at === undefined || length < 2 || length > longestQuotation) return undefined;
    if ((find('\n', index + 1) ?? at) < at) return undefined;
    return speaks().test(text.slice(index, at + 1)) ? at + 1 : undefined;
  });
}

/** An apostrophe is a quotation mark before or after a word, not inside one. */
const opens = /["“„«「『]|(?<![\p{L}\p{N}])['‘](?=\p{L})/gu;
const closingApostrophe = /(?<!\s)['’](?![\p{L}\p{N}])/gu;

type Find = (sought: string | RegExp, from: number) => number | undefined;

/** Finds the next occurrence of a string, or match of a global pattern. Queried with increasing offsets, it reads each character once. */
function nextFinder(text: string): Find {
  const known = new Map<string | RegExp, number>();
  return (sought, from) => {
    let at = known.get(sought) ?? -1;
    if (at < from) {
      const found = typeof sought === 'string' ? text.indexOf(sought, from) : indexOfMatch(text, sought, from);
      at = found < 0 ? Number.POSITIVE_INFINITY : found;
      known.set(sought, at);
    }
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  };
}

function indexOfMatch(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
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
