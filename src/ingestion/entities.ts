import { derived, languageByCode, languageOf, wordList } from '../language/languages.js';
import { nameWords } from '../language/names.js';
import { functionWordsOf } from '../language/query-terms.js';
import { portionsOf } from '../language/terms.js';
import { titlesIn } from './titles.js';

/*
 * Finds the names in a text by their capitals, without a model. Better no name than half of one.
 */

/** The runs of characters that names consist of. Each is matched once, so scanning is linear. */
function wordRuns(text: string): RegExp {
  return text.length > longestQuick ? wordRun : quickRun;
}

/** The same runs, plain letters first: looking up a letter in a Unicode class takes three times as long. */
const quickRun = /(?:[A-Za-z0-9'’-]+|[\p{L}\p{N}]+)+/gu;
const wordRun = /[\p{L}\p{N}'’-]+/gu;
/** The quick pattern takes room on the stack for each change between the two kinds of letters. */
const longestQuick = 100_000;
const capital = /(?<![\p{L}\p{N}])\p{Lu}/u;
/** A longer run is a title or a list, and a part of it would be misleading. */
const mostWords = 8;

const isSmall = /^[a-z]+$/;

/** Plain letters need no Unicode classes, and almost all letters are plain. */
function startsSmall(word: string): boolean {
  const first = word.charCodeAt(0);
  return first < 128 ? first >= 97 && first <= 122 : /^\p{Ll}/u.test(word);
}

function startsCapital(word: string): boolean {
  const first = word.charCodeAt(0);
  return first < 128 ? first >= 65 && first <= 90 : /^\p{Lu}/u.test(word);
}

/** Between names, so that the caller can yield: no name is empty. */
export const pause = '';

/** Runs of capitalized words that are names, without the ordinary words before, between and after them. */
export function* entitiesOf(text: string): Generator<string, void, void> {
  const language = languageOf(text);
  const isOrdinary = ordinaryIn(language);
  const { withoutRoles, isNoName } = besideNames(language);
  const small = new Set<string>();
  for (const portion of portionsOf(text)) {
    for (const word of portion.match(wordRuns(portion)) ?? []) if (startsSmall(word)) small.add(word);
    yield pause;
  }
  const withoutVerb = verbsBefore(text);
  const columns = new Set<string>();
  let isTable = false;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    yield pause;
    const wasTable = isTable;
    isTable = /^\s{0,40}\|/.test(line);
    if (isTable && !wasTable) for (const name of columnsOf(line)) columns.add(name);
    // The cells of a table are labels and values.
    if (isTable || isHeading(line) || isUnderlined(line, lines[index + 1] ?? '') || isHeadline(line, isOrdinary))
      continue;
    const inTitle = titlesIn(line);
    for (const { words, opens, begin, until } of capitalisedWords(line)) {
      if (words.length === 0) yield pause;
      for (const part of namesIn(words, isOrdinary)) {
        if (isCut(words, part, opens) || isShouted(part.words)) continue;
        if (columns.has(part.words.join(' ')) || isPeople(part.words)) continue;
        if (isOwnedNoun(part.words, line.slice(until, until + longestBefore))) continue;
        const place = inTitle({ words: part.words, begin, until });
        if (place === 'part') continue;
        const opensIt = opens && part.words[0] === words[0];
        const isPair = opensIt && part.words.length === 2;
        const [first = '', second = ''] = part.words;
        if (isPair && (isOpening(first, small) || small.has(second.toLowerCase()))) continue;
        if (isNoName(first, isPair) || part.words.every((word) => small.has(word.toLowerCase()))) continue;
        const said = opensIt && place === 'none' ? withoutVerb(part.words) : part.words;
        const name = withoutRoles(place === 'none' ? ownerOf(trimmedName(said)) : trimmedName(said));
        if (name.length >= 2 && !isShouted(name)) yield name.join(' ');
      }
    }
  }
}

/** "Puerto Rican", "Middle Eastern", "South Italian": an adjective, or a people. */
function isPeople(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  const { people, compass, ofPlace } = nameWords();
  return people.test(last) || (words.length === 2 && compass.test(words[0] ?? '') && ofPlace.test(last));
}

/** "Trello's Gold plan": "Gold" describes the plan, so it is not a name. "Charlotte's Web as a film" contains one. */
function isOwnedNoun({ 0: first = '', length }: readonly string[], after: string): boolean {
  if (length !== 2 || !/['’]s$/.test(first)) return false;
  const next = /^ (\p{Ll}[\p{L}-]*)/u.exec(after)?.[1];
  return next !== undefined && !englishWords().has(next);
}

/** The names of the columns of a table, from its first row; the text beside it may mention them. */
function columnsOf(row: string): string[] {
  return row
    .slice(0, longestHeadline)
    .split('|')
    .map((cell) => (cell.match(wordRuns(cell)) ?? []).join(' '));
}

/** Words that a language capitalizes before a name, or before a noun. */
function besideNames(language: string) {
  const { roles = '', measures = '', openers } = languageByCode(language)?.words?.names ?? {};
  const [role, measure] = [new Set(wordList(roles)), new Set(wordList(measures))];
  return {
    withoutRoles(words: readonly string[]): readonly string[] {
      const from = words.findIndex((word) => !role.has(word.toLowerCase()));
      return from < 0 ? [] : words.slice(from);
    },
    isNoName(first: string, opensPair: boolean): boolean {
      const word = first.toLowerCase();
      return measure.has(word) || (opensPair && openers?.test(word) === true);
    },
  };
}

function ordinaryIn(language: string): (word: string) => boolean {
  const own = language === 'en' ? new Set<string>() : new Set(functionWordsOf(language));
  const english = englishWords();
  const { ordinary, compound } = nameWords();
  return (word) => {
    // "I'm", "Don't", "Let's": the part before the apostrophe decides.
    const [base = ''] = word.toLowerCase().split(/['’]/);
    if (compound.test(base)) return true;
    const stem = base.endsWith('n') && /['’]t$/i.test(word) ? base.slice(0, -1) : base;
    return [base, stem].some((each) => ordinary.has(each) || english.has(each) || own.has(each));
  };
}

const englishWords = derived(() => new Set(functionWordsOf('en')));

/** Splits at ordinary words; function words stay between two words of a name. */
function namesIn(words: readonly string[], isOrdinary: (word: string) => boolean): NamePart[] {
  const { inside } = nameWords();
  const names: NamePart[] = [];
  let current: NamePart | undefined;
  for (const [index, word] of words.entries()) {
    const next = words.slice(index + 1).find((each) => !inside.has(each.toLowerCase()));
    const joins = current !== undefined && next !== undefined && !isOrdinary(next) && inside.has(word.toLowerCase());
    if (isOrdinary(word) && !joins) {
      current = undefined;
      continue;
    }
    if (current === undefined) {
      current = { words: [], from: index };
      names.push(current);
    }
    current.words.push(word);
  }
  return names;
}

interface NamePart {
  words: string[];
  /** Its index in the run. */
  from: number;
}

/**
 * An ordinary word that is capitalized inside a sentence is part of the name, so the rest of "Eastern Standard Time" or
 * "Happy Hour Finder" is not a name. Words that begin a sentence or heading, and articles, are exceptions.
 */
function isCut(words: readonly string[], { words: name, from }: NamePart, opens: boolean): boolean {
  const end = from + name.length;
  const before = words.slice(0, from).filter((word) => !nameWords().notNames.has(word.toLowerCase()));
  return words.slice(end).some((word) => /^\p{Lu}/u.test(word)) || (before.length > 0 && !opens);
}

/** A limit, because each check reads the whole text. */
const mostLookups = 200;

/** "Post Instagram Stories regularly": if the rest occurs elsewhere without the first word, that word is a verb. */
function verbsBefore(text: string): (words: readonly string[]) => readonly string[] {
  const known = new Map<string, boolean>();
  return (words) => {
    const [first = '', ...rest] = words;
    const name = rest.join(' ').replace(/['’]s?$/, '');
    if (name === '') return words;
    const key = `${first} ${name}`;
    const isVerb = known.get(key) ?? (known.size < mostLookups && occursWithout(text, { first, name }));
    if (known.size < mostLookups) known.set(key, isVerb);
    return isVerb ? rest : words;
  };
}

function occursWithout(text: string, { first, name }: { first: string; name: string }): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before = text.slice(Math.max(0, at - Math.max(first.length + 1, longestBefore)), at);
    // After another capitalized word it is the end of another name: "Yosemite National Park".
    if (!before.endsWith(`${first} `) && !/\p{Lu}[\p{L}\p{N}'’-]* $/u.test(before)) return true;
  }
  return false;
}

/** The owner in a possessive, if it is a name of its own: the Department of Education's Adult …; or else what it owns. */
function ownerOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /['’]s$/.test(word));
  if (at === 0 && (words.length > 2 || /^\p{Lu}{2,}['’]/u.test(words[0] ?? ''))) return words.slice(1);
  return at < 1 || at === words.length - 1 ? [...words] : trimmedName(words.slice(0, at + 1));
}

/** Without a leftover initial or possessive ending. */
function trimmedName(words: readonly string[]): string[] {
  const last = words.findLastIndex((word) => [...word].length > 1);
  return words.slice(0, last + 1).map((word, index) => (index === last ? word.replace(/['’]s?$/, '') : word));
}

/** A line that Markdown sets as a heading, or that is bold as a whole: capitals do not indicate names there. */
function isHeading(line: string): boolean {
  const trimmed = line.trim();
  if (/^#{1,6}\s/.test(trimmed)) return true;
  return /^\*\*[^*]+\*\*:?$/.test(trimmed) && !trimmed.replace(/^\*\*\d{1,3}[.)] /, '').includes('. ');
}

/** A short line underlined by the next one. A longer line may simply be followed by a divider. */
function isUnderlined(line: string, next: string): boolean {
  return line.length <= longestHeading && /^(?:-{3,}|={3,})\s*$/.test(next);
}

const longestHeading = 120;

/** A longer line is judged by its beginning. */
const longestHeadline = 4_000;

/** A heading capitalizes every word, so capitals do not indicate names. */
function isHeadline(line: string, isOrdinary: (word: string) => boolean): boolean {
  const head = line.slice(0, longestHeadline);
  const all = head.match(wordRuns(head)) ?? [];
  // Cheap pre-check: at least four of five words must be capitalized.
  if (all.filter(startsCapital).length < 4) return false;
  const words = all.filter((word) => !isOrdinary(word));
  const capitalised = words.filter(startsCapital).length;
  return words.length >= 5 && capitalised * 10 >= words.length * 8;
}

/** Whether a word may be capitalized only because it begins a sentence: a verb form, or in lower case elsewhere. */
function isOpening(word: string, small: ReadonlySet<string>): boolean {
  const lower = word.toLowerCase();
  return nameWords().opener.test(lower) || small.has(lower);
}

/** "READ THIS NOW", but not "REST API". */
function isShouted(words: readonly string[]): boolean {
  const long = words.filter(({ length }) => length > 3).length;
  if (long < words.length && (long < 2 || words.length < 3)) return false;
  return words.every((word) => word === word.toUpperCase() && word !== word.toLowerCase());
}

interface CapitalisedRun {
  words: string[];
  /** Whether it begins a sentence, or may. */
  opens: boolean;
  /** Its offsets in the line. */
  begin: number;
  until: number;
}

/** The number of words of one line that are read before the caller may yield. */
const wordsPerStep = 500;

/**
 * Runs of capitalized words separated by single spaces; the first may begin after a hyphen. Yields an empty run from
 * time to time.
 */
function* capitalisedWords(text: string): Generator<CapitalisedRun, void, void> {
  const { links, elided } = nameWords();
  let count = 0;
  let words: string[] = [];
  let opens = true;
  let link: string | undefined;
  let begin = 0;
  let until = 0;
  let end = -1;
  for (const { 0: run, index } of text.matchAll(wordRuns(text))) {
    if (++count % wordsPerStep === 0) yield { words: [], opens: false, begin: index, until: index };
    // "Lyndon B. Johnson"
    const isInitial = text[end] === '.' && words.length > 0 && /(?<!\p{L})\p{Lu}$/u.test(text.slice(end - 2, end));
    const gap = isInitial ? '. ' : ' ';
    const isEnded = text[end - 1] === '-';
    const adjoins = words.length > 0 && !isEnded && index === end + gap.length && text.startsWith(gap, end);
    const follows = adjoins && (startsCapital(run) || elided.test(run));
    end = index + run.length;
    const isLink = link === undefined ? links.has(run) : links.get(link)?.has(run) === true;
    if (adjoins && isLink) {
      link = link === undefined ? run : `${link} ${run}`;
      continue;
    }
    if (follows) {
      words.push(...(link?.split(' ') ?? []), run);
      link = undefined;
      until = end;
      continue;
    }
    if (isName(words) && !isPart(text, begin, until)) yield { words, opens, begin, until };
    link = undefined;
    // Most words: they neither begin a name nor are part of one.
    if (isSmall.test(run)) {
      words = [];
      continue;
    }
    const at = capital.exec(run)?.index;
    // "1915-S": the letter after the hyphen is the rest of a number.
    words = at === undefined || (at > 0 && run.length - at === 1) ? [] : [run.slice(at)];
    begin = index;
    until = end;
    const before = text.slice(Math.max(0, index - 2), index).trimEnd();
    opens = before === '' || /[^\p{L}\p{N},]$/u.test(before);
  }
  if (isName(words) && !isPart(text, begin, until)) yield { words, opens, begin, until };
}

function isName({ length }: readonly string[]): boolean {
  return length > 1 && length <= mostWords;
}

/** Whether the run is not a name by itself: a label, one of two alternatives, a street with its number, or half a name. */
function isPart(text: string, begin: number, end: number): boolean {
  if (isLabel(text, begin, end) || /^(?:[\\/]| & \p{Lu})/u.test(text.slice(end, end + 4))) return true;
  const { joinedAfter, joinedBefore, afterOwner, openHalf, abbreviation, street, firstHalf } = nameWords();
  const { amount, also, describing } = nameWords();
  const before = text.slice(Math.max(0, begin - longestBefore), begin);
  // "the National Plan for the Control of …": both sides of "for" are parts of one name.
  if (joinedAfter.test(text.slice(end, end + 12)) || joinedBefore.test(before)) return true;
  // A number or an amount of things, or the rest after an ordinal; a year may precede a name.
  if (/(?<!\d)\d{1,3} $/.test(before) || amount.test(before)) return true;
  // "the Ndebele Cultural and Heritage Festival": an adjective does not end a name.
  if (also.test(text.slice(end, end + 6)) && describing.test(text.slice(begin, end))) return true;
  // "Sgt. Pepper's Lonely Hearts Club Band", "Windows (R) Communication Foundation": what precedes belongs to it.
  if (/^\S+['’]s /.test(text.slice(begin, end)) && /\p{Lu}\p{Ll}{1,3}\. $/u.test(before)) return true;
  if (/(?:\((?:R|TM|C)\)|[®™]) $/.test(before)) return true;
  // A folder in a path.
  if (/[\\/]$/.test(before)) return true;
  // "Tolstoy's War and Peace", "Renoir's Dance at the …": a title that goes on.
  if (/^\S+['’]s \S+$/.test(text.slice(begin, end)) && afterOwner.test(text.slice(end, end + 12))) return true;
  // "Winsor & Newton's Galeria", "St. Peter's Basilica", "the Feast of St. John": half a name, too.
  if (openHalf.test(before)) return true;
  if (text[end] === '.' && abbreviation.test(text.slice(begin, end))) return true;
  return (/\d $/.test(before) && street.test(text.slice(begin, end))) || firstHalf.test(before);
}

const longestBefore = 60;

/** Labels of list entries and form fields: `**Local Stores:**`, `[Insert Date]`, "Partnerships- The city works with …". */
function isLabel(text: string, begin: number, end: number): boolean {
  return text[begin - 1] === '[' || text[end - 1] === '-' || /^[*_]{0,3}:/.test(text.slice(end, end + 4));
}
