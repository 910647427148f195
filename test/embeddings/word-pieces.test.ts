import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWordPieces, unknownPiece } from '../../src/embeddings/word-pieces.js';

/** What the teacher's own tokeniser makes of these texts, and every piece that occurs in them. */
const golden: { text: string; pieces: string[] }[] = JSON.parse(
  readFileSync(new URL('./golden-word-pieces.json', import.meta.url), 'utf8'),
);

function splitWith(vocabulary: string[]) {
  const splitter = createWordPieces(vocabulary);
  return (text: string) => splitter.split(text).map((piece) => vocabulary[piece] ?? '[UNK]');
}

describe('word pieces', () => {
  const vocabulary = readFileSync(new URL('../../models/vocab.txt', import.meta.url), 'utf8')
    .split('\n')
    .slice(0, 29_523);
  const split = splitWith(vocabulary);

  it.each(golden)('splits $text as the teacher does', ({ text, pieces }) => {
    expect(split(text)).toEqual(pieces);
  });

  it('gives the same answer for a word it has met before', () => {
    expect(split('unaffable')).toEqual(split('unaffable'));
  });

  it('reads the names of special pieces as ordinary text', () => {
    expect(split('[SEP]')).toEqual(['[', 'sep', ']']);
  });

  it('takes the longest piece first', () => {
    expect(splitWith(['a', 'ab', '##b', '##bc', '##c'])('abbc')).toEqual(['ab', '##bc']);
  });

  it('treats the whole word as unknown when one part has no piece', () => {
    expect(createWordPieces(['ab', '##c']).split('abx ab')).toEqual([unknownPiece, 0]);
  });

  it('keeps case, accents and words of ideographs where the model does', () => {
    const rules = { lowerCase: false, stripAccents: false, splitIdeographs: false };
    const pieces = createWordPieces(['Café', 'café', '東京', '東', '京'], rules);
    expect(pieces.split('Café café 東京 東 CAFÉ')).toEqual([0, 1, 2, 3, unknownPiece]);
  });

  it('reads half of a surrogate pair as nothing', () => {
    expect(split('go\ud83d home')).toEqual(['go', 'home']);
  });
});
