import { describe, expect, it } from 'vitest';
import { contentTerms, piecesOf, wholeTerms } from '../../src/language/query-terms.js';
import { finished } from '../../src/model/steps.js';
import { similarityOf } from '../../src/retrieval/candidate.js';
import { holdsAny, type Judge, matchingIn } from '../../src/retrieval/match.js';
import type { RankedHit } from '../../src/retrieval/rank.js';
import { aCandidate } from '../support/candidate.js';

const judge: Judge = {
  words: contentTerms('velvet turbine'),
  pieces: [],
  language: 'en',
  searched: 10_000,
  trust: 1.25,
  similarity: similarityOf.cosine,
};

function found(text: string, parts: Partial<RankedHit> = {}): RankedHit {
  return { ...aCandidate('found', { text, distance: 0.7 }), relevance: 0, shares: {}, ...parts };
}

function matchOf(result: RankedHit, changes: Partial<Judge> = {}, title = ''): string {
  return finished(matchingIn({ ...judge, ...changes })(result, title));
}

describe('a match', () => {
  it('is strong when it holds the whole query, or all its words in its text and title', () => {
    expect(matchOf(found('', { exactness: 1, distance: 1 }))).toBe('strong');
    expect(matchOf(found('a turbine in velvet', { distance: 1 }))).toBe('strong');
    expect(matchOf(found('a turbine', { distance: 1 }), {}, 'Velvet')).toBe('strong');
  });

  // Issue 20: any large store holds one of two unrelated words.
  it('is weak when it shares one word of two and is not near', () => {
    expect(matchOf(found('The turbine hall is open.'))).toBe('weak');
  });

  it('is strong when it shares one word of two and is near by meaning', () => {
    expect(matchOf(found('The turbine hall is open.', { distance: 0.3 }))).toBe('strong');
  });

  it('needs more among many chunks than among few, but no less among ten than among a hundred', () => {
    const near = found('The turbine hall is open.', { distance: 0.6 });
    expect(matchOf(near, { searched: 100 })).toBe('strong');
    expect(matchOf(near, { searched: 100_000 })).toBe('weak');
    const nothing = found('Cats.', { distance: 0.75 });
    expect([1, 10, 100].map((searched) => matchOf(nothing, { searched }))).toEqual(['weak', 'weak', 'weak']);
  });

  it('counts what turns beside it hold', () => {
    const shares = { previous: 0.05, answer: 0.05 };
    expect(matchOf(found('At nine.', { distance: 0.55 }))).toBe('weak');
    expect(matchOf(found('At nine.', { distance: 0.35, shares }), { isKnown: true })).toBe('strong');
  });

  // Characters that nobody uses are near to everything in Chinese: 20 to 30 % of what they found was strong.
  it('needs more if the searched chunks contain no word of the query', () => {
    const asked = { words: contentTerms('龘靐齉爩'), pieces: piecesOf('龘靐齉爩'), language: 'zh', searched: 100 };
    const near = found('我们明天去爬山。', { distance: 0.5 });
    expect(matchOf(near, { ...asked, isKnown: true })).toBe('strong');
    expect(matchOf(near, { ...asked, isKnown: false })).toBe('weak');
  });

  // Issue 20: in a small store, one in eight results of invented English words was strong.
  it('needs more for invented English words, too', () => {
    const asked = { words: contentTerms('kzqsu wjfnyz ggbvb phrxap'), searched: 100 };
    const near = found('Cats sleep.', { distance: 0.77 });
    expect(matchOf(near, { ...asked, isKnown: true })).toBe('strong');
    expect(matchOf(near, { ...asked, isKnown: false })).toBe('weak');
  });

  // Issue 20: one in five results of unrelated Japanese words was strong, because the pairs of a word are anywhere.
  it('counts a word of katakana as one word, and only as a whole', () => {
    const query = 'トロンボーン';
    const asked = {
      words: wholeTerms(query, contentTerms(query)),
      pieces: piecesOf(query),
      language: 'ja',
      searched: 100,
    };
    const shares = { conversation: 0.075, exchange: 0.08 };
    const byChance = found('レストランのメロンパンとボーナス', { distance: 0.9, shares });
    expect(matchOf(byChance, { ...asked, isKnown: false })).toBe('weak');
    expect(matchOf(byChance, { ...asked, words: contentTerms(query), isKnown: true })).toBe('strong');
    expect(matchOf(found('兄はトロンボーンを吹きます。', { distance: 1 }), asked)).toBe('strong');
    expect(matchOf(found('ﾄﾛﾝﾎﾞｰﾝ', { distance: 1 }), asked)).toBe('strong');
  });

  it('is of a known query only if a text contains a whole word of katakana, or another term', () => {
    const known = (query: string, ...texts: string[]) =>
      finished(holdsAny(wholeTerms(query, contentTerms(query)), texts));
    expect(known('トロンボーン', 'レストランのメロンパン', 'ボーナス')).toBe(false);
    expect(known('トロンボーン', 'ボーナス', 'トロンボーン奏者')).toBe(true);
    expect(known('トロンボーン 氷河', 'ボーナス', '氷河が見えた')).toBe(true);
    expect(known('velvet turbine', 'nothing of it')).toBe(true);
  });

  it('is strong for any text if the query has operators alone', () => {
    expect(matchOf(found('Cats.', { distance: 1 }), { isOperatorsOnly: true })).toBe('strong');
  });

  it('counts other forms and parts of words where a language has many', () => {
    const query = 'Wann war der Kartenkauf fürs Museum?';
    const asked = { words: contentTerms(query), pieces: piecesOf(query), language: 'de', searched: 100 };
    const near = found('Die Karten fürs Museum habe ich am Montag gekauft.', { distance: 1.0 });
    expect(matchOf(near, asked)).toBe('strong');
    expect(matchOf(near, { ...asked, pieces: [] })).toBe('weak');
    expect(matchOf(found('Das Auto springt nicht an.', { distance: 0.75 }), asked)).toBe('weak');
  });

  it('needs more where unrelated texts look more alike to the model, and counts no pair of characters as a word', () => {
    const unrelated = found('难怪味道重。以后每两个月清一次。', { distance: 0.66 });
    const query = '同位素 潜艇 火箭 冰川';
    expect(
      matchOf(unrelated, { words: contentTerms(query), pieces: piecesOf(query), language: 'zh', searched: 100 }),
    ).toBe('weak');
  });

  it('goes by half of the words where no model can be trusted', () => {
    const without: RankedHit = { ...aCandidate('found', { text: 'a turbine' }), relevance: 0, shares: {} };
    expect(matchOf(without)).toBe('strong');
    expect(
      matchOf(found('a turbine', { distance: 0.1 }), { trust: 0.15, words: contentTerms('velvet turbine tea') }),
    ).toBe('weak');
  });

  it('of a query that is no word at all is weak', () => {
    expect(matchOf(found('Cats.'), { words: [] })).toBe('weak');
  });
});
