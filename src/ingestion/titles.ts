import { derived } from '../language/languages.js';
import { nameWords } from '../language/names.js';

/*
 * Titles inside a line: quoted, bold, in parentheses, or a list entry of their own. They capitalize ordinary words too, so
 * only a title as a whole is a name: "Island" in "Escape from Monkey Island" is not one.
 */

/** How a run of capitalized words relates to the title that contains it. List entries and parentheses need not be titles. */
export type InTitle = 'none' | 'whole' | 'part';

interface Run {
  words: readonly string[];
  /** The offsets in the line at which the run begins and ends. */
  begin: number;
  until: number;
}

/** Longer quotes are speech. The limits also bound the cost of an opening mark that is never closed. */
const marked = /\*\*[^*]{1,160}\*\*|"[^"]{1,160}"|“[^”]{1,160}”|\([^()]{1,160}\)/g;
const listEntry = /^\s{0,40}(?:[-*•+]|\d{1,3}[.)])\s{1,10}/;
const longestEntry = 160;

/** Where one title ends and another may begin: Cinque Terre, Italy; "Space Oddity" by David Bowie. */
const borders = derived(() => new RegExp(`[,;()"“”*|[\\]]|(?<=\\s)(?:${nameWords().author}|[-–—])(?=\\s)`, 'g'));
const word = /[\p{L}\p{N}'’-]+/gu;
const capitalOrNumber = /^[\p{Lu}\p{N}]/u;
const number = /^\p{N}/u;

/** Classifies the runs of a line, which must be passed in order, because the line is read once. */
export function titlesIn(line: string): (run: Run) => InTitle {
  const spans = marked[Symbol.matchAll](line);
  const entry = entryOf(line);
  const { inTitles } = nameWords();
  let span = spans.next().value;
  return ({ words, begin, until }) => {
    while (span !== undefined && span.index + span[0].length <= begin) span = spans.next().value;
    const around =
      span !== undefined && span.index <= begin ? { from: span.index, to: span.index + span[0].length } : entry;
    if (around === undefined || around.from > begin || around.to < until) return 'none';
    const title = titleAround(line, around, { begin, until });
    if (!title.every((each) => capitalOrNumber.test(each) || inTitles.has(each))) return 'none';
    if (words.length !== withoutEdges(title)) return 'part';
    return /[*"“]/.test(line[around.from] ?? '') ? 'whole' : 'none';
  };
}

interface Span {
  from: number;
  to: number;
}

/** A list entry that ends with the line, or at the dash or colon after what it lists. */
function entryOf(line: string): Span | undefined {
  const bullet = listEntry.exec(line)?.[0];
  if (bullet === undefined) return undefined;
  const rest = line.slice(bullet.length, bullet.length + longestEntry);
  const end = /\s[-–—]\s|:|$/.exec(rest)?.index ?? rest.length;
  return end === longestEntry ? undefined : { from: bullet.length, to: bullet.length + end };
}

function titleAround(line: string, { from, to }: Span, run: { begin: number; until: number }): string[] {
  let [start, end] = [from, to];
  let isQuoted = false;
  for (const border of line.slice(from, to).matchAll(borders())) {
    if (/["“”]/.test(border[0])) isQuoted = border[0] === '"' ? !isQuoted : border[0] === '“';
    // "Writings by Radical Women of Color" is one title.
    if (isQuoted && /^\p{L}/u.test(border[0])) continue;
    const at = from + border.index;
    if (at < run.begin) start = at + border[0].length;
    else if (at >= run.until) {
      end = at;
      break;
    }
  }
  return line.slice(start, end).match(word) ?? [];
}

/** The number of words, without a leading number or article and a trailing year or version. */
function withoutEdges(title: readonly string[]): number {
  const numbers = number.test(title[0] ?? '') ? 1 : 0;
  const first = numbers + (nameWords().articles.has(title[numbers]?.toLowerCase() ?? '') ? 1 : 0);
  const last = title.findLastIndex((each) => !number.test(each));
  return last + 1 - first;
}
