import { alternatives, derived, languages, wholeWords } from '../language/languages.js';
import { functionWordsOf } from '../language/query-terms.js';

/*
 * Messages that take back a value: "it's the 19th, not the 16th", "DuckDB instead of Excel". The reading model rates such
 * a message low, because it seldom repeats what was asked about, so it is recognised by its words.
 */

/** Whether a sentence rejects `value`, which an older message stated. */
export function takesBack(sentence: string, value: string): boolean {
  const text = sentence.slice(0, longestRead).toLowerCase();
  return partsOf(value).some((part) => {
    const places = placesOf(text, part);
    return places.length > 0 && places.every((at) => isRejected(text, at, at + part.length));
  });
}

/** A quotation is shorter. */
const longestRead = 400;

function isRejected(text: string, start: number, end: number): boolean {
  const { before, after } = patterns();
  return before.test(text.slice(Math.max(0, start - beside), start)) || after.test(text.slice(end, end + beside));
}

/** Characters read on either side of a value. */
const beside = 32;

const patterns = derived(() => ({
  // One or two short words may come between: "not on the 16th".
  before: new RegExp(
    `(?:${wholeWords(({ answers }) => answers?.rejecting?.before)})[\\s"'“„«「『:,]{0,3}(?:\\p{L}{1,4}\\s+){0,2}$`,
    'u',
  ),
  after: new RegExp(`^[\\s"'”“»」』,]{0,3}(?:${alternatives(({ answers }) => answers?.rejecting?.after)})`, 'u'),
}));

/** The words of a value that identify it; in scripts without spaces the whole value, and each number in it. */
function partsOf(value: string): string[] {
  const words =
    value
      .slice(0, longestValue)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words
    .flatMap((word) => (isUnspaced.test(word) ? [word, ...(word.match(/\d+/g) ?? [])] : [word]))
    .filter((word) => /\d/.test(word) || isUnspaced.test(word) || (word.length >= 3 && !smallWords().has(word)));
}

const longestValue = 80;

const isUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;

const smallWords = derived(() => new Set(languages().flatMap(({ code }) => functionWordsOf(code))));

/** Where a part occurs as a whole word. */
function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  const joins = isUnspaced.test(part) ? /(?!)/u : /\d$/.test(part) ? /[\p{N}]/u : /[\p{L}\p{N}]/u;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    if (!joins.test(text.charAt(at - 1)) && !joins.test(text.charAt(at + part.length))) places.push(at);
  }
  return places;
}
