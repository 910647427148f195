import type { SecretForm } from './secret-forms.js';

/** Names of what is always a secret. */
const secretNames = [
  'passw(?:or)?d|passwort|passphrase|pwd|(?<=[_-])pass',
  '(?:api|account|auth|encryption|master|private|service|signing|subscription|(?:secret[_-]?)?access)[_-]?key',
  'secret[_-]?key(?:[_-]?base)?|client[_-]?secret|(?:access|auth)[_-]?token',
].join('|');

/** Names that are ordinary words as well, so that more is asked of the value. */
const ordinaryNames = 'secret|token';

const sign = String.raw`["'\x60*\\\]]{0,3}(?:\s{0,3}(?::=|={1,3}>?|:)\*{0,2}\s{0,3}|>)\\?["'\x60]?`;

/** So that names in a row take no time: each may be judged again as a part of the one before. */
const longestJudged = 256;
const size = `{8,${longestJudged}}`;

/** In quotes up to the closing one; without them, what stands between assignments ends it. */
const value = String.raw`(?:(?<=")[^\s"]${size}|(?<=')[^\s']${size}|(?<=\x60)[^\s\x60]${size}|[^\s"'\x60,;<>]${size})`;

/** `password: …`, `DB_PASSWORD=…`, `"apiKey": "…"`: a name that says what its value is. */
export const assignedSecret: SecretForm = {
  kind: 'password',
  form: new RegExp(`(?<lead>(?<before>[A-Za-z0-9]?)(?<name>${secretNames}|${ordinaryNames})${sign})${value}`, 'gi'),
  length(secret, { groups, input, index, 0: match }) {
    const { before = '', name = '' } = groups ?? {};
    if (!isWholeWord(before, name)) return 0;
    // Of a text within a text, the escaped quote at its end.
    const assigned = secret.replace(/\\$/, '');
    if (!isSecretValue(name, assigned)) return 0;
    return assigned.length < longestJudged
      ? assigned.length
      : assigned.length + restLength(input, index + match.length);
  },
};

/** What goes on beyond the part that is judged. */
function restLength(text: string, from: number): number {
  const rest = /[^\s"'`,;<>]*/y;
  rest.lastIndex = from;
  return rest.exec(text)?.[0].length ?? 0;
}

/** `DB_PASSWORD` and `userToken` name a secret, `broken` and `nontoken` do not; `PGPASSWORD` is known by its length. */
function isWholeWord(before: string, name: string): boolean {
  return before === '' || /^pass/i.test(name) || (/[a-z0-9]/.test(before) && /^[A-Z]/.test(name));
}

const isOrdinary = new RegExp(`^(?:${ordinaryNames})$`, 'i');

function isSecretValue(name: string, assigned: string): boolean {
  if (isOrdinary.test(name)) return /\d/.test(assigned) && /[A-Za-z]/.test(assigned);
  return /[^A-Za-z]/.test(assigned);
}
