import { describe, expect, it } from 'vitest';
import { segments } from '../../src/tokenizer/exact.js';

describe('segments', () => {
  it('leaves a text of ordinary length whole', () => {
    expect([...segments('two words')]).toEqual(['two words']);
  });

  it('cuts a long text after a word', () => {
    const text = 'some words in a row '.repeat(10_000);
    const parts = [...segments(text)];
    expect(parts.join('')).toBe(text);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts.slice(1)) expect(part).toMatch(/^ \w/);
  });

  it('cuts a run of letters in bounded parts', () => {
    const parts = [...segments('a'.repeat(200_000))];
    expect(parts.map((part) => part.length)).toEqual([65_536, 65_536, 65_536, 3_392]);
  });

  it.each(['', 'x'])('never cuts a surrogate pair, whatever precedes it: %j', (before) => {
    const text = before + '😀'.repeat(100_000);
    const parts = [...segments(text)];
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(part).not.toMatch(/\p{Surrogate}/u);
  });
});
