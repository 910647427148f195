import type { Role } from '../model/conversation.js';
import { utcRange } from '../model/time.js';

/*
 * Parses what people type into a search box, for all adapters: words, "exact phrases", -exclusions and operators such
 * as source:claude. docs/search.md documents the syntax. Anything that is not an operator is a plain word.
 */

export const contents = ['code', 'link', 'image'] as const;
export type Content = (typeof contents)[number];

/** A condition that a message or its conversation must meet or, negated, must not meet. */
export type Demand =
  | { kind: 'phrase' | 'source' | 'tag' | 'thread' | 'title'; value: string }
  | { kind: 'role'; value: Role }
  | { kind: 'has'; value: Content };

export interface ParsedQuery {
  /** The words to search for, including those of phrases; blank if the query consists of operators only. */
  text: string;
  wanted: Demand[];
  unwanted: Demand[];
  /** UTC, both inclusive. */
  from?: string;
  to?: string;
}

/** An invalid query, with the position of the problem in UTF-16 code units. The message never repeats the query. */
export class QueryError extends Error {
  readonly start: number;
  readonly end: number;

  constructor(message: string, { start, end }: { start: number; end: number }) {
    super(`${message}, at character ${start + 1}`);
    this.name = 'QueryError';
    this.start = start;
    this.end = end;
  }
}

export const operators = ['source', 'tag', 'thread', 'before', 'after', 'on', 'role', 'title', 'has'] as const;
type Operator = (typeof operators)[number];

/**
 * A phrase or an operator begins a word: `a-b`, `x:y` and `1-2` are words. A minus sign excludes the letters right behind
 * it, so `- word`, `--flag` and `-5` are words too.
 */
const token = new RegExp(
  `(?<=^|\\s)(?<minus>-)?(?:(?<name>${operators.join('|')}):(?:"(?<quotedValue>[^"]+)"|(?<value>[^\\s"]+))|[“"„](?<phrase>[^"“”]*)["”“](?=$|[\\s,.;:!?)])|(?<=-)(?<word>\\p{L}\\S*))(?=$|\\s|(?<=["”“])[,.;:!?)])`,
  'giu',
);

/** Throws a QueryError where an operator has a value it cannot have. */
export function parseQuery(query: string): ParsedQuery {
  // In a question, quotation marks are ordinary punctuation, not an operator.
  const isQuestion = /[?？]\s*$/u.test(query);
  const parsed: ParsedQuery = { text: '', wanted: [], unwanted: [] };
  const words: string[] = [];
  let end = 0;
  for (const match of query.matchAll(token)) {
    const { minus, name, quotedValue, value = quotedValue, phrase, word } = match.groups ?? {};
    const place = { start: match.index, end: match.index + match[0].length };
    const isNegated = minus !== undefined;
    const demands = isNegated ? parsed.unwanted : parsed.wanted;
    words.push(query.slice(end, place.start));
    end = place.end;
    if (name !== undefined && value !== undefined) {
      readOperator(parsed, { name: name.toLowerCase() as Operator, value, isNegated, place });
    } else if (phrase !== undefined && !/[\p{L}\p{N}]/u.test(phrase)) {
      words.push(match[0]);
    } else if (isNegated) {
      demands.push({ kind: 'phrase', value: phrase ?? word ?? '' });
    } else {
      words.push(phrase ?? '');
      if (!isQuestion) demands.push({ kind: 'phrase', value: phrase ?? '' });
    }
  }
  words.push(query.slice(end));
  parsed.wanted = distinct(parsed.wanted);
  parsed.unwanted = distinct(parsed.unwanted);
  if (parsed.wanted.length + parsed.unwanted.length > mostDemands) return { text: query, wanted: [], unwanted: [] };
  const isPlain = Object.keys(parsed).length === 3 && parsed.wanted.length + parsed.unwanted.length === 0;
  parsed.text = isPlain ? query : words.join(' ').replace(/\s+/g, ' ').trim();
  return parsed;
}

/** People do not type more than this: a pasted article has many quotations, and is read as plain words. */
const mostDemands = 32;

function distinct(demands: readonly Demand[]): Demand[] {
  return [...new Map(demands.map((demand) => [`${demand.kind} ${demand.value}`, demand])).values()];
}

interface Given {
  name: Operator;
  value: string;
  isNegated: boolean;
  place: { start: number; end: number };
}

function readOperator(parsed: ParsedQuery, { name, value, isNegated, place }: Given): void {
  const demands = isNegated ? parsed.unwanted : parsed.wanted;
  switch (name) {
    case 'source':
    case 'tag':
    case 'thread':
    case 'title':
      demands.push({ kind: name, value });
      return;
    case 'role':
      demands.push({ kind: 'role', value: oneOf(roles, value, { name, place }) });
      return;
    case 'has':
      demands.push({ kind: 'has', value: oneOf(contents, value, { name, place }) });
      return;
    case 'before':
    case 'after':
    case 'on':
      if (isNegated) throw new QueryError(`${name}: cannot be excluded with a minus sign`, place);
      readDate(parsed, { name, value, place });
      return;
    default:
      name satisfies never;
  }
}

const roles = ['user', 'assistant'] as const;

function oneOf<Value extends string>(
  values: readonly Value[],
  given: string,
  { name, place }: Pick<Given, 'place'> & { name: string },
): Value {
  const found = values.find((value) => value === given.toLowerCase());
  if (found === undefined) throw new QueryError(`${name}: must be one of ${values.join(', ')}`, place);
  return found;
}

/** As in Slack and Discord: `before` and `after` exclude the day itself; `on` selects it. */
function readDate(
  parsed: ParsedQuery,
  { name, value, place }: Pick<Given, 'value' | 'place'> & { name: 'before' | 'after' | 'on' },
): void {
  const range = rangeOf(value);
  if (range === undefined) throw new QueryError(`${name}: must be a date such as 2025-06-01, 2025-06 or 2025`, place);
  if (name !== 'before') later(parsed, name === 'on' ? range.first : shifted(range.last, 1));
  if (name !== 'after') earlier(parsed, name === 'on' ? range.last : shifted(range.first, -1));
}

function later(parsed: ParsedQuery, from: string): void {
  parsed.from = parsed.from === undefined || parsed.from < from ? from : parsed.from;
}

function earlier(parsed: ParsedQuery, to: string): void {
  parsed.to = parsed.to === undefined || parsed.to > to ? to : parsed.to;
}

/** A year, a month, a day or a moment. */
function rangeOf(text: string): { first: string; last: string } | undefined {
  const [, year, month] = /^(\d{4})(?:-(\d{2}))?$/.exec(text) ?? [];
  if (year === undefined) return utcRange(text);
  const first = utcRange(`${year}-${month ?? '01'}-01`)?.first;
  if (first === undefined) return undefined;
  const next = new Date(first);
  if (month === undefined) next.setUTCFullYear(next.getUTCFullYear() + 1);
  else next.setUTCMonth(next.getUTCMonth() + 1);
  return { first, last: shifted(next.toISOString(), -1) };
}

function shifted(time: string, milliseconds: number): string {
  return new Date(Date.parse(time) + milliseconds).toISOString();
}
