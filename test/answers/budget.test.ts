import { beforeAll, describe, expect, it } from 'vitest';
import { createBudget, fitHits } from '../../src/answers/budget.js';
import type { Hit } from '../../src/model/hit.js';
import type { Tokenizer } from '../../src/tokenizer/contract.js';
import { openTokenizer } from '../../src/tokenizer/open.js';
import fc from '../support/properties.js';

function aHit(text: string, chunkIndex = 0): Hit {
  const place = { chunkId: `c${chunkIndex}`, conversationId: 'c', chunkIndex, messageIndex: chunkIndex };
  return { ...place, role: 'user', text, at: '2026-01-01T00:00:00Z', relevance: 1 };
}

const encodings = ['heuristic', 'cl100k_base', 'o200k_base', 'p50k_base', 'p50k_edit', 'r50k_base', 'gpt2'];
const tokenizers = new Map<string, Tokenizer>();
beforeAll(async () => {
  for (const encoding of encodings) {
    const enabled = encoding !== 'heuristic';
    const { tokenizer } = await openTokenizer({ enabled, encoding: enabled ? encoding : 'cl100k_base' });
    tokenizers.set(encoding, tokenizer);
  }
});

describe.each(encodings)('a budget of %s tokens', (encoding) => {
  it('counts with that encoding, is never exceeded, and gives back only what was there', () => {
    const tokenizer = tokenizers.get(encoding);
    if (tokenizer === undefined) throw new Error('no tokenizer');
    expect(tokenizer.name).toBe(encoding);
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 120 }), { maxLength: 8 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), fc.nat(20), (all, most, focus) => {
        const budget = createBudget(most, tokenizer);
        const given = all.map((text, at) => aHit(text, at));
        const { hits, dropped } = fitHits(given, budget, ({ text }) => Math.min(focus, text.length));
        const cost = hits.reduce((sum, { text }) => sum + tokenizer.count(text), 0);
        expect(budget.used()).toBe(cost);
        expect(cost).toBeLessThanOrEqual(most);
        expect(hits.length + dropped).toBe(all.length);
        for (const hit of hits) {
          const whole = all[hit.chunkIndex] ?? '';
          expect(whole).toContain(hit.text);
          expect(hit.truncated === true || hit.text === whole).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('a hit that is too long', () => {
  it('is cut to begin at the sentence that answers, and a shorter one behind it still fits', async () => {
    const { tokenizer } = await openTokenizer({ enabled: false, encoding: 'cl100k_base' });
    const long = `${'So much talk. '.repeat(10)}The code is 8833. ${'And more talk. '.repeat(10)}`;
    const focusOf = ({ text }: Hit): number => Math.max(0, text.indexOf('The code'));
    const { hits, dropped } = fitHits([aHit(long), aHit('Short.', 1)], createBudget(9, tokenizer), focusOf);
    expect(hits.map(({ text }) => text)).toEqual(['The code is 8833.']);
    expect(dropped).toBe(1);
  });
});
