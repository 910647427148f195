import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readToken } from '../../src/auth/callers.js';
import { givenToken, hashToken, newToken, newTokenId, parseLifetime, prefixOf } from '../../src/auth/tokens.js';
import { refusal } from '../support/failure.js';

describe('a token', () => {
  it('is tk_ and 43 characters of base64url, another one each time', () => {
    expect(newToken()).toMatch(/^tk_[A-Za-z0-9_-]{43}$/);
    expect(newToken()).not.toBe(newToken());
    expect(newTokenId()).toMatch(/^tok_[0-9a-f]{32}$/);
  });

  it('is kept as its SHA-256 and known by its first 12 characters', () => {
    const token = newToken();
    expect(hashToken(token)).toBe(createHash('sha256').update(token).digest('hex'));
    expect(prefixOf(token)).toBe(token.slice(0, 12));
    expect(prefixOf('short-secret-0001')).toBe('shor');
  });

  it('from elsewhere is taken without the line end, and refused when it could not be sent or be guessed', () => {
    expect(givenToken('amh_0123456789abcdef\n')).toBe('amh_0123456789abcdef');
    for (const text of ['', 'short', 'two words of a token', 'x'.repeat(513), 'token-with-ümlaut-in-it']) {
      expect(refusal(() => givenToken(text)).code).toBe('invalid_input');
    }
  });
});

describe('a lifetime', () => {
  it.each([
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
    ['2W', 1_209_600_000],
  ])('%s is understood', (text, milliseconds) => {
    expect(parseLifetime(text)).toBe(milliseconds);
  });

  it.each(['', '90', 'd', '0d', '-1d', '1.5d', '1y', '99999d', '90 d', '9999999m'])('%j is refused', (text) => {
    expect(refusal(() => parseLifetime(text)).code).toBe('invalid_input');
  });
});

describe('the Authorization header', () => {
  const read = (authorization: string | undefined, tokenInAddress = false) =>
    readToken({ authorization, tokenInAddress });

  it.each(['Bearer abc.def', 'bearer abc.def', 'BEARER  abc.def', 'Bearer abc.def '])('%j holds a token', (header) => {
    expect(read(header)).toEqual({ value: 'abc.def' });
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'abc',
    'Basic abc',
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer "a"',
    'Bearer a\u0000',
    `Bearer ${'a'.repeat(8_193)}`,
  ])('%j does not', (header) => {
    expect(read(header)).toEqual({ reason: 'malformed' });
  });

  it('may be missing, and cannot be replaced by the address', () => {
    expect(read(undefined)).toEqual({ reason: 'missing' });
    expect(read('Bearer abc', true)).toEqual({ reason: 'in_address' });
  });
});
