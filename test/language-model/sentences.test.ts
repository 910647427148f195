import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citedIn, createSentenceReader, withoutCitations } from '../../src/language-model/compose.js';

function readIn(pieces: readonly string[]): string[] {
  const reader = createSentenceReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

describe('the sentences of an answer', () => {
  it.each([
    ['You live in Leeds [1].\nYou work at Acme [2].', ['You live in Leeds [1].', 'You work at Acme [2].']],
    ['You live in Leeds. [1] You work at Acme. [2][3]', ['You live in Leeds. [1]', 'You work at Acme. [2][3]']],
    ['You live in Leeds [1]. You saw Dr. Smith [2].', ['You live in Leeds [1].', 'You saw Dr. Smith [2].']],
    ['[1] You live in Leeds.\n[2] You work at Acme.', ['[1] You live in Leeds.', '[2] You work at Acme.']],
    ['- You live in Leeds [1]\n2. You work at Acme [2]', ['You live in Leeds [1]', 'You work at Acme [2]']],
    ['<think>Is it Leeds [1]?\nYes.</think>\n\nYou live in Leeds [1].', ['You live in Leeds [1].']],
    ['<think>It never ends [1].', []],
    ['你住在利兹[1]。你在Acme工作[2]。', ['你住在利兹[1]。', '你在Acme工作[2]。']],
    [' \n', []],
  ])('of %j are found', (text, expected) => {
    expect(readIn([text])).toEqual(expected);
  });

  it('are the same for any split of the answer', () => {
    const text =
      '<think>hm</think>You live in Leeds. [1] You saw Dr. Smith [2], e.g. on 3 March. [1, 2]\nIt went well [3].';
    const whole = readIn([text]);
    expect(whole).toHaveLength(3);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const pieces: string[] = [];
        let at = 0;
        for (let turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(readIn(pieces)).toEqual(whole);
      }),
    );
  });

  it('are handed out as soon as the next one begins', () => {
    const reader = createSentenceReader();
    expect(reader.push('You live in Leeds. [1]')).toEqual([]);
    expect(reader.push(' You')).toEqual(['You live in Leeds. [1]']);
    expect(reader.push(' work at Acme [2].\n')).toEqual(['You work at Acme [2].']);
    expect(reader.end()).toEqual([]);
  });

  it('are dropped where a line does not end', () => {
    const reader = createSentenceReader();
    expect(reader.push('a'.repeat(5_000))).toEqual([]);
    expect(reader.end()).toEqual([]);
  });

  it('name what they cite', () => {
    expect(citedIn('You live in Leeds [1], [2, 3] and [1].')).toEqual([1, 2, 3]);
    expect(citedIn('You live in Leeds [a] (1).')).toEqual([]);
    expect(withoutCitations('You live in Leeds [1][2].')).toBe('You live in Leeds.');
  });
});
