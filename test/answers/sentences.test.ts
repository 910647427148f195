import { describe, expect, it } from 'vitest';
import { readingQuestion } from '../../src/answers/question.js';
import { isAside, isAsking, isBareReply, sentencesOf, textStart } from '../../src/answers/quote.js';
import { mentionsTime } from '../../src/language/time/time-intent.js';
import { finished } from '../../src/model/steps.js';
import fc from '../support/properties.js';

const texts = (text: string, from?: number): string[] => sentencesOf(text, from).map((sentence) => sentence.text);

describe('sentences', () => {
  it('end at their marks and at line breaks, not at abbreviations or inside numbers', () => {
    expect(texts('Dr. Lee paid 3.50 euros. Then she left!  Why?\nA line\n\n- an item')).toEqual([
      'Dr. Lee paid 3.50 euros.',
      'Then she left!',
      'Why?',
      'A line',
      '- an item',
    ]);
  });

  it.each([
    [
      'Am 22. Juli um 14:30 habe ich einen Termin beim Zahnarzt. Bis dann.',
      'Am 22. Juli um 14:30 habe ich einen Termin beim Zahnarzt.',
    ],
    ['Mein Hausarzt ist Dr. med. Huber. Er ist nett.', 'Mein Hausarzt ist Dr. med. Huber.'],
    ['The exam was on Feb. 12 at noon. I passed.', 'The exam was on Feb. 12 at noon.'],
    ['1. Pull the image. Wait.', '1. Pull the image.'],
    ['Wait for Dr.\nNora comes later.', 'Wait for Dr.'],
  ])('do not end inside a date, a title or an item: %s', (text, first) => {
    expect(texts(text)[0]).toBe(first);
  });

  it('end without blanks where the script has none', () => {
    expect(texts('我住在柏林。你呢？')).toEqual(['我住在柏林。', '你呢？']);
  });

  it('leave out the name before a turn and separate what is in brackets', () => {
    const text = 'Nora: Look at this! [shares a photo of a cake]';
    expect(texts(text, textStart({ text, speaker: 'Nora' }))).toEqual(['Look at this!', '[shares a photo of a cake]']);
    expect(isAside('[shares a photo of a cake]')).toBe(true);
  });

  it('are slices of their text, in order, that lose nothing but marks and blanks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const found = sentencesOf(text);
        let position = 0;
        for (const { start, end, text: sentence } of found) {
          expect(start).toBeGreaterThanOrEqual(position);
          expect(text.slice(start, end)).toBe(sentence);
          position = end;
        }
        const letters = (each: string): string => each.replace(/[^\p{L}\p{N}]/gu, '');
        expect(letters(found.map((sentence) => sentence.text).join(''))).toBe(letters(text));
      }),
    );
  });

  it.each([
    ['Yes, exactly.', true],
    ['Genau!', true],
    ['Yes! The old boathouse by the lake is ours.', false],
    ['Nothing of the kind.', false],
    ['是的。', true],
  ])('%s is a bare reply: %s', (text, is) => {
    expect(isBareReply(text)).toBe(is);
  });

  it('ask when they end in a question mark', () => {
    expect([isAsking('Really?'), isAsking('你呢？'), isAsking('“Why?”'), isAsking('No.')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('a text made to be slow', () => {
  it.each(['.', '…', ' [', '?', '漢', 'я'])('of %j repeated many times is read quickly', (piece) => {
    const text = `${piece.repeat(50_000)}x`;
    const { user } = process.cpuUsage();
    sentencesOf(text);
    finished(readingQuestion(text, '2026-11-15T08:00:00.000Z'));
    mentionsTime(text);
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });
});
