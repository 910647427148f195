/*
 * Detects secrets in text: by their format, or as a value assigned to a telling name, while excluding lookalikes.
 */

export type SecretKind = 'private_key' | 'api_key' | 'token' | 'password' | 'card_number';

interface SecretForm {
  kind: SecretKind;
  /** The group `lead` is a required prefix that stays; the secret is everything after it. */
  form: RegExp;
  /** How many characters of a match are secret, 0 for none; all of them when absent. */
  length?: (secret: string, match: RegExpExecArray) => number;
}

interface FoundSecrets {
  /** The text with each secret replaced by `[redacted:<kind>]`. */
  text: string;
  kinds: SecretKind[];
  count: number;
}

interface Span {
  start: number;
  end: number;
}

/** The span of a secret in a text. */
interface SecretSpan extends Span {
  kind: SecretKind;
}

/**
 * Finds credentials: keys, tokens, private keys, passwords in URLs and assignments, card numbers. Detection is by
 * format alone, so a secret in plain words is missed.
 */
export function findSecrets(text: string): FoundSecrets {
  const places = secretPlaces(text);
  let redacted = '';
  let from = 0;
  for (const { kind, start, end } of places) {
    redacted += text.slice(from, start) + markOf(kind);
    from = end;
  }
  const kinds = [...new Set(places.map(({ kind }) => kind))];
  return { text: redacted + text.slice(from), kinds, count: places.length };
}

export function markOf(kind: SecretKind): string {
  return `[redacted:${kind}]`;
}

export function isMark(text: string): boolean {
  return /^\[redacted:[a-z_]{1,20}\]$/.test(text);
}

const marker = /\[redacted:[a-z_]{1,20}\]/g;

/**
 * All secrets in order. Every form is matched against the original text, so that no redaction mark becomes part of
 * another secret. Overlapping matches are merged and named after the first form.
 */
function secretPlaces(text: string): SecretSpan[] {
  const marks = [...text.matchAll(marker)].map(({ 0: mark, index }) => ({ start: index, end: index + mark.length }));
  const found = secretForms.flatMap((form, rank) => placesOf(text, form, marks).map((place) => ({ ...place, rank })));
  found.sort((one, other) => one.start - other.start || one.rank - other.rank);
  const places: (SecretSpan & { rank: number })[] = [];
  for (const place of found) {
    const before = places.at(-1);
    if (before === undefined || before.end <= place.start) places.push(place);
    else {
      const first = before.rank <= place.rank ? before : place;
      const end = Math.max(before.end, place.end);
      places[places.length - 1] = { kind: first.kind, rank: first.rank, start: before.start, end };
    }
  }
  return places;
}

/** Matches of one form, except those that begin inside an existing redaction mark or would cut one in two. */
function placesOf(text: string, { kind, form, length }: SecretForm, marks: readonly Span[]): SecretSpan[] {
  const places: SecretSpan[] = [];
  form.lastIndex = 0;
  for (let match = form.exec(text); match !== null; match = form.exec(text)) {
    const start = match.index + (match.groups?.lead?.length ?? 0);
    const secret = match[0].slice(start - match.index);
    const size = length === undefined ? secret.length : length(secret, match);
    const marked = markAt(marks, match.index) ?? markAt(marks, start);
    if (size > 0 && marked === undefined) {
      const end = start + size;
      places.push({ kind, start, end: markAt(marks, end - 1)?.end ?? end });
    }
    // A rejected match may still contain a secret, such as a URL with a token in its query.
    form.lastIndex = Math.max(start + size, match.index + 1);
  }
  return places;
}

/** A binary search, because there may be as many marks as matches. */
function markAt(marks: readonly Span[], position: number): Span | undefined {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  const mark = marks[low];
  return mark !== undefined && mark.start <= position ? mark : undefined;
}

/** Names whose values are always secret. */
const secretNames = [
  'passw(?:or)?d|passwort|passphrase|pwd|(?<=[_-])pass',
  '(?:api|account|auth|encryption|master|private|service|signing|subscription|(?:secret[_-]?)?access)[_-]?key',
  'secret[_-]?key(?:[_-]?base)?|client[_-]?secret|(?:access|auth)[_-]?token',
].join('|');

/** Names that are also ordinary words, so the value is checked more strictly. */
const ordinaryNames = 'secret|token';

const sign = String.raw`["'\x60*\\\]]{0,3}(?:\s{0,3}(?::=|={1,3}>?|:)\*{0,2}\s{0,3}|>)\\?["'\x60]?`;

/** Bounds the time for a run of names: each may be checked again as part of the one before. */
const longestJudged = 64;
const shortest = 8;
const size = `{${shortest},${longestJudged}}`;

/** Quoted, up to the closing quote; unquoted, up to a separator. */
const value = String.raw`(?:(?<=")[^\s"]${size}|(?<=')[^\s']${size}|(?<=\x60)[^\s\x60]${size}|[^\s"'\x60,;<>]${size})`;

/** `password: …`, `DB_PASSWORD=…`, `"apiKey": "…"`: a name that says its value is secret. */
const assignedSecret: SecretForm = {
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

/** Without the next parameter of a URL query, and without the escaped quote at the end of a nested string. */
function ownPart(secret: string): string {
  const next = secret.search(/&[A-Za-z_][\w.-]{0,40}=/);
  return (next < 0 ? secret : secret.slice(0, next)).replace(/\\$/, '');
}

/** `password:` followed by `min_length:` on the next line: the name of a group rather than of a value. */
function isKeyBelow(lead: string, value: string): boolean {
  return lead.includes('\n') && value.endsWith(':');
}

/** The length of the secret beyond the part that is checked. */
function restLength(text: string, from: number): number {
  const rest = /[^\s"'`,;<>&]*/y;
  rest.lastIndex = from;
  return rest.exec(text)?.[0].length ?? 0;
}

/** `DB_PASSWORD` and `userToken` name a secret, `brokensecret` does not; `PGPASSWORD` is recognized by its length. */
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

/** Whether a field's value is secret because of the field's name, whatever it looks like. */
export function isSecretUnder(key: string, value: string | number): boolean {
  const { front = '', name } = keyOfSecret.exec(key)?.groups ?? {};
  if (name === undefined || !isWholeWord(/[A-Za-z0-9]?$/.exec(front)?.[0] ?? '', name)) return false;
  const assigned = { value: String(value), quoted: true };
  if (isOrdinary.test(name)) return !/\s/.test(assigned.value) && isSecretValue(name, assigned);
  return assigned.value.length >= (typeof value === 'number' ? 4 : 1) && !isReference(assigned);
}

/** A value as it occurs in the text. */
interface Assigned {
  value: string;
  /** A quoted value is a string, never code. */
  quoted: boolean;
}

/** Whether the value only refers to a secret: a variable, an expression, a path, a URL, a mask or a name. */
function isReference({ value, quoted }: Assigned): boolean {
  if (placeholders.some((form) => form.test(value)) || isPath(value)) return true;
  const bare = value.replace(/[)\]}]{1,8}$/, '');
  return !quoted && code.some((form) => form.test(value) || form.test(bare));
}

/** Variables must have no digits or be in capitals, because a password may also begin with "$". */
const placeholders = [
  /^\$(?:[{(]|[A-Za-z_]+$|[A-Z_][A-Z0-9_]*$)/,
  /^(?:\{\{|<[^>]*>$|%\(|%[A-Za-z_]+%$)/,
  /^[*•·.…_#xX-]+$/,
  /^your[_-][A-Za-z_-]+$/i,
  /^[a-z][a-z0-9+.-]{1,20}:\/\//i,
];

/** Identifiers without digits: one with digits before "(" may be a password that contains a parenthesis. */
const code = [
  // A call or an element: minLength(8), os.environ["…"], Optional[str].
  /^[A-Za-z_][A-Za-z_.]{2,}[([]/,
  // A member: process.env.PASSWORD, config.db.password.
  /^[A-Za-z_]+(?:\.[A-Za-z_]+)+$/,
  /^(?:process\.env|os\.environ|import\.meta\.env|env|secrets|config|settings|self|this)\.[A-Za-z]\w*$/i,
  // A variable named after its content: password=db_password.
  /^[A-Za-z_]*(?:password|passwd|pwd|key|token|secret)$/i,
];

/** A base64 key may begin with "/" too, but has a long part of mixed letters and digits, which paths rarely have. */
function isPath(value: string): boolean {
  if (!/^(?:~|\.{1,2})?\/|^[A-Za-z]:[\\/]/.test(value)) return false;
  const isRandom = (part: string) => part.length >= 16 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part);
  return !value.split(/[\\/]/).some(isRandom) && !/[+=]/.test(value);
}

const hasLetterAndDigit = /[A-Za-z].*\d|\d.*[A-Za-z]/;
/** A digit, or a capital within a word: lower-case words are prose such as `bearer authentication`, or a CSS class. */
const noPlainWords = /\d|[a-z][A-Z]/;
const onlyIf = (form: RegExp) => (secret: string) => (form.test(secret) ? secret.length : 0);

/** A PEM private key: up to its END line, or as far as the key data goes when that line is missing. */
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

/** The known kinds of secrets and their formats. The first match wins. */
const secretForms: readonly SecretForm[] = [
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
  // A user name that is a token: alone, or with a word such as x-oauth-basic as the password.
  {
    kind: 'token',
    form: /(?<lead>\b[a-z][a-z0-9+.-]{1,20}:\/\/)[A-Za-z0-9_-]{20,256}(?=@|:[^\s@/]{0,256}@)/gi,
    length: onlyIf(hasLetterAndDigit),
  },
  // Up to the last "@" before a path: an unencoded password may contain "@", and "/" unless the part before it is a
  // port.
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

/** After the header name, anything that is not a plain word; elsewhere only what decodes to `user:password`. */
function basicLength(secret: string, { groups }: RegExpExecArray): number {
  const named = /^authorization/i.test(groups?.lead ?? '');
  if (named && (noPlainWords.test(secret) || secret.endsWith('='))) return secret.length;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(secret, 'base64').toString('latin1')) ? secret.length : 0;
}

/** The end of the closing line, if it is the next such line and not a sentence that mentions both. */
function endOf(text: string, from: number): number | undefined {
  const line = /-----(BEGIN|END) [^-\n]{0,60}-----/g;
  line.lastIndex = from;
  const next = line.exec(text);
  if (next?.[1] !== 'END') return undefined;
  const between = text.slice(from, next.index);
  const isSentence = /[a-z] [a-z]/i.test(between) && !/[A-Za-z0-9+/]{20}/.test(between);
  return isSentence ? undefined : next.index + next[0].length;
}

/** Headers, base64 lines and the shorter last one; line breaks may be escaped. */
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
 * How much of a run of digit groups is a card number: all of it, or the leading groups that form one. A card number is
 * often followed by its expiry month or check digits.
 */
function cardNumberLength(written: string): number {
  let end = written.length;
  while (end > 0) {
    if (isCardNumber(written.slice(0, end).replace(/\D/g, ''))) return end;
    end = written.slice(0, end).search(/\D\d*$/);
  }
  return 0;
}

/** The Luhn checksum over 13 to 19 digits that are not all the same. */
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

/** Other numbers that begin with 2 are not cards: most are timestamps and sequence numbers. */
function isSecondMastercardRange(digits: string): boolean {
  const range = Number(digits.slice(0, 4));
  return digits.length === 16 && range >= 2221 && range <= 2720;
}
