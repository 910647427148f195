import type { Alias } from '../model/conversation.js';
import type { JsonObject } from '../model/json.js';
import { finished, type Steps } from '../model/steps.js';
import { normalForm } from '../model/text.js';
import type { Script } from './language.js';
import { derived, isPlain, languageOf, plainFold, scripts } from './languages.js';

/**
 * Search terms of a text: the analyzer for both the index and the query, so that they agree in every store.
 *
 * - Words are Unicode letters and digits, case-folded, with Latin and Greek accents removed (`é` is `e`).
 * - Identifiers (`B-52`, `foo_bar`, `node.js`, `user@host`) stay whole, and their parts are terms too.
 * - Scripts written without spaces (Chinese, Japanese, Thai …) become overlapping pairs of characters.
 * - Inflectional endings are cut lightly (cats = cat, baked = baking); in German text the head of a long word, in French
 *   and Spanish the stem of a word is a separate term, marked with ~.
 */
export function indexTerms(text: string): string[] {
  const lists = [...termLists(text)];
  return joined(termKinds.flatMap((kind) => lists.map((list) => list[kind])));
}

/** The distinct terms of a text, in steps. */
export function* distinctTerms(text: string): Steps<Set<string>> {
  const terms = new Set<string>();
  for (const list of termLists(text)) {
    for (const kind of termKinds) for (const term of list[kind]) terms.add(term);
    yield;
  }
  return terms;
}

/** Like `flat`, in a third of the time: a portion of Chinese has 32,000 terms. */
function joined(lists: readonly (readonly string[])[]): string[] {
  const all: string[] = [];
  for (const list of lists) for (const each of list) all.push(each);
  return all;
}

/** The same terms separated by spaces, as they are stored, in steps: a message may have a megabyte. */
export function* indexedTerms(text: string): Steps<string> {
  const found: Record<TermKind, string[]> = { words: [], stems: [], parts: [] };
  for (const list of termLists(text)) {
    for (const kind of termKinds) if (list[kind].length > 0) found[kind].push(list[kind].join(' '));
    yield;
  }
  return termKinds.flatMap((kind) => found[kind]).join(' ');
}

/** In the order of the index. */
const termKinds = ['words', 'stems', 'parts'] as const;
type TermKind = (typeof termKinds)[number];

function* termLists(text: string): Generator<Record<TermKind, string[]>, void, void> {
  const language = languageOf(text);
  for (const portion of portionsOf(text)) {
    const words = wordsOf(portion);
    yield {
      words: joined(words.map(termsOfWord)),
      stems: stemsOf(language, words),
      parts: capitalParts(portion),
    };
  }
}

const capitalised = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const plainCapitalised = /[a-z][A-Z]|[A-Z][A-Z][a-z]/;

/**
 * The parts of camel-case identifiers (`useDebounce`, `HTTPServer`) of at least three letters. In the index they come
 * after everything else, so that words keep their neighbours.
 */
export function capitalParts(text: string): string[] {
  const plain = isPlain(text);
  const inside = plain ? plainCapitalised : capitalised;
  if (!inside.test(text)) return [];
  const names = (text.match(plain ? /[A-Za-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? []).filter(
    (name) => name.length <= longestTerm && inside.test(name),
  );
  return names.flatMap((name) =>
    (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? [])
      .filter((part) => part.length > 2 && part !== name)
      .map((part) => stem(foldedText(part))),
  );
}

/**
 * The distinct terms to search for. A pair of characters is more specific than each alone, so single ones are dropped.
 */
export function queryTerms(text: string, language = languageOf(text)): string[] {
  const words = wordsOf(text);
  const terms = words.flatMap((word) =>
    isUnspaced(word) ? [...pairsAsked(word), ...between(word)] : termsOfWord(word),
  );
  return [...new Set([...terms, ...stemsOf(language, words)])];
}

/** The stems of words as separate terms, in languages that inflect at the end. */
function stemsOf(language: string, words: readonly string[]): string[] {
  const stemOf = markedStems().get(language);
  return stemOf === undefined ? [] : words.flatMap((word) => partsOf(word).flatMap((part) => stemOf(part) ?? []));
}

const markedStems = derived(
  (languages) =>
    new Map(
      languages.flatMap(({ code, words }): [string, (word: string) => string | undefined][] => {
        const stemOf = words?.stem;
        return stemOf === undefined ? [] : [[code, (word) => marked(stemOf(word))]];
      }),
    ),
);

function marked(stem: string | undefined): string | undefined {
  return stem !== undefined && stem.length >= 4 ? `~${stem}` : undefined;
}

/** The stems in every language, because a title is too short to detect its language. */
function stemsOfWord(word: string): string[] {
  return partsOf(word).flatMap((part) => [...markedStems().values()].flatMap((stemOf) => stemOf(part) ?? []));
}

function partsOf(word: string): string[] {
  return isUnspaced(word) ? [] : (word.match(/[a-z]{4,}/g) ?? []);
}

/** Counts how many of the wanted terms a text contains. Created once per query, used for every candidate. */
export function termCounter(wanted: readonly string[]): (text: string) => number {
  const counting = termsCounting(wanted);
  return (text) => finished(counting(text));
}

/** The same in steps: a message may have a megabyte. */
export function termsCounting(wanted: readonly string[]): (text: string) => Steps<number> {
  const sought = new Set(wanted);
  const hasStems = wanted.some((term) => term.startsWith('~'));
  const heads = [...new Set(wanted.flatMap((term) => plainHead.exec(term)?.[0] ?? []))];
  // Only words that begin like a wanted term are checked: a stem keeps the head of its word.
  const likely = new RegExp(`(?<![a-z0-9])(?:${heads.join('|')})[a-z0-9]*(?:[-_.'@:/+#][a-z0-9]+)*(?:\\+\\+|#)?`, 'g');
  return function* (text) {
    const plain = isPlain(text);
    if (sought.size === 0 || (plain && heads.length === 0)) return 0;
    const found = new Set<string>();
    for (const portion of portionsOf(text)) {
      const words = plain ? (plainFold(portion).match(likely) ?? []) : wordsOf(portion);
      for (const word of words) {
        for (const term of termsOfWord(word)) if (sought.has(term)) found.add(term);
        if (hasStems) for (const term of stemsOfWord(word)) if (sought.has(term)) found.add(term);
      }
      if (found.size === sought.size) break;
      yield;
    }
    return found.size;
  };
}

/** Latin stemming keeps at least the first two letters; the third may change (flies = fly). */
const plainHead = /^[a-z0-9]{1,2}/;

const asciiWord = /[a-z0-9]+(?:[-_.'@:/+#][a-z0-9]+)*(?:\+\+|#)?/g;
const unicodeWord = /[\p{L}\p{N}\p{M}]+(?:[-_.'’@:/+#][\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
const partPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** A longer term is a hash, a key or base64; its beginning is enough to find it. */
const longestTerm = 80;

/** The folded words of a text; an identifier is one word. */
export function wordsOf(text: string): string[] {
  if (isPlain(text)) return plainFold(text).match(asciiWord) ?? [];
  return fold(text).match(unicodeWord) ?? [];
}

/** Folds case and compatibility forms; removes accents except where they make a separate letter, as in Cyrillic. */
function fold(text: string): string {
  const letters = normalForm(normalForm(text, 'NFKC').toLowerCase(), 'NFD')
    .replace(/([\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu, '$1')
    .replace(/[\u064B-\u065F\u0670]+/gu, '');
  return normalForm(letters, 'NFC');
}

/** Like `fold`, with a shortcut for plain text. */
export function foldedText(text: string): string {
  return isPlain(text) ? plainFold(text) : fold(text);
}

/** Cached, because a language has few words and uses them often. */
const known = derived(() => new Map<string, readonly string[]>());
const mostKnown = 50_000;

/** The terms of one folded word, in index order. */
export function indexTermsOfWord(word: string): readonly string[] {
  return termsOfWord(word);
}

function termsOfWord(word: string): readonly string[] {
  const kept = known();
  const before = kept.get(word);
  if (before !== undefined) return before;
  const terms = isUnspaced(word) ? joined([charactersOf(word), pairsOf(word), between(word)]) : spacedTerms(word);
  if (kept.size >= mostKnown) kept.clear();
  // Long words are hashes and keys, which rarely repeat.
  if (word.length <= 40) kept.set(word, terms);
  return terms;
}

/** The words of other scripts inside a run without spaces. */
function between(word: string): string[] {
  return (withoutUnspaced(word).match(partPattern) ?? []).map((part) => stem(part).slice(0, longestTerm));
}

function spacedTerms(word: string): string[] {
  const parts = word.match(partPattern) ?? [];
  const whole = parts.length > 1 || /[+#]$/.test(word) ? [word.replaceAll('’', "'").slice(0, longestTerm)] : [];
  // The tail of a contraction (don't, I'm, we'll) is not a separate word.
  const contracted = /['’]/.test(word);
  const words = parts.filter((part) => !(contracted && parts.length > 1 && part.length <= 2));
  return [...whole, ...words.map((part) => stem(part).slice(0, longestTerm))];
}

/*
 * Scripts written without spaces (Chinese, Japanese, Thai …). The index holds every character and every pair of
 * adjacent characters; a query searches for the pairs that carry content.
 */

const runs = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\u3005]+/gu;
const anyUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

export function isUnspaced(word: string): boolean {
  return anyUnspaced.test(word);
}

/** The parts of a run that are written in other scripts. */
export function withoutUnspaced(word: string): string {
  return word.replace(runs, ' ');
}

export function charactersOf(word: string): string[] {
  return joined((word.match(runs) ?? []).map((run) => [...run]));
}

/** Overlapping pairs of the runs without spaces; a lone character stays. */
export function pairsOf(word: string): string[] {
  return joined((word.match(runs) ?? []).map(pairsOfRun));
}

function pairsOfRun(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/**
 * The pairs worth searching for. Chinese question words and particles are removed before pairs are formed, so that no
 * pair contains or spans them. Japanese grammar is written in hiragana: a pair of hiragana, or one with a particle,
 * carries no content, and a single character between them is a separate word.
 */
export function pairsAsked(word: string): string[] {
  const subject = subjectOf(word);
  const telling = pairsOf(subject).filter((pair) => !small().empty.test(pair));
  const singles = subject.match(/(?<!\p{sc=Han})\p{sc=Han}(?!\p{sc=Han})/gu) ?? [];
  const asked = [...new Set([...telling, ...singles])].filter((term) => !small().characters.has(term));
  return asked.length > 0 ? asked : pairsOf(word);
}

/** The run with its question words and particles replaced by a space. */
export function subjectOf(word: string): string {
  const asking = small().asking.find(({ letter }) => letter.test(word));
  return asking === undefined ? word : word.replace(asking.pattern, ' ');
}

/** Pairs and characters without content. */
const small = derived((languages) => {
  const asking = scripts.flatMap(({ script, letter }) => {
    const words = languages.flatMap((language) =>
      language.script === script ? (language.words?.unspaced?.asking ?? []) : [],
    );
    return words.length === 0 ? [] : { letter, pattern: new RegExp(words.join('|'), 'gu') };
  });
  const charactersIn = (list: 'particles' | 'small'): string[] =>
    languages.flatMap(({ words }) => [...(words?.unspaced?.[list] ?? '')]);
  const particles = charactersIn('particles').join('');
  // Hiragana alone, or a particle next to one other character.
  const joined = particles === '' ? '' : `|^[${particles}].$|^.[${particles}]$`;
  return {
    asking,
    empty: new RegExp(`^\\p{sc=Hira}+$${joined}`, 'u'),
    characters: new Set(charactersIn('small')),
  };
});

interface Headed {
  title?: string;
  metadata: JsonObject;
  aliases?: readonly Pick<Alias, 'title' | 'tags'>[];
}

/**
 * The user-provided description of a conversation: its title, manual tags and summary, and the titles and tags of its
 * aliases. Generated descriptions only repeat its text.
 */
export function headingOf({ title = '', metadata: { tags, summary }, aliases = [] }: Headed): string {
  const words = Array.isArray(tags) ? tags.map(String) : [];
  const others = aliases.flatMap((alias) => [alias.title ?? '', ...(alias.tags ?? [])]);
  const known = new Set([title, ...words]);
  const added = new Set(others.filter((text) => text !== '' && !known.has(text)));
  return [title, typeof summary === 'string' ? summary : '', ...words, ...added].join(' ').trim();
}

export function headingTerms(conversation: Headed): string[] {
  return indexTerms(headingOf(conversation));
}

/**
 * A light stem by script: removes inflectional endings, nothing that changes a word's meaning. Index and query use the
 * same stem, so it need not be a real word. Every word of a script gets the stem of one of its languages.
 */
export function stem(word: string): string {
  const found = stems().find(({ initial }) => initial.test(word));
  return found === undefined ? word : found.stemOf(word);
}

/** Words are already folded, so Latin ones begin with an unaccented letter. */
const initials: Partial<Record<Script, RegExp>> = {
  latin: /^[a-z]/,
  arabic: /^\p{sc=Arabic}/u,
  cyrillic: /^\p{sc=Cyrillic}/u,
};

const stems = derived((languages) =>
  languages.flatMap(({ script, words }) => {
    const initial = initials[script];
    return initial === undefined || words?.scriptStem === undefined ? [] : { initial, stemOf: words.scriptStem };
  }),
);

/** Any step of an insert reads a portion of this length in a few milliseconds. */
const portionLength = 16_384;

/** Signs that no word, name or identifier contains, and that a following combining mark does not change. */
const betweenWords = /[\s,;!?()"。，、！？；]/;

/**
 * The same text in portions of bounded length, for work that yields to the event loop between them. Cut between
 * words, so that reading word by word gives the same result; only a run of many thousand characters without a space
 * is cut inside.
 */
export function* portionsOf(text: string): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const end = start + portionLength >= text.length ? text.length : cutBefore(text, start, start + portionLength);
    yield text.slice(start, end);
    start = end;
  }
}

function cutBefore(text: string, start: number, limit: number): number {
  for (let at = limit; at > start + portionLength / 2; at--) if (betweenWords.test(text.charAt(at - 1))) return at;
  return /[\uDC00-\uDFFF]/.test(text.charAt(limit)) ? limit - 1 : limit;
}
