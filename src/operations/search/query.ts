import { phraseOf } from '../../language/phrase.js';
import { MemoryError } from '../../model/errors.js';
import { storableText } from '../../model/text.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { ConversationRow } from '../../records/store.js';
import { judgingDemands } from '../../retrieval/demands.js';
import { type Demand, type ParsedQuery, parseQuery, QueryError } from '../../retrieval/query-language.js';
import { saidFilterOf, threadFilter, threadOfOne } from '../fields.js';
import type { Passes } from './gather.js';
import type { SearchInput } from './shapes.js';

/** A query without its operators: the remaining words, and the conditions of the operators and filters. */
export interface ReadQuery {
  /** Blank if the query consists of operators only. */
  text: string;
  filter: ConversationFilter;
  /** Phrases that every result must contain. */
  required: string[];
  /** Conditions on single messages; absent if the conversation filter covers everything. */
  passes?: Passes;
}

export function readQuery(input: SearchInput): ReadQuery {
  const parsed = parsedOf(input.query);
  const filter = saidFilterOf(input);
  const { wanted, unwanted } = parsed;
  const valuesOf = (kind: Demand['kind']): string[] =>
    wanted.filter((demand) => demand.kind === kind).map(({ value }) => value);
  const sources = valuesOf('source');
  const tags = [...(filter.tags ?? []), ...valuesOf('tag').map(storableText)];
  const threads = valuesOf('thread');
  const [thread] = threads;
  const isOnlyThread = threads.length === 1 && input.thread_id === undefined && thread !== undefined;
  const inFilter: ReadonlySet<Demand['kind']> = new Set([
    'source',
    'tag',
    ...(isOnlyThread ? (['thread'] as const) : []),
  ]);
  const left = wanted.filter(({ kind }) => !inFilter.has(kind));
  const demands = { wanted: left, unwanted };
  return {
    text: parsed.text,
    filter: {
      ...filter,
      ...(sources.length === 0 ? {} : { sources }),
      ...(tags.length === 0 ? {} : { tags }),
      ...(isOnlyThread ? threadFilter(thread) : {}),
      ...laterOf(filter.saidFrom, parsed.from),
      ...earlierOf(filter.saidTo, parsed.to),
    },
    required: valuesOf('phrase').filter((phrase) => phraseOf(phrase) !== undefined),
    ...(left.length + unwanted.length === 0
      ? {}
      : { passes: ({ text, role }, row) => judgingDemands({ text, role, ...aboutOf(row) }, demands) }),
  };
}

function parsedOf(query: string): ParsedQuery {
  try {
    return parseQuery(query);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { message, start, end } = error;
    throw new MemoryError('invalid_input', `query: ${message}`, {
      issues: [{ path: 'query', message }],
      fields: { query_start: String(start), query_end: String(end) },
    });
  }
}

function aboutOf(row: ConversationRow) {
  const { aliases = [] } = row;
  const tags = Array.isArray(row.metadata.tags) ? row.metadata.tags.map(String) : [];
  return {
    sources: [row.source, ...aliases.map(({ source }) => source)],
    threadIds: [row.thread_id ?? threadOfOne(row.id), ...aliases.flatMap(({ thread_id }) => thread_id ?? [])],
    titles: [row, ...aliases].flatMap(({ title }) => title ?? []),
    tags: [...tags, ...aliases.flatMap((alias) => alias.tags ?? [])],
  };
}

function laterOf(one: string | undefined, other: string | undefined): { saidFrom?: string } {
  if (one === undefined || other === undefined)
    return one === undefined && other === undefined ? {} : { saidFrom: one ?? other ?? '' };
  return { saidFrom: one > other ? one : other };
}

function earlierOf(one: string | undefined, other: string | undefined): { saidTo?: string } {
  if (one === undefined || other === undefined)
    return one === undefined && other === undefined ? {} : { saidTo: one ?? other ?? '' };
  return { saidTo: one < other ? one : other };
}
