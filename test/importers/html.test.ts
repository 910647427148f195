import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/importers/formats/gemini-takeout.js';

describe('the words of a piece of HTML', () => {
  it('come with their line breaks and without code', () => {
    const html =
      '<p>One &amp; two<br/>three</p><script>alert("<p>")</SCRIPT ><style>p{}</style><ul><li>four</ul> 5 < 6';
    expect(plainText(html)).toBe('One & two\nthree');
    expect(plainText('<ul><li class="x">one</li><li>two</li></ul>a &lt; b &#65;&#x42; &unheard; 5 < 6')).toBe(
      '- one\n- two\na < b AB &unheard; 5 < 6',
    );
    expect(plainText('before<style>p{}</style> after<script src="x">alert(1)</script>!')).toBe('before after!');
  });

  it.each([' ', '\t', '<', '<li', '<script', '<style>', '&#', '<br '])(
    'of %j repeated many times take little time',
    (piece) => {
      const { user } = process.cpuUsage();
      plainText(`${piece.repeat(100_000)}x`);
      expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
    },
  );
});
