import { describe, expect, it } from 'vitest';
import { readers, refused } from './readers.js';
import { allowance, long } from './settings.js';

/** Signs and words that an expression over texts might stumble over when they come again and again. */
const pieces = [
  ' ',
  '\n',
  '\t',
  '\t\n ',
  '<',
  '<script',
  '<li',
  '&#',
  '&',
  '"',
  "'",
  '`',
  '```\n',
  '-',
  '- ',
  '.',
  '. ',
  ', ',
  ':',
  '://',
  '(',
  '[',
  'a',
  'A',
  'a ',
  'A. ',
  'é',
  '漢',
  '漢。',
  'я',
  '👩‍👩‍👧',
  '\u0301',
  '1',
  '1 ',
  '1/',
  '4111 ',
  '4111.',
  '12:',
  'I ',
  'I am ',
  'I live in ',
  'My ',
  'not ',
  'and ',
  'and then I ',
  "I'm ",
  'Mr. ',
  'Nora and ',
  'Nora: ',
  'User:\n',
  'eyJ',
  'eyJa.',
  'sk-',
  'password=',
  'DB_PASSWORD',
  'token:',
  'Authorization: Basic ',
  'a:a@',
  'x://a:',
  'x://a:a@a',
  'Bearer ',
  '\\',
  '-----BEGIN PRIVATE KEY-----',
  'last ',
  'next week ',
  'the day before ',
  'two weeks ago ',
  'from May to ',
  '…',
  '“',
  '{',
  '[{',
  '=',
  ' [',
  '<pre>',
  '? ',
  "?'",
];

describe('an input made to be slow', () => {
  it.each(Object.entries(readers))('takes %s no longer than its length asks for', { timeout: allowance }, (_, read) => {
    const slow: string[] = [];
    for (const piece of long ? pieces : pieces.filter((_, index) => index % 4 === 1)) {
      const text = `${piece.repeat(Math.ceil(20_000 / piece.length)).slice(0, 20_000)}x`;
      const before = process.cpuUsage();
      refused(() => read(text));
      const { user } = process.cpuUsage(before);
      // Work that grows with the square of the length takes seconds here; the time of others does not count.
      if (user > 800_000) slow.push(`${JSON.stringify(piece)}: ${Math.round(user / 1_000)} ms`);
    }
    expect(slow).toEqual([]);
  });
});
