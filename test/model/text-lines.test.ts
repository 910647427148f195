import { describe, expect, test } from 'vitest';
import { textLines } from '../../src/model/text.js';
import fc from '../support/properties.js';

async function linesOf(pieces: readonly Uint8Array[], maxLineBytes = 1_000): Promise<(string | undefined)[]> {
  const all: (string | undefined)[] = [];
  for await (const lines of textLines(inTurn(pieces), maxLineBytes)) all.push(...lines);
  return all;
}

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

describe('the lines of a text', () => {
  test('end at a line feed alone, not at the other separators of Unicode', async () => {
    const lines = ['one\u2028line', 'an\u2029other\u0085and\u000bmore', 'a\rreturn'];
    expect(await linesOf([Buffer.from(lines.join('\n'))])).toEqual(lines);
  });

  test('are the same wherever the bytes are cut', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ü', '\u2028', '\u2029', '\r', '😀', '"') });
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 7 }), async (lines, size) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(await linesOf(pieces)).toEqual(lines);
      }),
    );
  });

  test('are named as too long instead of being kept', async () => {
    expect(await linesOf([Buffer.from('12345\n123\n')], 4)).toEqual([undefined, '123']);
  });
});
