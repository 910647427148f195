import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSpelling } from '../../../src/embeddings/static/embed.js';
import { createWordPieces, unknownPiece } from '../../../src/embeddings/word-pieces.js';

const english = ['die', 'dog', 'and', 'cat', 'run', 'k', '##s', '##at', '##z', '##e', 'и', '.'];
const other = ['=die', 'katze', 'und', 'hund', '=hand', '##e', 'кіт', '##и', '猫', '私', '私は', 'ねこ'];

function splitWith(first: readonly string[], rest: readonly string[]) {
  const vocabulary = [...first, ...rest];
  const split = createSpelling(vocabulary, first.length);
  return (text: string) =>
    split(text).map((row) =>
      row === unknownPiece ? '[UNK]' : `${row < first.length ? 'en' : 'other'}:${vocabulary[row]}`,
    );
}

describe('spelling with pieces of other languages', () => {
  const split = splitWith(english, other);

  it('spells English text with English pieces alone', () => {
    expect(split('Dogs and cats die.')).toEqual(['en:dog', 'en:##s', 'en:and', 'en:cat', 'en:##s', 'en:die', 'en:.']);
  });

  it('keeps English pieces for English text that quotes a word', () => {
    expect(split('Dog and cat: Katze')).toEqual([
      'en:dog',
      'en:and',
      'en:cat',
      '[UNK]',
      'en:k',
      'en:##at',
      'en:##z',
      'en:##e',
    ]);
  });

  it('spells a text with more words of other languages with their pieces', () => {
    expect(split('Die Katze und Hunde.')).toEqual([
      'other:=die',
      'other:katze',
      'other:und',
      'other:hund',
      'other:##e',
      'en:.',
    ]);
  });

  it('does not take a text for another language because of a word that English has too', () => {
    expect(split('die')).toEqual(['en:die']);
  });

  it('spells words of another script with all pieces, also in English text', () => {
    expect(split('dog and кіти')).toEqual(['en:dog', 'en:and', 'other:кіт', 'other:##и']);
  });

  it('leaves out a letter without a piece and keeps the rest of the word', () => {
    expect(split('кітжи')).toEqual(['other:кіт', 'other:##и']);
  });

  it('finds words anywhere in scripts without spaces, the longest first', () => {
    expect(split('dog私はねこ猫')).toEqual(['en:dog', 'other:私は', 'other:ねこ', 'other:猫']);
  });

  it('reads a long run without spaces to its end', () => {
    expect(split('猫'.repeat(300))).toHaveLength(300);
  });

  it('is the plain tokeniser where all rows are English', () => {
    const texts = ['Dogs and cats', '猫 dog'];
    const plain = createWordPieces(english);
    const spelling = createSpelling(english, english.length);
    expect(texts.map(spelling)).toEqual(texts.map((text) => plain.split(text)));
  });
});

describe('the shipped vocabulary', () => {
  const vocabulary = readFileSync(new URL('../../../models/vocab.txt', import.meta.url), 'utf8')
    .split('\n')
    .slice(0, -1);
  const rows = 29_523;
  const split = createSpelling(vocabulary, rows);
  const plain = createWordPieces(vocabulary.slice(0, rows));
  const suite = readFileSync(new URL('../../../eval/suites/tiny.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const messages: string[] = suite.flatMap(({ conversation, question }) => [
    ...(conversation?.messages.map(({ text }: { text: string }) => text) ?? []),
    ...(question === undefined ? [] : [question.text]),
  ]);

  it('spells English conversations as the English vocabulary does', () => {
    expect(messages.length).toBeGreaterThan(50);
    expect(messages.map(split)).toEqual(messages.map((text) => plain.split(text)));
  });
});
