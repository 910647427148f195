import { visibilityOf } from '../../auth/access.js';
import { yieldOnce } from '../../concurrency/yielding.js';
import { languageOf, plainLanguageOf } from '../../language/languages.js';
import type { Phrase } from '../../language/phrase.js';
import {
  asksNumber,
  otherNames,
  otherVersions,
  personAsked,
  piecesOf,
  typedFunctionTerms,
  verbFormsOf,
  wholeTerms,
} from '../../language/query-terms.js';
import { capitalParts, queryTerms, termCounter } from '../../language/terms.js';
import { timeFit, timeIntent } from '../../language/time/time-intent.js';
import type { Visibility } from '../../model/access.js';
import { storableText } from '../../model/text.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { QueryTraits } from '../../retrieval/candidate.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import { deepVector, embedQuery, type Plan, termsOf } from './gather.js';
import type { ReadQuery } from './query.js';
import type { SearchInput } from './shapes.js';

/** More conversations than this are not passed to the stores at once: the filter is then applied to the results. */
const mostFilterIds = 1_000;

/** The limit when few results passed the filter. If more conversations pass it, some of them are among the nearest. */
const mostNamedIds = 20_000;

/** A longer query is a pasted text, and analysing all of it would block the event loop. */
export const longQuery = 4_096;

/** Analysing the words and times of a longer query takes tens of milliseconds, so it yields between the stages. */
const slowQuery = 1_000;

/** People ask about a pasted text after it or before it. */
const endRead = 1_024;

/** The part of a query that is analysed for words, people and times. The whole query is still searched for verbatim. */
export function partRead(query: string): string {
  if (query.length <= longQuery) return query;
  // The cut must not split a surrogate pair.
  return storableText(`${query.slice(0, longQuery - endRead)}\n${query.slice(-endRead)}`);
}

/** Each is searched for in every result; of a pasted page the first ones are enough. */
const mostPieces = 64;

/** The input of a plan, shared by search and ask. */
export type PlanInput = Pick<SearchInput, 'query' | 'project_id' | 'memory_status' | 'reference_date'>;

/** Everything that is resolved once for a query: its visibility, words, names, person, time and vector. */
export async function planFor(
  service: Service,
  call: Call,
  whole: PlanInput,
  request: {
    filter: ConversationFilter;
    pageSize: number;
    phrase?: Phrase | undefined;
    read?: ReadQuery;
    /** Also search the deep index. */
    deep: boolean;
  },
): Promise<Plan> {
  const input = { ...whole, query: partRead(whole.query) };
  const visibility = visibilityOf(call.principal, { projectId: input.project_id, status: input.memory_status });
  const filtered = Object.keys(request.filter).length > 0;
  const betweenStages = input.query.length > slowQuery ? yieldOnce : () => undefined;
  const words = termsOf(input.query);
  await betweenStages();
  const people = new Set(await service.records.speakers.among(visibility.projectId, possibleNames(input.query, words)));
  const idsUpTo = async (most: number): Promise<string[] | undefined> => {
    const ids = await service.records.conversations.idsMatching(visibility, request.filter, most + 1);
    return ids.length > most ? undefined : ids;
  };
  const { scopes } = visibility;
  const left = filtered ? idsUpTo(mostFilterIds) : Promise.resolve(undefined);
  const [vector, ids, searched, deep] = await Promise.all([
    embedQuery(service, withoutNames(input.query, people)),
    left,
    left.then((named) => chunksSearched(service, visibility, named)),
    request.deep ? deepVector(service, input.query, { scopes, signal: call.signal }) : undefined,
  ]);
  const isBroad = filtered && ids === undefined;
  const rest = words.filter((term) => !people.has(term));
  // A name identifies the speaker; as a word, it would match every message that greets that person.
  const terms = rest.length > 0 ? rest : words;
  await betweenStages();
  const forms = verbFormsOf(input.query, terms);
  await betweenStages();
  const traits = await traitsOf(input, { people, now: service.now(), betweenStages });
  await betweenStages();
  const others = [...forms.values()].flatMap((each) => each.others);
  return {
    visibility,
    terms,
    asked: {
      words: wholeTerms(input.query, words),
      searched,
      pieces: traits.pieces,
      language: languageOf(input.query),
      isOperatorsOnly: request.read?.text === '',
    },
    otherTerms: [
      ...new Set([
        ...otherNames(input.query, terms),
        ...others,
        ...capitalParts(input.query),
        ...otherVersions(input.query),
      ]),
    ].filter((term) => !terms.includes(term)),
    verbForms: forms,
    traits: { ...traits, isQuotation: request.phrase?.isLong === true },
    pageSize: request.pageSize,
    ...(request.read === undefined ? {} : { required: request.read.required }),
    ...(request.read?.passes === undefined ? {} : { passes: request.read.passes }),
    ...(request.phrase === undefined ? {} : { phrase: request.phrase }),
    ...(vector === undefined ? {} : { vector }),
    ...(deep === undefined ? {} : { deep }),
    ...(ids === undefined ? {} : { conversationIds: ids }),
    ...(isBroad ? { idsLeft: once(() => idsUpTo(mostNamedIds)) } : {}),
  };
}

function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}

async function traitsOf(
  input: PlanInput,
  {
    people,
    now,
    betweenStages,
  }: { people: ReadonlySet<string>; now: string; betweenStages: () => Promise<void> | undefined },
): Promise<QueryTraits> {
  const { asksWhen, spans } = timeIntent(input.query, input.reference_date ?? now);
  await betweenStages();
  const role = personAsked(input.query);
  const language = plainLanguageOf(input.query);
  await betweenStages();
  const small = typedFunctionTerms(input.query);
  const held = termCounter(small);
  const pieces = piecesOf(input.query).slice(0, mostPieces);
  await betweenStages();
  return {
    people,
    pieces,
    asksWhen,
    asksNumber: asksNumber(input.query),
    timeFit: spans.length === 0 ? () => 0 : (at) => timeFit(spans, at),
    ...(role === undefined ? {} : { role }),
    ...(language === undefined ? {} : { language }),
    ...(small.length === 0 ? {} : { functionWords: (text) => held(text) / small.length }),
  };
}

/** Capitalized, or any word if the whole query is in lower case: "mark the date" does not mean Mark. */
function possibleNames(query: string, words: readonly string[]): readonly string[] {
  const capitalised = query.match(/(?<!\p{L})\p{Lu}[\p{L}\p{M}'’-]*/gu) ?? [];
  if (capitalised.length === 0) return words;
  const names = new Set(queryTerms(capitalised.join(' ')));
  return words.filter((word) => names.has(word));
}

/** The query without the names of speakers, unless nothing would be left. */
function withoutNames(query: string, people: ReadonlySet<string>): string {
  if (people.size === 0) return query;
  const rest = query.split(/\s+/).filter((word) => !queryTerms(word).some((term) => people.has(term)));
  return rest.some((word) => /[\p{L}\p{N}]/u.test(word)) ? rest.join(' ') : query;
}

/** Counting fewer is fast. Above this, only the order of magnitude matters, which changes slowly. */
const mostCountedAnew = 5_000;
const countLasts = 60_000;

const chunkCounts = new WeakMap<Service, Map<string, { count: number; until: number }>>();

/** The number of chunks that a search covers; for a large store it may be a minute old. */
async function chunksSearched(
  service: Service,
  visibility: Visibility,
  conversationIds: readonly string[] | undefined,
): Promise<number> {
  const { chunks } = service.records;
  if (conversationIds !== undefined) return chunks.countVisible(visibility, conversationIds);
  const counts = chunkCounts.get(service) ?? new Map<string, { count: number; until: number }>();
  chunkCounts.set(service, counts);
  const key = visibility.scopes.join('\n');
  const before = counts.get(key);
  if (before !== undefined && performance.now() < before.until) return before.count;
  const count = await chunks.countVisible(visibility);
  if (count < mostCountedAnew) counts.delete(key);
  else counts.set(key, { count, until: performance.now() + countLasts });
  return count;
}
