import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../console/src/reading/pieces.js';

describe('a long message in pieces', () => {
  it('is one piece while it is short', () => {
    expect(piecesOf('# A\n\ntext')).toEqual([{ text: '# A\n\ntext', plain: false }]);
  });

  it('loses nothing and begins each piece after a blank line', () => {
    const text = Array.from({ length: 400 }, (_, index) => `Paragraph ${index} ${'word '.repeat(20)}`).join('\n\n');
    const pieces = piecesOf(text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.every((piece) => piece.text.startsWith('Paragraph') && piece.text.length <= 16_000)).toBe(true);
  });

  it('keeps a block of code whole, also with blank lines and shorter fences in it', () => {
    const code = `\`\`\`\`md\n${'line\n\n```\n'.repeat(2_500)}\`\`\`\`\n\n`;
    const pieces = piecesOf(`${'before\n\n'.repeat(10)}${code}${'after\n\n'.repeat(10)}`);
    expect(pieces.filter(({ text }) => text.includes('line')).length).toBe(1);
  });

  it('gives up on a very long text without a break', () => {
    expect(piecesOf('*_'.repeat(50_000))).toEqual([{ text: '*_'.repeat(50_000), plain: true }]);
  });
});
