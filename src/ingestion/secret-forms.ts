import { assignedSecret } from './secret-assignments.js';
import type { SecretForm } from './secret-form.js';
import { isReference } from './secret-values.js';

const hasLetterAndDigit = /[A-Za-z].*\d|\d.*[A-Za-z]/;
/** A digit, or a capital within a word: what people write in small letters is `bearer authentication` or a style sheet's class. */
const noPlainWords = /\d|[a-z][A-Z]/;
const onlyIf = (form: RegExp) => (secret: string) => (form.test(secret) ? secret.length : 0);

/** A private key in armour: to the line that ends it, or as far as it goes where that line is missing. */
const privateKey: SecretForm = {
  kind: 'private_key',
  form: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  length(opening, { input, index }) {
    const from = index + opening.length;
    const end = endOf(input, from);
    const size = end === undefined ? linesLength(input, from) : end - from;
    return size === 0 ? 0 : opening.length + size;
  },
};

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

/** Where the closing line ends, if it is the next such line and no sentence that only speaks of both. */
function endOf(text: string, from: number): number | undefined {
  const line = /-----(BEGIN|END) [^-\n]{0,60}-----/g;
  line.lastIndex = from;
  const next = line.exec(text);
  if (next?.[1] !== 'END') return undefined;
  const between = text.slice(from, next.index);
  const isSentence = /[a-z] [a-z]/i.test(between) && !/[A-Za-z0-9+/]{20}/.test(between);
  return isSentence ? undefined : next.index + next[0].length;
}

/** Headers, lines of base64 and the shorter one at their end; a line break may be written as an escape. */
function linesLength(text: string, from: number): number {
  const gap = String.raw`(?:[\s>|"',+]|\\[rn]){1,12}`;
  const header = `${gap}[A-Z][A-Za-z-]{2,20}: [^\\n\\\\]{1,100}`;
  const long = `${gap}[A-Za-z0-9+/]{20,}={0,2}`;
  const last = String.raw`(?:(?:\r?\n|\\n)[A-Za-z0-9+/]{1,76}={0,2}(?![^\s"'\\]))?`;
  const lines = new RegExp(`(?:${header}){0,4}(?:${long})+${last}`, 'y');
  lines.lastIndex = from;
  return lines.exec(text)?.[0].length ?? 0;
}

/**
 * How much of digits in groups is the number of a card: all, or as many groups as make one. What follows a number is often
 * the month it ends or its check digits.
 */
function cardNumberLength(written: string): number {
  let end = written.length;
  while (end > 0) {
    if (isCardNumber(written.slice(0, end).replace(/\D/g, ''))) return end;
    end = written.slice(0, end).search(/\D\d*$/);
  }
  return 0;
}

/** Luhn's sum, on 13 to 19 digits that are not one digit again and again. */
function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1+$/.test(digits)) return false;
  if (digits.startsWith('2') && !isSecondMastercardRange(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Nothing else that begins with 2 is a card: most of it are times and running numbers. */
function isSecondMastercardRange(digits: string): boolean {
  const range = Number(digits.slice(0, 4));
  return digits.length === 16 && range >= 2221 && range <= 2720;
}
