import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../src/language/query-terms.js';
import { foldedText } from '../../src/language/terms.js';
import fc from '../support/properties.js';

describe('piecesOf', () => {
  it('keeps the heads of the words that say what a question is about', () => {
    expect(piecesOf('Was kosten die Karten?')).toEqual(['kost', 'kart']);
    expect(piecesOf('How can I mend the barrel?')).toEqual(['mend', 'barr']);
    expect(piecesOf('Хто записався?')).toEqual(['записа']);
  });

  it('leaves the Arabic article away', () => {
    expect(piecesOf('المعمول')).toEqual(['معم']);
  });

  it('takes Chinese apart into characters, without its question words', () => {
    expect(piecesOf('医疗保险可以报多少？')).toEqual(['医', '疗', '保', '险', '报']);
  });

  it('leaves hiragana away', () => {
    expect(piecesOf('机の高さ')).toEqual(['机', '高']);
  });

  it('finds every piece in the query itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (query) => {
        const letters = foldedText(query);
        return piecesOf(query).every((piece) => letters.includes(piece));
      }),
    );
  });
});
