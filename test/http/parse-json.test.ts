import { describe, expect, it } from 'vitest';
import { parsingJson } from '../../src/http/body.js';
import { finished } from '../../src/model/steps.js';
import fc from '../support/properties.js';

const parse = (text: string): unknown => finished(parsingJson(text));

describe('JSON parsed in steps', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom('', ' ', '\n\t'), (text, blank) => {
        expect(parse(`${blank}${text}${blank}`)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps escapes, lone surrogates, double keys and odd names', () => {
    for (const text of [
      '"\\u0041\\n\\"\\\\\\ud83d\\ude00"',
      '"\\ud83d"',
      '{"a":1,"a":2}',
      '{"__proto__":{"polluted":true},"constructor":1}',
      ' [ ] ',
      '{ }',
      '[-0, 1e3, 0.5, true, false, null]',
    ]) {
      expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)));
    }
    expect(Object.keys(parse('{"__proto__":1}') as object)).toEqual(['__proto__']);
  });

  it('joins a string longer than a portion, with escapes at any point', () => {
    for (let shift = 0; shift < 8; shift++) {
      const json = `"${'x'.repeat(shift)}${'\\ud83d\\ude00\\n\\\\'.repeat(20_000)}"`;
      expect(parse(json)).toBe(JSON.parse(json));
    }
  });

  it.each([
    '',
    ' ',
    '{',
    '[',
    '[1,]',
    '[1 2]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '"',
    '"\\x"',
    '"\\u00"',
    '"a\nb"',
    '01',
    '1.',
    '+1',
    'nul',
    'NaN',
    '[1]]',
    '{"a":1]',
    '[1}',
    '1 2',
    "'a'",
  ])('refuses what JSON.parse refuses: %j', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parse(text)).toThrow(SyntaxError);
  });

  it('refuses damaged JSON exactly where JSON.parse does', () => {
    const damaged = fc.tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom('', ',', '}', ']', '"', '\\', ':', '0'),
    );
    fc.assert(
      fc.property(damaged, ([json, place, sign]) => {
        const at = place % (json.length + 1);
        const text = json.slice(0, at) + sign + json.slice(at + 1);
        const outcome = (read: () => unknown): unknown => {
          try {
            return { value: read() };
          } catch {
            return 'refused';
          }
        };
        expect(outcome(() => parse(text))).toEqual(outcome(() => JSON.parse(text)));
      }),
    );
  });

  it.each([
    ['values', `[${'{},'.repeat(200_000)}0]`],
    ['keys', `{${Array.from({ length: 20_001 }, (_, index) => `"k${index}":0`).join(',')}}`],
  ])('refuses more %s than a conversation can have', (_, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });
});
