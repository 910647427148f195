/** What kinds of secrets are known, and how each looks. The order matters: the first that fits names it. */
const patterns: readonly { kind: SecretKind; form: RegExp; check?: (match: string) => boolean }[] = [
  {
    kind: 'private_key',
    form: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [^-]{0,60}-----|$)/g,
  },
  { kind: 'api_key', form: /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,200}/g },
  { kind: 'api_key', form: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'api_key', form: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'api_key', form: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,200}/g },
  { kind: 'api_key', form: /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/g },
  { kind: 'token', form: /\bgh[pousr]_[A-Za-z0-9]{30,255}|\bgithub_pat_[A-Za-z0-9_]{30,255}/g },
  { kind: 'token', form: /\bglpat-[A-Za-z0-9_-]{20,64}|\bnpm_[A-Za-z0-9]{36}|\bhf_[A-Za-z0-9]{30,64}/g },
  { kind: 'token', form: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g },
  { kind: 'token', form: /\btk_[A-Za-z0-9_-]{43}/g },
  { kind: 'token', form: /(?<![\w-])eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,4000}/g },
  { kind: 'token', form: /(?<=\bBearer\s{1,3})[A-Za-z0-9._~+/-]{20,4000}=*/gi },
  { kind: 'password', form: /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,128}:)[^\s@/]{1,256}(?=@[\w[])/gi },
  {
    kind: 'password',
    form: /(?<=\b(?:password|passwd|passwort|passphrase|pwd|client_secret|secret_key|api[_-]?key|access[_-]?token|auth[_-]?token)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;<>]{8,256}/gi,
    check: (value) => /[^A-Za-z]/.test(value) && !value.startsWith('[redacted:'),
  },
  { kind: 'card_number', form: /(?<![\d.-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![\d.-]?\d)/g, check: isCardNumber },
];

export type SecretKind = 'private_key' | 'api_key' | 'token' | 'password' | 'card_number';

export interface FoundSecrets {
  /** The text with `[redacted:<kind>]` in the place of each secret. */
  text: string;
  kinds: SecretKind[];
  count: number;
}

/**
 * Looks for things that open doors: keys, tokens, private keys, passwords in addresses and assignments, card numbers.
 * By their form alone, so it finds what is written as such and misses what is not.
 */
export function findSecrets(text: string): FoundSecrets {
  const kinds = new Set<SecretKind>();
  let count = 0;
  let rest = text;
  for (const { kind, form, check } of patterns) {
    rest = rest.replace(form, (match) => {
      if (check !== undefined && !check(match)) return match;
      kinds.add(kind);
      count += 1;
      return `[redacted:${kind}]`;
    });
  }
  return { text: rest, kinds: [...kinds], count };
}

/** Luhn's sum, on 13 to 19 digits that are not one digit again and again. */
function isCardNumber(written: string): boolean {
  const digits = written.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
