import { describe, expect, it } from 'vitest';
import { windowCount, windowSpans, windowsOf } from '../../src/ingestion/chunk.js';
import { invented } from '../support/conversation.js';
import fc from '../support/properties.js';

const sentence = (seed: number): string => `${invented(seed, 12)}.`;
const essay = (sentences: number): string => Array.from({ length: sentences }, (_, seed) => sentence(seed)).join(' ');

const parts = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constantFrom(essay(20), '\n\n', ' ', '. ', '。', '漢字'.repeat(400), '👩‍🚀'.repeat(300), 'x'.repeat(5_000)),
  ),
  { maxLength: 12 },
);

describe('the windows of a text', () => {
  it('contain all of any text, in order', () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 9 }), (pieces, extra) => {
        const text = pieces.join('');
        const spans = windowSpans(text, windowCount(text) + (text.length > 2_000 ? extra : 0));
        let covered = 0;
        for (const { start, end } of spans) {
          expect(start).toBeLessThanOrEqual(covered);
          expect(start).toBeGreaterThanOrEqual(Math.max(0, covered - 151));
          expect(end).toBeGreaterThan(covered - Number(text === ''));
          covered = end;
        }
        expect(covered).toBe(text.length);
      }),
    );
  });

  it('never cut a character in two', () => {
    const text = '😀'.repeat(6_000);
    const windows = windowsOf(text, windowCount(text));
    expect(windows.length).toBeGreaterThan(3);
    expect(windows.every((window) => window.isWellFormed())).toBe(true);
  });

  it('are one for a text of up to three thousand letters', () => {
    expect([0, 1, 500, 1_500, 2_900].map((length) => windowCount('x'.repeat(length)))).toEqual([1, 1, 1, 1, 1]);
    expect(windowsOf('short', 1)).toEqual(['short']);
  });

  it('are of about eight hundred letters, and of about equal length', () => {
    const text = essay(400);
    const lengths = windowsOf(text, windowCount(text)).map(({ length }) => length);
    expect(Math.min(...lengths)).toBeGreaterThan(500);
    expect(Math.max(...lengths)).toBeLessThan(1_200);
  });

  it('are shorter in scripts that say more with each sign', () => {
    const text = '我们下个月去东京旅行。'.repeat(200);
    const windows = windowsOf(text, windowCount(text));
    expect(windows).toHaveLength(7);
    expect(windows.every((window) => window.endsWith('。') && window.startsWith('我们'))).toBe(true);
  });

  it('are at most a thousand, of a message of a megabyte too', () => {
    const text = essay(11_800);
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(windowsOf(text, windowCount(text))).toHaveLength(1_000);
  });
});

describe('a window', () => {
  it('ends with a paragraph where there is one, with a sentence otherwise', () => {
    const paragraph = (from: number): string => Array.from({ length: 5 }, (_, seed) => sentence(from + seed)).join(' ');
    const written = [paragraph(0), paragraph(10), paragraph(20), paragraph(30), paragraph(40), paragraph(50)];
    const text = written.join('\n\n');
    for (const window of windowsOf(text, windowCount(text))) {
      expect(written.some((each) => window.trimEnd().endsWith(each))).toBe(true);
    }
    for (const window of windowsOf(essay(200), windowCount(essay(200)))) expect(window.trimEnd()).toMatch(/\.$/);
  });

  it('begins with the last sentence of the one before', () => {
    const text = essay(100);
    const [first, second] = windowSpans(text, windowCount(text));
    const shared = text.slice(second?.start, first?.end).trim();
    expect(Array.from({ length: 100 }, (_, seed) => sentence(seed))).toContain(shared);
  });
});
