import { describe, expect, it } from 'vitest';
import { cut } from '../../console/src/views/ask/cut.js';

describe('a part of a message', () => {
  const text = 'My sister Nora arrives on Friday, and we will go to Garforth.';

  it('is whole where nothing is left out', () => {
    expect(cut(text, 0, text.length)).toBe(text);
  });

  it('begins and ends with whole words, and says where something is left out', () => {
    expect(cut(text, 4, 36)).toBe('… Nora arrives on Friday, …');
    expect(cut(text, 3, 14)).toBe('… sister Nora …');
  });

  it('keeps a word that is longer than any word', () => {
    const url = `https://example.org/${'a'.repeat(200)}`;
    expect(cut(url, 0, 100)).toBe(`${url.slice(0, 100)} …`);
  });
});
