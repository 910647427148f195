import { createHash, randomBytes } from 'node:crypto';
import { invalidInput } from '../model/errors.js';

/**
 * A token is 256 random bits, so its plain SHA-256 is as hard to reverse as the token is to guess, and costs a
 * microsecond where a password hash would cost a tenth of a second on every request. It is looked up by that hash: what
 * an attacker could time is the comparison of hashes whose bits they do not control.
 */
export function newToken(): string {
  return `tk_${randomBytes(32).toString('base64url')}`;
}

export function newTokenId(): string {
  return `tok_${randomBytes(16).toString('hex')}`;
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Enough to recognise a token and too little to guess the rest; shorter for short imported tokens. */
export function prefixOf(token: string): string {
  return token.slice(0, token.length >= 32 ? 12 : 4);
}

/** What RFC 6750 allows after `Bearer `. */
export const tokenSyntax = /^[A-Za-z0-9._~+/-]+=*$/;
const shortest = 16;
const longest = 512;

/** A token that was created elsewhere, as typed or piped in. */
export function givenToken(text: string): string {
  const token = text.trim();
  if (token.length < shortest || token.length > longest) {
    throw invalidInput('', `The token on standard input must have ${shortest} to ${longest} characters`);
  }
  if (!tokenSyntax.test(token)) {
    throw invalidInput('', 'The token on standard input may hold letters, digits and - . _ ~ + / = only');
  }
  return token;
}
