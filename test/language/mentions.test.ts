import { describe, expect, it } from 'vitest';
import { mentioning, mentions, otherSpellings } from '../../src/language/names.js';

describe('a name', () => {
  it.each([
    ["Anna's cat", 'Anna', true],
    ['Annabel', 'Anna', false],
    ['ONDŘEJ called', 'Ondrej', true],
    ['Ondrej called', 'Ondřej', true],
    ['Łukasz called', 'Lukasz', true],
    ['Frau Weiss rief an', 'Weiß', true],
    ['Сергій прийшов', 'Сергій', true],
    ['Сергии', 'Сергій', false],
  ])('in %j, %s: %s', (text, name, is) => {
    expect(mentions(text, name)).toBe(is);
  });

  it('is found across the portions of a long text', () => {
    const filler = 'lorem ipsum dolor '.repeat(910);
    for (const shift of ['', 'x', 'xy', 'xyz', 'wxyz', 'vwxyz', 'uvwxyz'])
      expect(mentions(`${shift} ${filler}Nora Holm ${filler}`, 'Nora Holm')).toBe(true);
    expect(mentions(filler.repeat(4), 'Nora Holm')).toBe(false);
  });

  it('of many letters that repeat themselves is looked for in short steps', () => {
    const inside = `x${'a'.repeat(200_000)}`;
    expect([...mentioning(inside, 'a'.repeat(2_000))].length).toBeGreaterThan(150);
    expect(mentions(inside, 'a'.repeat(2_000))).toBe(false);
    expect(mentions(`Call ${'A-'.repeat(1_000)}Z.`, `${'A-'.repeat(1_000)}Z`)).toBe(true);
  });

  it('has other spellings where a letter is often typed as another', () => {
    expect(otherSpellings('Lukasz')).toEqual(['łukasz']);
    expect(otherSpellings('Łukasz')).toEqual(['lukasz']);
    expect(otherSpellings('Anna')).toEqual([]);
  });
});
