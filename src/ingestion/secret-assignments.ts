import type { SecretForm } from './secret-form.js';
import { type Assigned, isReference } from './secret-values.js';

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
const longestJudged = 64;
const shortest = 8;
const size = `{${shortest},${longestJudged}}`;

/** In quotes up to the closing one; without them, what stands between assignments ends it. */
const value = String.raw`(?:(?<=")[^\s"]${size}|(?<=')[^\s']${size}|(?<=\x60)[^\s\x60]${size}|[^\s"'\x60,;<>]${size})`;

/** `password: …`, `DB_PASSWORD=…`, `"apiKey": "…"`: a name that says what its value is. */
export const assignedSecret: SecretForm = {
  kind: 'password',
  form: new RegExp(`(?<lead>(?<before>[A-Za-z0-9]?)(?<name>${secretNames}|${ordinaryNames})${sign})${value}`, 'gi'),
  length(secret, { groups, input, index, 0: match }) {
    const { before = '', name = '', lead = '' } = groups ?? {};
    if (!isWholeWord(before, name)) return 0;
    const value = ownPart(secret);
    const quoted = /["'`]$/.test(lead);
    if (isKeyBelow(lead, value) || !isSecretValue(name, { value, quoted })) return 0;
    return value.length < longestJudged ? value.length : value.length + restLength(input, index + match.length);
  },
};

/** Without the next field of an address's query, and without the escaped quote at the end of a text within a text. */
function ownPart(secret: string): string {
  const next = secret.search(/&[A-Za-z_][\w.-]{0,40}=/);
  return (next < 0 ? secret : secret.slice(0, next)).replace(/\\$/, '');
}

/** `password:` and in the next line `min_length:`: the name of a group. */
function isKeyBelow(lead: string, value: string): boolean {
  return lead.includes('\n') && value.endsWith(':');
}

/** What goes on beyond the part that is judged. */
function restLength(text: string, from: number): number {
  const rest = /[^\s"'`,;<>&]*/y;
  rest.lastIndex = from;
  return rest.exec(text)?.[0].length ?? 0;
}

/** `DB_PASSWORD` and `userToken` name a secret, `brokensecret` does not; `PGPASSWORD` is known by its length. */
function isWholeWord(before: string, name: string): boolean {
  return before === '' || /^pass/i.test(name) || (/[a-z0-9]/.test(before) && /^[A-Z]/.test(name));
}

const isOrdinary = new RegExp(`^(?:${ordinaryNames})$`, 'i');

function isSecretValue(name: string, assigned: Assigned): boolean {
  const { value } = assigned;
  const looksSecret = isOrdinary.test(name) ? /\d/.test(value) && /[A-Za-z]/.test(value) : /[^A-Za-z]/.test(value);
  return looksSecret && value.length >= shortest && !isReference(assigned);
}

const keyOfSecret = new RegExp(`^(?<front>[^]*?)(?<name>${secretNames}|${ordinaryNames})s?$`, 'i');

/** Whether a field's value is a secret because of the field's name, whatever it looks like. */
export function isSecretUnder(key: string, value: string | number): boolean {
  const { front = '', name } = keyOfSecret.exec(key)?.groups ?? {};
  if (name === undefined || !isWholeWord(/[A-Za-z0-9]?$/.exec(front)?.[0] ?? '', name)) return false;
  const assigned = { value: String(value), quoted: true };
  if (isOrdinary.test(name)) return !/\s/.test(assigned.value) && isSecretValue(name, assigned);
  return assigned.value.length >= (typeof value === 'number' ? 4 : 1) && !isReference(assigned);
}
