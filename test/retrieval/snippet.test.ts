import { describe, expect, it } from 'vitest';
import { queryTerms } from '../../src/language/terms.js';
import { finished } from '../../src/model/steps.js';
import { findingSnippet } from '../../src/retrieval/highlight.js';
import fc from '../support/properties.js';

const filler = (count: number) => 'lorem ipsum dolor '.repeat(count).trim();

const snippetOf = (text: string, terms: readonly string[]) => finished(findingSnippet(text, terms));

describe('the snippet of a text', () => {
  it('shows a short text whole, on one line', () => {
    expect(snippetOf(' Two\n\n lines ', [])).toBe('Two lines');
  });

  it('shows the head when no word was asked for', () => {
    const snippet = snippetOf(filler(50), []);
    expect(snippet.startsWith('lorem ipsum')).toBe(true);
    expect(snippet.endsWith('…')).toBe(true);
  });

  it('shows the place of the first word that was asked for', () => {
    const snippet = snippetOf(`${filler(50)} the bicycle is red ${filler(50)}`, queryTerms('bicycles'));
    expect(snippet).toMatch(/^….* the bicycle is red .*…$/);
  });

  it('finds the place in a text without blanks', () => {
    const snippet = snippetOf(
      `${'あいうえお'.repeat(100)}東京に行きました。${'かきくけこ'.repeat(100)}`,
      queryTerms('東京'),
    );
    expect(snippet).toContain('東京に行きました');
  });

  it('ends without a mark where the text ends', () => {
    expect(snippetOf(`${filler(50)} my bicycle`, queryTerms('bicycle'))).toMatch(/^….* my bicycle$/);
  });

  it('is never longer than 240 characters and never cuts inside one', () => {
    const text = fc.array(fc.constantFrom('word', '👩‍🚀', 'ünï', '東京都', 'bicycle', '\n', '𝒳'.repeat(40)), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(text, (parts) => {
        const snippet = snippetOf(parts.join(' '), queryTerms('bicycle 東京'));
        expect([...snippet].length).toBeLessThanOrEqual(240);
        expect(snippet.isWellFormed()).toBe(true);
      }),
    );
  });
});
