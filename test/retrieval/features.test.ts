import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FeatureInput, type FeatureName, features, type Surroundings } from '../../src/retrieval/features.js';
import { surroundingsOf } from '../../src/retrieval/surroundings.js';
import { aCandidate, aQuery } from '../support/candidate.js';

const nowhere: Surroundings = {
  keyword: 0,
  likeness: 0,
  lead: 0,
  previous: undefined,
  next: undefined,
  conversation: 0,
};

function worthOf(name: FeatureName, parts: Partial<FeatureInput>): number {
  return features[name]({ candidate: aCandidate('a'), query: aQuery(), around: nowhere, semantic: 0, ...parts });
}

const nora = aCandidate('a', { speaker: 'Nora', text: 'Nora: I am late.' });

describe('the features', () => {
  it('prefer the turns of a person the query names', () => {
    const asksForNora = aQuery({ people: new Set(['nora']) });
    expect(worthOf('speaker', { candidate: nora, query: asksForNora })).toBe(1);
    expect(worthOf('speaker', { candidate: aCandidate('b', { speaker: 'Ben' }), query: asksForNora })).toBe(-1);
    expect(worthOf('speaker', { candidate: nora })).toBe(0);
  });

  it('prefer the role the query asks for, but not between people', () => {
    const query = aQuery({ role: 'assistant' });
    expect(worthOf('role', { candidate: aCandidate('a', { role: 'assistant' }), query })).toBe(1);
    expect(worthOf('role', { candidate: aCandidate('a'), query })).toBe(-1);
    expect(worthOf('role', { candidate: nora, query })).toBe(0);
  });

  it('count the function words of typed words, where a message holds another of them', () => {
    const query = aQuery({ functionWords: (text) => (text.includes('off') ? 1 : 0) });
    expect(worthOf('functionWords', { candidate: aCandidate('a', { text: 'The tap is off.', bm25: 1 }), query })).toBe(
      1,
    );
    expect(worthOf('functionWords', { candidate: aCandidate('a', { text: 'I am off.' }), query })).toBe(0);
    expect(worthOf('functionWords', { candidate: aCandidate('a', { text: 'The tap is off.', bm25: 1 }) })).toBe(0);
  });

  it('let meaning speak for the words of a message in another language', () => {
    const german = aCandidate('a', { text: 'Am Dienstag bringt Hinnerk die Bienen mit dem Anhänger.' });
    const asked = { semantic: 0.4, otherLanguage: 'de' };
    expect(worthOf('acrossLanguages', { candidate: german, ...asked })).toBe(0.4);
    expect(worthOf('acrossLanguages', { candidate: { ...german, bm25: 3 }, ...asked })).toBe(0);
    expect(worthOf('acrossLanguages', { candidate: german, semantic: 0.4 })).toBe(0);
    const english = aCandidate('b', { text: 'Hinnerk brings the bees on Tuesday.' });
    expect(worthOf('acrossLanguages', { candidate: english, ...asked })).toBe(0);
    // Names alone are of no language.
    expect(worthOf('acrossLanguages', { candidate: aCandidate('c', { text: 'Hinnerk, Leeds' }), ...asked })).toBe(0);
  });

  it('count the neighbours of a message between people', () => {
    const around = {
      ...nowhere,
      previous: { keyword: 0.8, isQuestion: true },
      next: { keyword: 0.3 },
      conversation: 0.5,
    };
    expect(worthOf('previous', { candidate: nora, around })).toBe(0.8);
    expect(worthOf('next', { candidate: nora, around })).toBe(0.3);
    expect(worthOf('answer', { candidate: nora, around })).toBe(0.8);
    expect(worthOf('previous', { around })).toBe(0);
    expect(worthOf('conversation', { around })).toBe(0.5);
  });

  it('count a question less between people only', () => {
    const asking = { text: 'Are you late?' };
    expect(worthOf('question', { candidate: aCandidate('a', { ...asking, speaker: 'Nora' }) })).toBe(1);
    expect(worthOf('question', { candidate: aCandidate('a', asking) })).toBe(0);
  });

  it('spread a match to the short turn after it with an assistant', () => {
    const around = { ...nowhere, lead: 0.6, likeness: 0.4 };
    const short = aCandidate('a', { text: 'In the shed.' });
    expect(worthOf('exchange', { candidate: short, around })).toBe(0.6);
    expect(worthOf('likeness', { candidate: short, around })).toBe(0.4);
    expect(worthOf('exchange', { candidate: aCandidate('a', { text: 'x'.repeat(900) }), around })).toBe(0);
    expect(worthOf('exchange', { candidate: nora, around })).toBe(0);
    expect(worthOf('likeness', { candidate: nora, around })).toBe(0);
  });

  it('count a short turn to an assistant less as far as it asks', () => {
    expect(worthOf('asking', { candidate: aCandidate('a', { text: 'Where is it?' }) })).toBe(1);
    expect(worthOf('asking', { candidate: aCandidate('a', { text: 'In the shed.' }) })).toBe(0);
    expect(worthOf('asking', { candidate: aCandidate('a', { text: 'Where is it?', speaker: 'Nora' }) })).toBe(0);
  });

  it('prefer a short turn that holds a number when the query asks for one', () => {
    const candidate = aCandidate('a', { text: 'It cost forty euros.' });
    expect(worthOf('holdsNumber', { candidate, query: aQuery({ asksNumber: true }) })).toBe(1);
    expect(worthOf('holdsNumber', { candidate })).toBe(0);
  });

  it('prefer a turn that names a time when the query asks for one', () => {
    const candidate = aCandidate('a', { text: 'We moved in March 2023.' });
    expect(worthOf('namesTime', { candidate, query: aQuery({ asksWhen: true }) })).toBe(1);
    expect(worthOf('namesTime', { candidate })).toBe(0);
  });

  it('prefer a conversation of the time the query names', () => {
    const query = aQuery({ timeFit: (at) => (at.startsWith('2026-01') ? 0.7 : 0) });
    expect(worthOf('timeFit', { query })).toBe(0.7);
  });

  it('prefer a longer turn between people, within bounds', () => {
    const long = aCandidate('a', { speaker: 'Nora', text: 'x'.repeat(100_000) });
    expect(worthOf('length', { candidate: long })).toBe(1);
    expect(worthOf('length', { candidate: nora })).toBeLessThan(0.5);
  });

  it('have a weight each in the file that ships', () => {
    const file = new URL('../../models/ranker.json', import.meta.url);
    const { weights } = JSON.parse(readFileSync(file, 'utf8')) as { weights: Record<string, number> };
    expect(Object.keys(weights).sort()).toEqual(Object.keys(features).sort());
  });
});

describe('surroundingsOf', () => {
  it('knows the neighbours and the conversation of a turn', () => {
    const question = aCandidate('q', { conversationId: 'c', messageIndex: 0, bm25: 8, text: 'Where is it?' });
    const answer = aCandidate('a', { conversationId: 'c', messageIndex: 1, text: 'In the shed.' });
    const elsewhere = aCandidate('e', { conversationId: 'd', messageIndex: 0, bm25: 4 });
    const around = surroundingsOf([question, answer, elsewhere], []);
    expect(around(answer)).toEqual({
      keyword: 0,
      likeness: 0,
      lead: 0.75,
      previous: { keyword: 0.75, isQuestion: true },
      next: undefined,
      conversation: 1,
    });
    expect(around(elsewhere).conversation).toBe(0.5);
  });

  it('lets a counter-question pass on half of the match before it', () => {
    const told = aCandidate('t', { conversationId: 'c', messageIndex: 0, bm25: 8, text: 'The order is blocked.' });
    const counter = aCandidate('q', { conversationId: 'c', messageIndex: 1, text: 'What is missing?' });
    const answer = aCandidate('a', { conversationId: 'c', messageIndex: 2, text: 'A third offer.' });
    expect(surroundingsOf([told, counter, answer], [])(answer).lead).toBe(0.375);
  });
});
