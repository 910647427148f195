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

/** The offset where the speaker's own words end ("Translate this: …"); the message's length when they never do. */
export function ownWords(message: string): number {
  const match = patterns().material.exec(message);
  return match === null ? message.length : match[0].length;
}

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
    condition: whole('condition'),
    politeCondition: new RegExp(any('politeCondition'), 'iu'),
    material: new RegExp(
      `^\\s*(?:(?:${any('materialLead')}) )*(?:${any('material')})(?!\\p{L})[^\\n]{0,200}?[:：]`,
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
