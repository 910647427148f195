import { assignedSecret } from './secret-assignments.js';
import { cardNumberLength } from './secret-cards.js';
import { privateKey } from './secret-private-keys.js';
import { isReference } from './secret-values.js';

export type SecretKind = 'private_key' | 'api_key' | 'token' | 'password' | 'card_number';

export interface SecretForm {
  kind: SecretKind;
  /** What has to stand before the secret and stays is its group `lead`; the secret is all that follows. */
  form: RegExp;
  /** How many characters of what has the form are secret, 0 for none; all of them unless it is given. */
  length?: (secret: string, match: RegExpExecArray) => number;
}

const hasLetterAndDigit = /[A-Za-z].*\d|\d.*[A-Za-z]/;
/** A digit, or a capital within a word: what people write in small letters is `bearer authentication` or a style sheet's class. */
const noPlainWords = /\d|[a-z][A-Z]/;
const onlyIf = (form: RegExp) => (secret: string) => (form.test(secret) ? secret.length : 0);

/** What kinds of secrets are known, and how each looks. The order matters: the first that fits names it. */
export const secretForms: readonly SecretForm[] = [
  privateKey,
  { kind: 'api_key', form: /(?<![\w-])sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,200}/g, length: onlyIf(noPlainWords) },
  { kind: 'api_key', form: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'api_key', form: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'api_key', form: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,200}/g },
  { kind: 'api_key', form: /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/g },
  { kind: 'token', form: /\bgh[pousr]_[A-Za-z0-9]{30,255}|\bgithub_pat_[A-Za-z0-9_]{30,255}/g },
  { kind: 'token', form: /\bglpat-[A-Za-z0-9_-]{20,64}|\bnpm_[A-Za-z0-9]{36}|\bhf_[A-Za-z0-9]{30,64}/g },
  { kind: 'token', form: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g },
  { kind: 'token', form: /\btk_[A-Za-z0-9_-]{43}/g },
  { kind: 'token', form: /(?<![\w-])eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,4000}/g },
  { kind: 'token', form: /(?<lead>\bBearer\s{1,3})[A-Za-z0-9._~+/-]{20,4000}=*/gi, length: onlyIf(noPlainWords) },
  {
    kind: 'token',
    form: /(?<lead>\bAuthorization["']?\s{0,3}[:=]\s{0,3}["']?Token\s{1,3})[A-Za-z0-9._~+/-]{16,4000}=*/gi,
    length: onlyIf(hasLetterAndDigit),
  },
  {
    kind: 'password',
    form: /(?<lead>(?:\bAuthorization["']?\s{0,3}[:=]\s{0,3}["']?)?\bBasic\s{1,3})[A-Za-z0-9+/_-]{8,4000}={0,2}/gi,
    length: basicLength,
  },
  // A user name that is a token: alone, or with a word such as x-oauth-basic in the place of the password.
  {
    kind: 'token',
    form: /(?<lead>\b[a-z][a-z0-9+.-]{1,20}:\/\/)[A-Za-z0-9_-]{20,256}(?=@|:[^\s@/]{0,256}@)/gi,
    length: onlyIf(hasLetterAndDigit),
  },
  // Up to the last "@" before a path: a password that was not encoded may hold "@" itself, and "/" unless it is a port.
  {
    kind: 'password',
    form: /(?<lead>\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,128}:)(?:[^\s@/]{1,256}|(?!\d{1,5}[/?#])[^\s@"'`<>(){},;]{1,256})(?:@[^\s@/"'`<>(){}[\],;]{1,128})*(?=@[\w[])/gi,
    length: (value) => (isReference({ value, quoted: true }) ? 0 : value.length),
  },
  assignedSecret,
  {
    kind: 'card_number',
    form: /(?<![\d.-])(?:[3-6]\d{3}|2[2-7]\d\d)(?:(?:[ \u00a0\u202f-]?\d){9,15}|(?:\.\d{4}){3}|\.\d{6}\.\d{5})(?![\d.-]?\d)/g,
    length: cardNumberLength,
  },
];

/** After the header's name anything that is no plain word; elsewhere only what reads `user:password`. */
function basicLength(secret: string, { groups }: RegExpExecArray): number {
  const named = /^authorization/i.test(groups?.lead ?? '');
  if (named && (noPlainWords.test(secret) || secret.endsWith('='))) return secret.length;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(secret, 'base64').toString('latin1')) ? secret.length : 0;
}
