import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { factTerms } from '../../facts/values.js';
import { factsSettled } from '../../indexing/facts/tagging.js';
import { queryTerms, termCounter } from '../../language/terms.js';
import type { Visibility } from '../../model/access.js';
import { saveIntents } from '../../model/conversation.js';
import { type Fact, factConfidences, factStatuses, sourceQualities } from '../../model/fact.js';
import { utcRange } from '../../model/time.js';
import type { FactFilter } from '../../records/facts.js';
import { openCursor, sealCursor, unknownCursor } from '../../retrieval/cursor.js';
import { asOfField, momentOf, serviceAsOf } from '../as-of.js';
import {
  countField,
  countWanted,
  cursorUpTo,
  date,
  decodePageEnd,
  encodePageEnd,
  type PageEnd,
  projectId,
  textUpTo,
  wordsUpTo,
} from '../fields.js';
import type { Operation } from '../operation.js';
import type { Service } from '../service.js';
import { factOutput, presentFact } from './present.js';

/** The filters shared by fact search and profile. */
const filters = {
  predicate: textUpTo(200).min(1).optional().describe('Only this predicate, such as profile_location'),
  include_superseded: z.boolean().default(false).describe('true includes facts that are no longer true'),
  source: z.string().optional().describe('Only facts stated in a conversation of this source'),
  date_from: date.optional().describe('Only facts stated at or after this time; a plain date means the whole UTC day'),
  date_to: date.optional().describe('Only facts stated at or before this time'),
  confidence: z.enum(factConfidences).optional(),
  status: z
    .enum([...factStatuses, 'all'])
    .optional()
    .describe('Default active; all if include_superseded is true'),
  source_quality: z.enum(sourceQualities).optional(),
  save_intent: z.enum(saveIntents).optional(),
  save_intent_source: z.string().optional(),
  freshness_from: date.optional().describe('Only facts confirmed at or after this time'),
  freshness_to: date.optional().describe('Only facts confirmed at or before this time'),
  as_of: asOfField,
  project_id: projectId.optional(),
  cursor: cursorUpTo(300).optional().describe('The cursor of the previous page'),
};

const subject = textUpTo(1_024).min(1);

/** The default page sizes. */
export const usualFacts = { search: 20, profile: 100 };

const factSearchInput = z.strictObject({
  query: wordsUpTo(32_768).optional().describe('Words to search for in subject, predicate and value'),
  subject: subject.optional().describe('Only facts about this subject; `user` is the speaker'),
  ...filters,
  limit: countField(usualFacts.search, 'Facts per page'),
});

export const profileInput = z.strictObject({
  subject: subject.default('user').describe('The subject of the facts; `user` is the speaker'),
  ...filters,
  limit: countField(usualFacts.profile, 'Facts per page'),
});

type FactSearchInput = z.infer<typeof factSearchInput>;
export type ProfileInput = z.infer<typeof profileInput>;

/** Any text: an id of any form that does not exist is not found rather than invalid. */
export const factIdInput = z.string().min(1);

export function factFilter(input: FactSearchInput | ProfileInput): FactFilter {
  const status = input.status ?? (input.include_superseded ? 'all' : 'active');
  return compact({
    subject: input.subject,
    predicates: input.predicate === undefined ? undefined : [input.predicate.trim().toLowerCase()],
    status: status === 'all' ? undefined : status,
    source: input.source,
    from: firstOf(input.date_from),
    to: lastOf(input.date_to),
    freshFrom: firstOf(input.freshness_from),
    freshTo: lastOf(input.freshness_to),
    confidence: input.confidence,
    sourceQuality: input.source_quality,
    saveIntent: input.save_intent,
    saveIntentSource: input.save_intent_source,
  });
}

function firstOf(date: string | undefined): string | undefined {
  return date === undefined ? undefined : utcRange(date)?.first;
}

function lastOf(date: string | undefined): string | undefined {
  return date === undefined ? undefined : utcRange(date)?.last;
}

/** Removes keys that were not given. */
function compact(filter: { [Key in keyof FactFilter]: FactFilter[Key] | undefined }): FactFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/*
 * Fact search, and paging over facts.
 */

const output = z.object({
  status: z.literal('ok'),
  results: z.array(factOutput),
  cursor: z.string().nullable().describe('Send it to get the next page; null on the last page'),
});

export type FactSearchOutput = z.infer<typeof output>;

export const searchFacts: Operation<FactSearchInput, FactSearchOutput> = {
  name: 'facts_search',
  summary: 'Search the stored facts, newest statement first',
  input: factSearchInput,
  output,
  async run(service, call, input) {
    await factsSettled(service);
    const visibility = visibilityOf(call.principal, { projectId: input.project_id });
    const { cursor, query, limit: asked, ...rest } = input;
    const limit = countWanted(service, asked, { field: 'limit', usual: usualFacts.search });
    const of = { query, limit, ...rest };
    const then = serviceAsOf(service, visibility, momentOf(input.as_of));
    const page = await factPage(then, { visibility, filter: factFilter(input), query, limit, cursor, of });
    return { status: 'ok', results: page.facts.map(presentFact), cursor: page.cursor };
  },
};

interface Request {
  visibility: Visibility;
  filter: FactFilter;
  query?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  /** The request that the cursor belongs to. */
  of: object;
}

/** One page of facts: pinned ones first, then newest statement first; or best match first when there is a query. */
export async function factPage(service: Service, request: Request): Promise<{ facts: Fact[]; cursor: string | null }> {
  return request.query === undefined ? byTime(service, request) : byMatch(service, request, request.query);
}

/** Marks a page end among the pinned facts, which come before all others. */
const amongPinned = 'pinned:';

async function byTime(service: Service, request: Request): Promise<{ facts: Fact[]; cursor: string | null }> {
  const { visibility, filter, limit, of } = request;
  const end = decodePageEnd(request.cursor, of);
  const isAmongPinned = end?.value.startsWith(amongPinned) === true;
  const after = end && { id: end.id, value: isAmongPinned ? end.value.slice(amongPinned.length) : end.value };
  if (after !== undefined && !/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(after.value)) throw unknownCursor();
  const search = (pinned: boolean, page: { limit: number; after?: PageEnd | undefined }) =>
    service.records.facts.search(visibility, { ...filter, pinned }, page);
  const first = end === undefined || isAmongPinned ? await search(true, { limit: limit + 1, after }) : [];
  const rest = limit + 1 - first.length;
  const others = rest > 0 ? await search(false, { limit: rest, after: isAmongPinned ? undefined : after }) : [];
  const found = [...first, ...others];
  const facts = found.slice(0, limit);
  const last = facts.at(-1);
  if (found.length <= limit || last === undefined) return { facts, cursor: null };
  const value = `${first.includes(last) ? amongPinned : ''}${last.stated_at}`;
  return { facts, cursor: encodePageEnd({ value, id: last.id }, of) };
}

async function byMatch(
  service: Service,
  request: Request,
  query: string,
): Promise<{ facts: Fact[]; cursor: string | null }> {
  const position = request.cursor === undefined ? '0' : openCursor(request.cursor, request.of);
  if (!/^\d{1,6}$/.test(position)) throw unknownCursor();
  const offset = Number(position);
  const { visibility, filter, limit } = request;
  const terms = queryTerms(query);
  const wanted = offset + limit + 1;
  const found =
    (await service.records.facts.matching(visibility, filter, { terms, limit: wanted })) ??
    (await scan(service, request, terms));
  const facts = found.slice(offset, offset + limit);
  return { facts, cursor: found.length > offset + limit ? sealCursor(String(offset + limit), request.of) : null };
}

const mostScanned = 5_000;

/** For a store without text lookup: reads the newest facts and matches them here. */
async function scan(service: Service, { visibility, filter }: Request, terms: string[]): Promise<Fact[]> {
  const count = termCounter(terms);
  const facts = await service.records.facts.search(visibility, filter, { limit: mostScanned });
  return facts
    .map((fact) => ({ fact, score: count(factTerms(fact).join(' ')) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ fact }) => fact);
}
