import { describe, expect, it } from 'vitest';
import { likenessTo } from '../../src/retrieval/surroundings.js';
import { aCandidate } from '../support/candidate.js';

describe('likenessTo', () => {
  const ticket = aCandidate('ticket', { text: 'Es reicht eine Fahrradkarte.' });
  const price = aCandidate('price', { text: 'Die Karte kostet sechs Euro.' });
  const other = aCandidate('other', { text: 'Wir fahren um neun.' });
  const candidates = [ticket, price, other];

  it('finds a piece inside a longer word', () => {
    expect(likenessTo(['kart'], candidates)(ticket)).toBe(1);
    expect(likenessTo(['kart'], candidates)(other)).toBe(0);
  });

  it('counts a rare piece more than one that many hold', () => {
    const likeness = likenessTo(['kart', 'kost'], candidates);
    expect(likeness(price)).toBe(1);
    expect(likeness(ticket)).toBeLessThan(0.5);
  });

  it('is nothing for a long turn and for a query without pieces', () => {
    const long = aCandidate('long', { text: 'Karte '.repeat(200) });
    expect(likenessTo(['kart'], [long])(long)).toBe(0);
    expect(likenessTo([], candidates)(ticket)).toBe(0);
  });
});
