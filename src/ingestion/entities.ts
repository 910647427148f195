import { derived, languageByCode, languageOf, wordList } from '../language/languages.js';
import { functionWordsOf } from '../language/query-terms.js';
import { portionsOf } from '../language/terms.js';
import { titlesIn } from './titles.js';

/*
 * Finds the names in a text by their capitals, without a model. Better no name than half of one.
 */

/** A run of characters that names consist of; matched once, so scanning is linear. */
const wordRun = /[\p{L}\p{N}'’-]+/gu;
const capital = /(?<![\p{L}\p{N}])\p{Lu}/u;
/** A longer run is a title or a list, and a part of it would be misleading. */
const mostWords = 8;

/**
 * Words besides the function words that begin sentences or headings, or are capitalized there without being part of a
 * name.
 */
const openers = `
about absolutely actually after again ago all almost already also although always amazing another any anyone anything
anyway are as ask asked at awesome back bad be because been before being best better between big both but by bye call came
can check cheers cheer come congrats congratulations cool could day days dear definitely did do does doing done down each
either else enjoy enough especially even ever every everyone everything exactly excited excuse explain feel few finally find
first following for found from fun funny generally get getting give glad go going gonna good got gotta great guess guys had
haha happy has hate have having hello help helping her here hey hi his honestly hope hopefully how however huge i if im
impressive in indeed instead interesting is it just keep kind know last lately later learn learned less let lets like listen
little lol long look looking looks lots love loved loving made mainly make making many maybe me mean meanwhile meet met might
mom more morning most mostly much must my neat need never next nice night no nope not nothing now obviously of off oh ok
okay old on once one only oops or original other our out over own perfect perhaps please plus pretty probably proud put
quick quite rather read really recently regarding remember right sad said same saw say see seems send sent several shall
share she should show similar since so some someone something sometimes soon sorry sounds speaking start started still stop
stuff such super sure take taking talk tell than thank thanks that the their then there these they thing things think this
those though thought through time tip tips to today together tomorrow tonight too totally tried truly try trying under
unfortunately until up us use used using usually very via wait wanna want wanted was way we week weekend welcome well went
were what when where whether which while who why will wish with without wonderful work working would wow yay yeah year years
yep yes yesterday yet yo you your yup anytime aww whoa woah woohoo yikes ugh hmm
across additional annual around based becomes become behind business consider consult contact create during employs ensure
explore expect average insert follow join leave main near offers provides research specific utilizes uses visit visiting
watch within general provide increase reorder import unique customer shipping basic premium estimated personal common various
allow allows add avoid book bring build buy choose compare cook discover focus grab hire hold host include includes install invest
list move offer open opt order pack pick plan post prepare promote purchase reach reserve review run schedule search select set
sign skip spend stay store support switch teach test track travel turn utilize verify view write examples official essential hard
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec
analyze answer click compose define describe discuss draft enter evaluate generate identify imagine mention outline press
recommend rewrite simulate suggest summarize tap translate type
step question answer note example important warning tip summary introduction conclusion overview section part option key
`;
const ordinaryWords = new Set(openers.split(/\s+/).filter(Boolean));
/** Function words that may occur inside a name, but not at its beginning or end. */
const insideNames = new Set(
  'of the and for in on to a an de del della di da la le les el los las van von der den und y e du'.split(' '),
);

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
    for (const word of portion.match(wordRun) ?? []) if (startsSmall(word)) small.add(word);
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
        if (columns.has(part.words.join(' ')) || demonym.test(part.words.at(-1) ?? '')) continue;
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

/** "Puerto Rican", "Southeast Asian": an adjective, or a people. */
const demonym = /(?:ican|asian|european|ese|ish)s?$/i;

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
    .map((cell) => (cell.match(wordRun) ?? []).join(' '));
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
  return (word) => {
    // "I'm", "Don't", "Let's": the part before the apostrophe decides.
    const [base = ''] = word.toLowerCase().split(/['’]/);
    if (describing.test(base)) return true;
    const stem = base.endsWith('n') && /['’]t$/i.test(word) ? base.slice(0, -1) : base;
    return [base, stem].some((each) => ordinaryWords.has(each) || english.has(each) || own.has(each));
  };
}

/** "Prize-winning", "Spa-Inspired": a description, whatever its first part. */
const describing = /-(?:based|style|free|friendly|like|only|specific|\p{L}+(?:ing|ed))$/u;

const englishWords = derived(() => new Set(functionWordsOf('en')));

/** Splits at ordinary words; function words stay between two words of a name. */
function namesIn(words: readonly string[], isOrdinary: (word: string) => boolean): NamePart[] {
  const names: NamePart[] = [];
  let current: NamePart | undefined;
  for (const [index, word] of words.entries()) {
    const next = words.slice(index + 1).find((each) => !insideNames.has(each.toLowerCase()));
    const joins =
      current !== undefined && next !== undefined && !isOrdinary(next) && insideNames.has(word.toLowerCase());
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
  const before = words.slice(0, from).filter((word) => !articles.has(word.toLowerCase()));
  return words.slice(end).some((word) => /^\p{Lu}/u.test(word)) || (before.length > 0 && !opens);
}

const articles = new Set(['the', 'a', 'an', 'i']);

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
  return /^#{1,6}\s/.test(trimmed) || (/^\*\*[^*]+\*\*:?$/.test(trimmed) && !trimmed.includes('. '));
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
  const all = line.slice(0, longestHeadline).match(wordRun) ?? [];
  // Cheap pre-check: at least four of five words must be capitalized.
  if (all.filter(startsCapital).length < 4) return false;
  const words = all.filter((word) => !isOrdinary(word));
  const capitalised = words.filter(startsCapital).length;
  return words.length >= 5 && capitalised * 10 >= words.length * 8;
}

/** Whether a word may be capitalized only because it begins a sentence: a verb form, or in lower case elsewhere. */
function isOpening(word: string, small: ReadonlySet<string>): boolean {
  const lower = word.toLowerCase();
  return /(?:ing|ed|ly|ful|ous|ive|able)$/.test(lower) || small.has(lower);
}

function isShouted(words: readonly string[]): boolean {
  return words.every((word) => word.length > 3 && word === word.toUpperCase() && word !== word.toLowerCase());
}

/** Words that join two parts of one name: the Department of Health, Casa de Campo. */
const links = new Set(['of', 'de', 'del', 'della']);
/** Les Demoiselles d'Avignon. */
const elided = /^[dl]['’]\p{Lu}/u;
const articlesAfter: Readonly<Record<string, ReadonlySet<string>>> = {
  of: new Set(['the']),
  de: new Set(['la', 'las', 'los']),
};

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
  let count = 0;
  let words: string[] = [];
  let opens = true;
  let link: string | undefined;
  let begin = 0;
  let until = 0;
  let end = -1;
  for (const { 0: run, index } of text.matchAll(wordRun)) {
    if (++count % wordsPerStep === 0) yield { words: [], opens: false, begin: index, until: index };
    // "Lyndon B. Johnson"
    const isInitial = text[end] === '.' && words.length > 0 && /(?<!\p{L})\p{Lu}$/u.test(text.slice(end - 2, end));
    const gap = isInitial ? '. ' : ' ';
    const adjoins = words.length > 0 && index === end + gap.length && text.startsWith(gap, end);
    const follows = adjoins && (startsCapital(run) || elided.test(run));
    end = index + run.length;
    const isLink = link === undefined ? links.has(run) : articlesAfter[link]?.has(run) === true;
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
  const before = text.slice(Math.max(0, begin - longestBefore), begin);
  // "the National Plan for the Control of …": both sides of "for" are parts of one name.
  if (/^ for (?:the )?\p{Lu}/u.test(text.slice(end, end + 12)) || /\p{Lu}[\p{L}\p{N}'’-]* for (?:the )?$/u.test(before))
    return true;
  // A number of things; a year may precede a name.
  if (/(?<!\d)\d{1,3} $/.test(before)) return true;
  // A folder in a path.
  if (/[\\/]$/.test(before)) return true;
  // "Tolstoy's War and Peace", "Renoir's Dance at the …": a title that goes on.
  if (
    /^\S+['’]s \S+$/.test(text.slice(begin, end)) &&
    /^ (?:and|at|to|for)(?: the| a)? \p{Lu}/u.test(text.slice(end, end + 12))
  )
    return true;
  // "Winsor & Newton's Galeria", "St. Peter's Basilica", "the Feast of St. John": half a name, too.
  if (/(?:\p{Lu}[\p{L}\p{N}'’-]* &|\b(?:St|Mt)\.) $/u.test(before)) return true;
  if (text[end] === '.' && /\b(?:St|Mt)$/.test(text.slice(begin, end))) return true;
  return (/\d $/.test(before) && street.test(text.slice(begin, end))) || firstHalf.test(before);
}

const longestBefore = 60;
const street = /\b(?:St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Blvd|Boulevard|Ln|Lane|Pl|Place|Way|Hwy|Highway)$/;
/** "the Belt and Road Initiative", "the Valley Music and Arts Festival": what comes before "and" belongs to it. */
const firstHalf = /(?<![\p{L}\p{N}])[Tt]he(?: (?:of )?\p{Lu}[\p{L}\p{N}.'’-]*){1,4} (?:and|&) $/u;

/** Labels of list entries and form fields: `**Local Stores:**`, `[Insert Date]`. */
function isLabel(text: string, begin: number, end: number): boolean {
  return text[begin - 1] === '[' || /^[*_]{0,3}:/.test(text.slice(end, end + 4));
}
