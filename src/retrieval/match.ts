import { termCounter } from '../language/terms.js';
import type { Ranked } from './rank.js';

export const matches = ['strong', 'weak'] as const;
export type Match = (typeof matches)[number];

/** What a result is judged by beside its own text. */
export interface Asked {
  /** The words of the query, names among them. */
  words: readonly string[];
  /** How many chunks were searched. */
  searched: number;
}

export interface Judge extends Asked {
  /** 0 to 1 and more: how far a small distance means a related text. */
  trust: number;
  similarity: (distance: number) => number;
}

/** Parts of a relevance that the words of the turns beside a chunk bring about. */
const beside = ['previous', 'next', 'answer', 'exchange'] as const;

/*
 * Round numbers near those that tell the labelled evidence of the two public dev suites from what random words find there,
 * with the model that ships; `docs/search.md` has the figures.
 */
const strongFrom = 0.47;
const coverageWeight = 0.65;
const wordWeight = 0.15;
/** From here on a longer query does not say more about a single result. */
const mostWords = 4;
const besideWeight = 2;
/** Among ten times as many chunks, chance finds one that is nearer by about so much. */
const sizeWeight = 0.16;
/** Chance differs little between stores that are smaller. */
const smallStore = 100;

/** Without a model that can be trusted, the words alone decide: at least so much of the query. */
const coverageAlone = 0.5;

/**
 * The nearest chunks are always found, however little they have to do with the query. A strong match holds all its words;
 * or it holds enough of them, stands beside turns that do and is near by meaning, altogether more than chance brings about
 * in a store of this size. To share one word of two says little: any large store holds most words.
 */
export function matchIn({ words, searched, trust, similarity }: Judge): (best: Ranked, title: string) => Match {
  const count = termCounter(words);
  const chance = sizeWeight * Math.log10(Math.max(smallStore, searched));
  const length = wordWeight * Math.min(mostWords, words.length);
  return ({ text, distance, shares, exactness = 0 }, title) => {
    if (exactness > 0) return 'strong';
    const coverage = words.length === 0 ? 0 : count(`${text}\n${title}`) / words.length;
    if (coverage === 1) return 'strong';
    if (distance === undefined || trust < 0.5) return coverage >= coverageAlone ? 'strong' : 'weak';
    const around = beside.reduce((sum, part) => sum + (shares[part] ?? 0), 0);
    const worth = similarity(distance) + coverageWeight * coverage + besideWeight * around + length;
    return worth - chance >= strongFrom ? 'strong' : 'weak';
  };
}
