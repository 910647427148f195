import { capitalParts, foldedText, isUnspaced, portionsOf, termsCounting } from '../language/terms.js';
import type { Steps } from '../model/steps.js';
import type { RankedHit } from './rank.js';

export const matches = ['strong', 'weak'] as const;
export type Match = (typeof matches)[number];

/** What a result is judged by beside its own text. */
export interface Asked {
  /** The words of the query, names among them. */
  words: readonly string[];
  /** What other forms of its words have in common with it. */
  pieces: readonly string[];
  /** The language it is in, by its code. */
  language: string;
  /** How many chunks were searched. */
  searched: number;
  /** The full-text index holds a word of it, or cannot be asked. Among nearest texts alone, chance brings about more. */
  isKnown?: boolean;
  /** It has operators and no words: a result has all that was asked for. */
  isOperatorsOnly?: boolean;
}

export interface Judge extends Asked {
  /** 0 to 1 and more: how far a small distance means a related text. */
  trust: number;
  similarity: (distance: number) => number;
}

/** Parts of a relevance that the words of the turns beside a chunk bring about. */
const beside = ['previous', 'next', 'answer', 'exchange'] as const;

/** What a result is worth, and what it must be worth. */
interface Rule {
  /** All words of the query in the text and title. */
  coverage: number;
  /** All pieces of its words: other forms, parts of compounds, single Chinese characters. */
  pieces: number;
  /** Each word of the query, up to `mostWords`: more words come together by chance less often. */
  word: number;
  /** What the words of the turns beside it bring about. */
  beside: number;
  /** That the conversation as a whole is about it. */
  conversation: number;
  /** Among ten times as many chunks, chance finds one that is nearer by about so much. */
  size: number;
  from: number;
}

/*
 * Round numbers near those that tell the labelled evidence of the two public dev suites (English) and of our own suite of
 * languages from what invented and unrelated words find there, with the model that ships; `docs/search.md` has the figures.
 */
const english: Rule = { coverage: 0.65, pieces: 0, word: 0.15, beside: 2, conversation: 0, size: 0.16, from: 0.47 };

/** Evidence in these languages shares fewer whole words with a question, because its words have more forms. */
const inflected: Omit<Rule, 'from'> = {
  coverage: 0.4,
  pieces: 0.3,
  word: 0.1,
  beside: 1.5,
  conversation: 1.6,
  size: 0.18,
};

/** What a result must be worth, depending on whether the searched chunks hold any word of the query. */
interface Limits {
  known: number;
  unknown: number;
}

/**
 * The limits differ by language because the embedding model puts unrelated texts nearer to each other in some scripts than in
 * others, and nearest when a query has only rare characters that it hardly knows.
 */
const inflectedFrom = new Map<string, Limits>([
  ['uk', { known: 0.1, unknown: 0.22 }],
  ['zh', { known: 0.22, unknown: 0.5 }],
  ['ja', { known: 0.18, unknown: 0.45 }],
  ['ar', { known: 0.28, unknown: 0.5 }],
]);
const latinFrom: Limits = { known: 0.05, unknown: 0.15 };

function ruleFor(language: string, isKnown: boolean): Rule {
  if (language === 'en') return english;
  const { known, unknown } = inflectedFrom.get(language) ?? latinFrom;
  return { ...inflected, from: isKnown ? known : unknown };
}

/** From here on a longer query does not say more about a single result. */
const mostWords = 4;

/** Chance differs little between stores that are smaller. */
const smallStore = 100;

/** Without a model that can be trusted, the words alone decide: at least so much of the query. */
const coverageAlone = 0.5;

/**
 * The nearest chunks are always found, however little they have to do with the query. A strong match holds all its words;
 * or it holds enough of them, stands beside turns that do and is near by meaning, altogether more than chance brings about
 * in a store of this size. To share one word of two says little: any large store holds most words. In steps: a message may
 * have a megabyte.
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

/** How many of the words a text holds, the parts of camel-case identifiers (`useDebounce`) among them. */
function wordsCounting(words: readonly string[]): (text: string) => Steps<number> {
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

/** Not the stems beside the words, and of overlapping pairs of characters about as many as there are words. */
function wordCount(terms: readonly string[]): number {
  const words = terms.filter((term) => !term.startsWith('~'));
  return words.length - words.filter(isUnspaced).length / 2;
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
