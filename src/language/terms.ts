import type { Alias } from '../model/conversation.js';
import type { JsonObject } from '../model/json.js';
import { normalForm } from '../model/text.js';
import type { Script } from './language.js';
import { derived, isPlain, languageOf, plainFold, scripts } from './languages.js';

/**
 * Search terms of a text: the one analyser behind the index and the query, so that both agree in every store.
 *
 * - Words are Unicode letters and digits, case-folded, with Latin and Greek accents removed (`e` with an accent is `e`).
 * - Identifiers (`B-52`, `foo_bar`, `node.js`, `user@host`) stay whole, and their parts are terms too.
 * - Scripts written without blanks (Chinese, Japanese, Thai …) become overlapping pairs of characters.
 * - Endings that only inflect are cut lightly (cats = cat, baked = baking); in German text the head of a long word, in
 *   French and Spanish the stem of a word is a term of its own, marked with ~.
 */
export function indexTerms(text: string): string[] {
  const terms: string[] = [];
  const words = wordsOf(text);
  for (const word of words) for (const term of termsOfWord(word)) terms.push(term);
  return [...terms, ...stemsOf(languageOf(text), words), ...capitalParts(text)];
}

const capitalised = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;

/**
 * The parts of identifiers whose words begin with capitals (`useDebounce`, `HTTPServer`), from three letters on. In the
 * index they follow everything else, so that words keep their neighbours.
 */
export function capitalParts(text: string): string[] {
  if (!capitalised.test(text)) return [];
  const names = (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (name) => name.length <= longestTerm && capitalised.test(name),
  );
  return names.flatMap((name) =>
    (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? [])
      .filter((part) => part.length > 2 && part !== name)
      .map((part) => stem(foldedText(part))),
  );
}

/** The distinct terms to look for. A pair of characters says more than each alone, so single ones are left out. */
export function queryTerms(text: string, language = languageOf(text)): string[] {
  const words = wordsOf(text);
  const terms = words.flatMap((word) =>
    isUnspaced(word) ? [...pairsAsked(word), ...between(word)] : termsOfWord(word),
  );
  return [...new Set([...terms, ...stemsOf(language, words)])];
}

/** What a word has in common with its other forms, as a term of its own, in languages that inflect behind the head. */
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

/** In whatever language: a title is too short to tell. */
function stemsOfWord(word: string): string[] {
  return partsOf(word).flatMap((part) => [...markedStems().values()].flatMap((stemOf) => stemOf(part) ?? []));
}

function partsOf(word: string): string[] {
  return isUnspaced(word) ? [] : (word.match(/[a-z]{4,}/g) ?? []);
}

/** Counts how many of the wanted terms a text holds. Made once for a query, used on every candidate. */
export function termCounter(wanted: readonly string[]): (text: string) => number {
  const sought = new Set(wanted);
  const hasStems = wanted.some((term) => term.startsWith('~'));
  const heads = [...new Set(wanted.flatMap((term) => plainHead.exec(term)?.[0] ?? []))];
  // Only words that begin like a wanted term are looked at: a stem keeps the head of its word.
  const likely = new RegExp(`(?<![a-z0-9])(?:${heads.join('|')})[a-z0-9]*(?:[-_.'@:/+#][a-z0-9]+)*(?:\\+\\+|#)?`, 'g');
  return (text) => {
    const plain = isPlain(text);
    if (sought.size === 0 || (plain && heads.length === 0)) return 0;
    const found = new Set<string>();
    const words = plain ? (plainFold(text).match(likely) ?? []) : wordsOf(text);
    for (const word of words) {
      for (const term of termsOfWord(word)) if (sought.has(term)) found.add(term);
      if (hasStems) for (const term of stemsOfWord(word)) if (sought.has(term)) found.add(term);
      if (found.size === sought.size) break;
    }
    return found.size;
  };
}

/** The stem of Latin words leaves two letters of a word as they are; the third may change already (flies = fly). */
const plainHead = /^[a-z0-9]{1,2}/;

const asciiWord = /[a-z0-9]+(?:[-_.'@:/+#][a-z0-9]+)*(?:\+\+|#)?/g;
const unicodeWord = /[\p{L}\p{N}\p{M}]+(?:[-_.'’@:/+#][\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
const partPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** A term longer than this is a hash, a key or base64; its head is enough to find it again. */
const longestTerm = 80;

/** The words of a text, folded; identifiers are one word. */
export function wordsOf(text: string): string[] {
  if (isPlain(text)) return plainFold(text).match(asciiWord) ?? [];
  return fold(text).match(unicodeWord) ?? [];
}

/** Case and compatibility forms folded; accents go only where they are not letters of their own (Cyrillic ones are). */
function fold(text: string): string {
  const letters = normalForm(normalForm(text, 'NFKC').toLowerCase(), 'NFD')
    .replace(/([\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu, '$1')
    .replace(/[\u064B-\u065F\u0670]+/gu, '');
  return normalForm(letters, 'NFC');
}

/** What `fold` makes of a text, by the short way where the text is plain. */
export function foldedText(text: string): string {
  return isPlain(text) ? plainFold(text) : fold(text);
}

/** A language has few words and uses them often, so the terms of each are made once and kept. */
const known = derived(() => new Map<string, readonly string[]>());
const mostKnown = 50_000;

/** The terms of one folded word, in the order in which the index holds them. */
export function indexTermsOfWord(word: string): readonly string[] {
  return termsOfWord(word);
}

function termsOfWord(word: string): readonly string[] {
  const kept = known();
  const before = kept.get(word);
  if (before !== undefined) return before;
  const terms = isUnspaced(word) ? [...charactersOf(word), ...pairsOf(word), ...between(word)] : spacedTerms(word);
  if (kept.size >= mostKnown) kept.clear();
  // Long words are hashes and keys, which rarely repeat.
  if (word.length <= 40) kept.set(word, terms);
  return terms;
}

/** The words of other scripts inside a run without blanks. */
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
 * Scripts written without blanks (Chinese, Japanese, Thai …). The index holds every character and every pair of
 * neighbours; a query asks for the pairs that carry a subject.
 */

const runs = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\u3005]+/gu;
const anyUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

export function isUnspaced(word: string): boolean {
  return anyUnspaced.test(word);
}

/** The words in between that other scripts wrote. */
export function withoutUnspaced(word: string): string {
  return word.replace(runs, ' ');
}

export function charactersOf(word: string): string[] {
  return (word.match(runs) ?? []).flatMap((run) => [...run]);
}

/** Overlapping pairs of the runs without blanks; a lone character stays. */
export function pairsOf(word: string): string[] {
  return (word.match(runs) ?? []).flatMap((run) => {
    const characters = [...run];
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}

/**
 * The pairs worth asking for. Chinese question words and particles are cut out before pairs are made, so that they
 * neither pair up nor reach over. In Japanese the grammar is written in hiragana: a pair of those alone says nothing, nor
 * does one with a particle, and a single character between them is a word of its own.
 */
export function pairsAsked(word: string): string[] {
  const subject = subjectOf(word);
  const telling = pairsOf(subject).filter((pair) => !small().empty.test(pair));
  const singles = subject.match(/(?<!\p{sc=Han})\p{sc=Han}(?!\p{sc=Han})/gu) ?? [];
  const asked = [...new Set([...telling, ...singles])].filter((term) => !small().characters.has(term));
  return asked.length > 0 ? asked : pairsOf(word);
}

/** The run without its question words and particles, which leave a blank. */
export function subjectOf(word: string): string {
  const asking = small().asking.find(({ letter }) => letter.test(word));
  return asking === undefined ? word : word.replace(asking.pattern, ' ');
}

/** What is too small to be looked for. */
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
  // Hiragana alone, or a particle beside one other character.
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
 * What people said a conversation is about: its title, manual tags and summary, and the titles and tags of its aliases.
 * Generated words only repeat its text.
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
 * A light stem by script: endings that only inflect are cut, nothing that changes a word's meaning. Both sides of a
 * search use it, so it need not be a real word. Every word of a script gets the stem of one of its languages.
 */
export function stem(word: string): string {
  const found = stems().find(({ initial }) => initial.test(word));
  return found === undefined ? word : found.stemOf(word);
}

/** Words are folded: Latin ones begin with a plain letter. */
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
