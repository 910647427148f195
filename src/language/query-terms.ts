import type { Role } from '../model/conversation.js';
import type { PersonWords } from './language.js';
import { alternatives, derived, languageByCode, languageOf, wordList } from './languages.js';
import { charactersOf, foldedText, isUnspaced, pairsOf, queryTerms, subjectOf, wordsOf } from './terms.js';

/**
 * The content terms of a query, or all terms when it has only function words. Function words stay in the index, so that
 * a text made of them can still be found, but are dropped from a query that has anything better.
 */
export function contentTerms(query: string): string[] {
  const terms = queryTerms(query);
  const stopTerms = stopTermsOf(languageOf(query));
  const content = terms.filter((term) => !stopTerms.has(term));
  return content.length > 0 ? content : terms;
}

const katakanaWords = /\p{sc=Kana}[\p{sc=Kana}\u30fc]{2,}/gu;
const katakanaWord = new RegExp(`^${katakanaWords.source}$`, 'u');

/** Whether a term is a whole word of at least three katakana, as in `wholeTerms`. */
export function isKatakanaWord(term: string): boolean {
  return katakanaWord.test(term);
}

/**
 * The terms that tell whether a text is about the query. Katakana stand for sounds, so most texts contain some pair of
 * those in a word by chance: only the whole word tells.
 */
export function wholeTerms(query: string, terms: readonly string[]): string[] {
  const searched = new Set(terms);
  const words = (foldedText(query).match(katakanaWords) ?? []).filter((word) => searched.has(word.slice(0, 2)));
  const pairs = new Set(words.flatMap(pairsOf));
  return words.length === 0 ? [...terms] : [...terms.filter((term) => !pairs.has(term)), ...new Set(words)];
}

/** The number of words up to which a query may be keywords rather than a sentence. */
const mostTyped = 5;
/** A longer text is a sentence, because a script without spaces may write any number of words as one. */
const longestTyped = 500;

/**
 * The function words among a few words typed as into a search box: "tap shut off" is not a sentence that needs its "off".
 * None for a question, or where there is nothing else.
 */
export function typedFunctionTerms(query: string): string[] {
  if (query.length > longestTyped) return [];
  const words = wordsOf(query);
  if (words.length > mostTyped || /[?？؟]/u.test(query)) return [];
  const content = new Set(contentTerms(query));
  return queryTerms(query).filter((term) => !content.has(term));
}

const knownStopTerms = derived(() => new Map<string, ReadonlySet<string>>());

/** The terms of a language's function words. */
export function stopTermsOf(language: string): ReadonlySet<string> {
  const before = knownStopTerms().get(language);
  if (before !== undefined) return before;
  const terms = new Set(functionWordsOf(language).flatMap((word) => queryTerms(word)));
  knownStopTerms().set(language, terms);
  return terms;
}

export function functionWordsOf(language: string): readonly string[] {
  return wordList(languageByCode(language)?.words?.functionWords ?? '');
}

/**
 * Letter sequences that the words of a query share with their other forms: the head of a word wherever it occurs
 * (German "Karten" in "Fahrradkarte"), or a single Chinese character. Too loose for an index search, but good enough to
 * compare candidates.
 */
export function piecesOf(query: string): string[] {
  const stops = stopTermsOf(languageOf(query));
  const words = foldedText(query).match(/[\p{L}\p{M}]+/gu) ?? [];
  const pieces = words.flatMap((word) => {
    if (isUnspaced(word)) return charactersOf(subjectOf(word)).filter((character) => !/\p{sc=Hira}/u.test(character));
    return queryTerms(word).every((term) => stops.has(term)) ? [] : headOf(word);
  });
  return [...new Set(pieces)];
}

/** The word without its last two letters, but four to six letters long: endings differ, and the tail adds little. */
function headOf(word: string): string[] {
  const bare = prefixes().reduce((rest, prefix) => rest.replace(prefix, ''), word);
  const shortest = /^\p{sc=Arabic}/u.test(bare) ? 3 : 4;
  if (bare.length < shortest) return [];
  return [bare.slice(0, Math.max(shortest, Math.min(6, bare.length - 2)))];
}

const prefixes = derived((languages) => languages.flatMap(({ words }) => words?.prefix ?? []));

/** A word of the question, and the terms of its other forms. */
export interface VerbForms {
  word: string;
  others: readonly string[];
}

/** The other forms of the irregular verbs in a query, by their terms: a question about "buy" also finds "bought". */
export function verbFormsOf(query: string, terms: readonly string[]): Map<string, VerbForms> {
  const verbs = formsIn(languageOf(query));
  return new Map(
    terms.flatMap((term): [string, VerbForms][] => {
      const forms = verbs.get(term);
      return forms === undefined ? [] : [[term, forms]];
    }),
  );
}

const knownVerbs = derived(() => new Map<string, ReadonlyMap<string, VerbForms>>());

function formsIn(language: string): ReadonlyMap<string, VerbForms> {
  const before = knownVerbs().get(language);
  if (before !== undefined) return before;
  const verbs = new Map<string, VerbForms>();
  const lines = languageByCode(language)?.words?.irregularVerbs?.trim().split(/[|\n]/) ?? [];
  for (const verb of lines) {
    const words = verb.split(' ');
    for (const word of words) {
      const others = words.filter((other) => other !== word).flatMap((other) => queryTerms(other, language));
      for (const term of queryTerms(word, language)) verbs.set(term, { word, others });
    }
  }
  knownVerbs().set(language, verbs);
  return verbs;
}

/*
 * Everyday synonyms, such as colloquial and written or regional names of the same thing. They share no letters, and an
 * English model does not know them in other languages.
 */

/** The terms of synonyms for the words of a query, except those that the query already has. */
export function otherNames(query: string, terms: readonly string[]): string[] {
  const names = namesOf(languageOf(query));
  const asked = new Set(terms);
  return [...new Set(terms.flatMap((term) => names.get(term) ?? []))].filter((term) => !asked.has(term));
}

/** Version numbers as they are also written: `1.2.3` and `v1.2.3`. */
export function otherVersions(query: string): string[] {
  const versions = query.match(/(?<![\p{L}\p{N}.])v?\d+(?:\.\d+)+(?![\p{L}\p{N}])/giu) ?? [];
  return versions.map((version) => (/^v/i.test(version) ? version.slice(1) : `v${version}`).toLowerCase());
}

const knownNames = derived(() => new Map<string, ReadonlyMap<string, readonly string[]>>());

function namesOf(language: string): ReadonlyMap<string, readonly string[]> {
  const before = knownNames().get(language);
  if (before !== undefined) return before;
  const names = new Map<string, readonly string[]>();
  for (const group of languageByCode(language)?.words?.otherNames ?? []) {
    const terms = queryTerms(group, language);
    for (const term of terms) names.set(term, terms);
  }
  knownNames().set(language, names);
  return names;
}

/**
 * Whose words a question is about: "what did you suggest" asks for the assistant's, "did I mention my …" for the
 * user's. Undefined when it does not say.
 */
export function personAsked(query: string): Role | undefined {
  const asked = query.toLowerCase();
  const { assistant, replies, advice, user } = personPatterns();
  if (replies.test(asked) || assistant.test(asked) || advice.test(asked)) return 'assistant';
  return user.test(asked) ? 'user' : undefined;
}

/**
 * Whether a question asks for something the assistant said. "Do you know where I parked?" is addressed to the assistant
 * but asks for the user's words.
 */
export function asksForReply(query: string): boolean {
  return personPatterns().replies.test(query.toLowerCase());
}

/** For lower-case text: patterns that ignore case take several times as long to compile. */
const personPatterns = derived(() => {
  const any = (part: keyof PersonWords): RegExp =>
    new RegExp(
      alternatives(({ questions }) => questions?.person?.[part]),
      'u',
    );
  return { assistant: any('assistant'), replies: any('replies'), advice: any('advice'), user: any('user') };
});

/** Whether a question asks for a number: a price, an amount, a length, a share. */
export function asksNumber(query: string): boolean {
  return numberPatterns().asked.test(query);
}

/** Whether a text contains a number, in digits or words. */
export function holdsNumber(text: string): boolean {
  return numberPatterns().held.test(text);
}

const numberPatterns = derived(() => ({
  asked: new RegExp(
    alternatives(({ questions }) => questions?.number),
    'iu',
  ),
  held: new RegExp(`\\p{Nd}|${alternatives(({ words }) => words?.numbers)}`, 'iu'),
}));
