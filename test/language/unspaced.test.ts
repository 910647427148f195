import { describe, expect, it } from 'vitest';
import { pairsAsked, pairsOf } from '../../src/language/terms.js';

describe('pairsAsked', () => {
  it('leaves Chinese question words away', () => {
    expect(pairsAsked('洗衣机怎么清洗')).toEqual(['洗衣', '衣机', '清洗']);
    expect(pairsAsked('押金是多少')).toEqual(['押金']);
  });

  it('leaves Japanese particles and question words away and keeps a single character between them', () => {
    expect(pairsAsked('机の高さはどうする')).toEqual(['高さ', '机', '高']);
    expect(pairsAsked('展示会の料金はいくら')).toEqual(['展示', '示会', '料金']);
  });

  it('asks for all pairs when nothing else is left', () => {
    expect(pairsAsked('什么')).toEqual(['什么']);
    expect(pairsAsked('これはどう')).toEqual(pairsOf('これはどう'));
  });
});
