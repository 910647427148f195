/*
 * Secrets in text: their forms, values assigned to a name that says so, and what only looks like one.
 */

export type SecretKind = 'private_key' | 'api_key' | 'token' | 'password' | 'card_number';

interface SecretForm {
  kind: SecretKind;
  /** What has to stand before the secret and stays is its group `lead`; the secret is all that follows. */
  form: RegExp;
  /** How many characters of what has the form are secret, 0 for none; all of them unless it is given. */
  length?: (secret: string, match: RegExpExecArray) => number;
}

interface FoundSecrets {
  /** The text with `[redacted:<kind>]` in the place of each secret. */
  text: string;
  kinds: SecretKind[];
  count: number;
}

interface Span {
  start: number;
  end: number;
}

/** A part of a text that is secret. */
interface Place extends Span {
  kind: SecretKind;
}

/**
 * Looks for things that open doors: keys, tokens, private keys, passwords in addresses and assignments, card numbers.
 * By their form alone, so it finds what is written as such and misses what is not.
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
 * All of them in order. Every form looks at the text as it was sent, so that none takes the mark of another for a part of a
 * secret; where two overlap they are one, which the first form names.
 */
function secretPlaces(text: string): Place[] {
  const marks = [...text.matchAll(marker)].map(({ 0: mark, index }) => ({ start: index, end: index + mark.length }));
  const found = secretForms.flatMap((form, rank) => placesOf(text, form, marks).map((place) => ({ ...place, rank })));
  found.sort((one, other) => one.start - other.start || one.rank - other.rank);
  const places: (Place & { rank: number })[] = [];
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

/** Nothing that begins in a mark that stands there already, be it with its lead; and no mark cut in two. */
function placesOf(text: string, { kind, form, length }: SecretForm, marks: readonly Span[]): Place[] {
  const places: Place[] = [];
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
    // What is no secret may hold one: an address with a token in its query, say.
    form.lastIndex = Math.max(start + size, match.index + 1);
  }
  return places;
}

/** By halves: there may be as many marks as places. */
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

/** How a value stands in the text. */
interface Assigned {
  value: string;
  /** A quoted value is a text, never code. */
  quoted: boolean;
}

/** Whether it stands for a value that is somewhere else: a variable, an expression, a path, a page, a mask, a name. */
function isReference({ value, quoted }: Assigned): boolean {
  if (placeholders.some((form) => form.test(value)) || isPath(value)) return true;
  const bare = value.replace(/[)\]}]{1,8}$/, '');
  return !quoted && code.some((form) => form.test(value) || form.test(bare));
}

/** Of variables only those whose name holds no digit or is in capitals: a password may begin with "$" as well. */
const placeholders = [
  /^\$(?:[{(]|[A-Za-z_]+$|[A-Z_][A-Z0-9_]*$)/,
  /^(?:\{\{|<[^>]*>$|%\(|%[A-Za-z_]+%$)/,
  /^[*•·.…_#xX-]+$/,
  /^your[_-][A-Za-z_-]+$/i,
  /^[a-z][a-z0-9+.-]{1,20}:\/\//i,
];

/** Words without digits: what has some before "(" may be a password that holds one. */
const code = [
  // A call or an element: minLength(8), os.environ["…"], Optional[str].
  /^[A-Za-z_][A-Za-z_.]{2,}[([]/,
  // A member: process.env.PASSWORD, config.db.password.
  /^[A-Za-z_]+(?:\.[A-Za-z_]+)+$/,
  /^(?:process\.env|os\.environ|import\.meta\.env|env|secrets|config|settings|self|this)\.[A-Za-z]\w*$/i,
  // A variable that is named for what it holds: password=db_password.
  /^[A-Za-z_]*(?:password|passwd|pwd|key|token|secret)$/i,
];

/** A key in base64 may begin with "/" too: it has a long part of mixed letters and digits, which folders rarely have. */
function isPath(value: string): boolean {
  if (!/^(?:~|\.{1,2})?\/|^[A-Za-z]:[\\/]/.test(value)) return false;
  const isRandom = (part: string) => part.length >= 16 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part);
  return !value.split(/[\\/]/).some(isRandom) && !/[+=]/.test(value);
}

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
