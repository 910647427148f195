import { isKatakanaWord } from '../language/query-terms.js';
import { capitalParts, foldedText, isUnspaced, portionsOf, termsCounting } from '../language/terms.js';
import type { Steps } from '../model/steps.js';
import type { RankedHit } from './rank.js';

export const matches = ['strong', 'weak'] as const;
export type Match = (typeof matches)[number];

/** What decides whether a result is a strong match, besides its own text. */
export interface Asked {
  /** The words of the query, including names; see `wholeTerms`. */
  words: readonly string[];
  /** What the words of the query share with their other forms. */
  pieces: readonly string[];
  /** The code of its language. */
  language: string;
  /** The number of chunks searched. */
  searched: number;
  /**
   * The full-text index contains a word of it, or is not used. Without any known word, chance produces nearer results.
   */
  isKnown?: boolean;
  /** It has operators and no words, so every result meets the whole query. */
  isOperatorsOnly?: boolean;
}

export interface Judge extends Asked {
  /** 0 to 1 and more: how reliably a small distance means a related text. */
  trust: number;
  similarity: (distance: number) => number;
}

/** Components of the relevance that come from the words of neighbouring messages. */
const beside = ['previous', 'next', 'answer', 'exchange'] as const;

/** The weights of a result's evidence, and the limit it must reach. */
interface Rule {
  /** All words of the query in the text and title. */
  coverage: number;
  /** All pieces of its words: other forms, parts of compounds, single Chinese characters. */
  pieces: number;
  /** Each word of the query, up to `mostWords`: several words rarely occur together by chance. */
  word: number;
  /** The contribution of neighbouring messages. */
  beside: number;
  /** The contribution of the conversation as a whole. */
  conversation: number;
  /** In a store ten times as large, the nearest unrelated chunk is nearer by about this much. */
  size: number;
  from: number;
}

/*
 * Round numbers near those that best separate the labelled evidence of the two public dev suites (English) and of our
 * own suite of languages from the results of invented and unrelated words, with the model that ships;
 * `docs/search.md` has the figures.
 */
const english: Omit<Rule, 'from'> = { coverage: 0.65, pieces: 0, word: 0.15, beside: 2, conversation: 0, size: 0.16 };

/** Evidence in these languages shares fewer whole words with a question, because its words have more forms. */
const inflected: Omit<Rule, 'from'> = {
  coverage: 0.4,
  pieces: 0.3,
  word: 0.1,
  beside: 1.5,
  conversation: 1.6,
  size: 0.18,
};

/** The limit for a strong match, depending on whether the searched chunks contain any word of the query. */
interface Limits {
  known: number;
  unknown: number;
}

/**
 * The limits differ by language because the embedding model places unrelated texts nearer to each other in some
 * scripts than in others, and nearest when a query consists of rare characters that it hardly knows.
 */
const limits = new Map<string, Limits>([
  ['en', { known: 0.45, unknown: 0.55 }],
  ['uk', { known: 0.1, unknown: 0.35 }],
  ['zh', { known: 0.22, unknown: 0.5 }],
  ['ja', { known: 0.18, unknown: 0.45 }],
  ['ar', { known: 0.28, unknown: 0.5 }],
]);
const latinLimits: Limits = { known: 0.05, unknown: 0.15 };

function ruleFor(language: string, isKnown: boolean): Rule {
  const { known, unknown } = limits.get(language) ?? latinLimits;
  return { ...(language === 'en' ? english : inflected), from: isKnown ? known : unknown };
}

/** Beyond this length, a longer query says no more about a single result. */
const mostWords = 4;

/** Smaller stores hardly differ in this respect. */
const smallStore = 100;

/** Without a trusted model the words alone decide: at least this share of the query. */
const coverageAlone = 0.5;

/**
 * A search always finds the nearest chunks, however little they have to do with the query. A strong match contains
 * all words of the query, or its words, neighbouring messages and similarity together exceed what chance would
 * produce in a store of this size. One shared word of two means little, because any large store contains most words.
 * In steps: a message may have a megabyte.
 */
export function matchingIn(judge: Judge): (best: RankedHit, title: string) => Steps<Match> {
  const { words, pieces, searched, trust, similarity } = judge;
  const rule = ruleFor(judge.language, judge.isKnown === true);
  const count = wordsCounting(words);
  const chance = rule.size * Math.log10(Math.max(smallStore, searched));
  const length = rule.word * Math.min(mostWords, wordCount(words));
  return function* ({ text, distance, shares, exactness = 0 }, title) {
    if (exactness > 0 || judge.isOperatorsOnly === true) return 'strong';
    const told = `${text}\n${title}`;
    const coverage = words.length === 0 ? 0 : (yield* count(told)) / words.length;
    if (coverage === 1) return 'strong';
    if (distance === undefined || trust < 0.5) return coverage >= coverageAlone ? 'strong' : 'weak';
    const around = beside.reduce((sum, part) => sum + (shares[part] ?? 0), 0);
    const worth =
      similarity(distance) +
      rule.coverage * coverage +
      (rule.pieces === 0 ? 0 : rule.pieces * (yield* shareOf(pieces, told))) +
      rule.beside * around +
      rule.conversation * (shares.conversation ?? 0) +
      length;
    return worth - chance >= rule.from ? 'strong' : 'weak';
  };
}

/**
 * Whether the memory contains a word of the query, when the full-text index has found something. The index contains pairs
 * of characters, and pairs of katakana occur by chance; then the texts that it found tell.
 */
export function* holdsAny(words: readonly string[], texts: Iterable<string>): Steps<boolean> {
  if (!words.some(isKatakanaWord)) return true;
  const count = wordsCounting(words);
  for (const text of texts) if ((yield* count(text)) > 0) return true;
  return false;
}

/**
 * How many of the words a text contains, including parts of camel-case identifiers (`useDebounce`). Words of katakana are
 * not in the index, so they are looked for in the letters.
 */
function wordsCounting(words: readonly string[]): (text: string) => Steps<number> {
  const written = words.filter(isKatakanaWord);
  if (written.length > 0) {
    const countRest = wordsCounting(words.filter((word) => !isKatakanaWord(word)));
    return function* (text) {
      return Math.round((yield* shareOf(written, text)) * written.length) + (yield* countRest(text));
    };
  }
  const count = termsCounting(words);
  return function* (text) {
    const found = yield* count(text);
    if (found === words.length) return found;
    const parts = new Set<string>();
    for (const portion of portionsOf(text)) {
      for (const part of capitalParts(portion)) parts.add(part);
      yield;
    }
    const others = words.filter((word) => !parts.has(word));
    if (others.length === words.length) return found;
    return words.length - others.length + (yield* termsCounting(others)(text));
  };
}

/** Excludes stems, and counts a pair of characters as half a word, because pairs overlap. */
function wordCount(terms: readonly string[]): number {
  const words = terms.filter((term) => !term.startsWith('~'));
  return words.length - words.filter((term) => isUnspaced(term) && !isKatakanaWord(term)).length / 2;
}

function* shareOf(pieces: readonly string[], text: string): Steps<number> {
  const missing = new Set(pieces);
  for (const portion of portionsOf(text)) {
    const letters = foldedText(portion);
    for (const piece of missing) if (letters.includes(piece)) missing.delete(piece);
    if (missing.size === 0) break;
    yield;
  }
  return pieces.length === 0 ? 0 : 1 - missing.size / pieces.length;
}
