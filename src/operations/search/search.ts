import { createTimeSlice, refuseIfGone, runYielding, yieldOnce } from '../../concurrency/yielding.js';
import { phraseOf } from '../../language/phrase.js';
import { timeOf } from '../../model/conversation.js';
import { wasSaidWithin } from '../../records/aliases.js';
import { type ConversationRow, messageId } from '../../records/store.js';
import type { Candidate } from '../../retrieval/candidate.js';
import {
  decodeCursor,
  deepest,
  encodeCursor,
  farthestOffset,
  type Position,
  type Start,
} from '../../retrieval/cursor.js';
import type { Group } from '../../retrieval/group.js';
import { type Asked, holdsAny } from '../../retrieval/match.js';
import type { RankedHit } from '../../retrieval/rank.js';
import { type MessageRef, statedFacts } from '../facts/present.js';
import { countWanted } from '../fields.js';
import type { Operation } from '../operation.js';
import type { Service } from '../service.js';
import { type Gathered, gather, type Plan } from './gather.js';
import { type Reranked, rerank } from './hit-windows.js';
import { hydrate, rankFound } from './hydrate.js';
import { longQuery, planFor } from './plan.js';
import { chunksShown, type Entry, entriesOf, matchesOf, presentEntries } from './present.js';
import { type ReadQuery, readQuery } from './query.js';
import { type SearchInput, type SearchOutput, searchInput, searchOutput, usualTopK } from './shapes.js';

export const search: Operation<SearchInput, SearchOutput> = {
  name: 'search',
  summary: 'Ranked matches for a query, with their conversations',
  input: searchInput,
  output: searchOutput,
  async run(service, call, input) {
    const topK = countWanted(service, input.top_k, { field: 'top_k', usual: usualTopK });
    const pageSize = countWanted(service, input.limit, { field: 'limit', usual: topK });
    const read = readQuery(input);
    const { cursor: _, top_k: __, ...asked } = input;
    const request = { ...asked, top_k: topK };
    const start = decodeCursor(input.cursor, request);
    const { filter, text } = read;
    const query = text === '' ? input.query : text;
    const betweenStages = query.length > longQuery ? yieldOnce : () => undefined;
    await betweenStages();
    const phrase = phraseOf(text);
    await betweenStages();
    const wantsRerank = input.rerank ?? (call.rerankByDefault || service.settings.retrieval.rerank);
    const plan = await planFor(
      service,
      call,
      { ...input, query },
      {
        filter,
        pageSize,
        phrase,
        read,
        deep: wantsRerank && text !== '' && input.sort === 'relevance',
      },
    );
    refuseIfGone(call.signal);
    const noFacts = input.include_facts ? { current_facts: [] } : {};
    if (plan.conversationIds?.length === 0) return { status: 'ok', results: [], cursor: null, total: 0, ...noFacts };
    const found = await pageOf(service, plan, { input, read, start, wantsRerank, signal: call.signal });
    refuseIfGone(call.signal);
    const marked = text === '' ? [] : [...plan.terms, ...plan.otherTerms];
    return {
      status: 'ok',
      results: await presentEntries(service, found.entries, input, { terms: marked, asked: found.asked }),
      cursor: found.next === undefined ? null : encodeCursor(found.next, request),
      total: found.total,
      ...(input.include_facts ? { current_facts: await statedFacts(service, plan.visibility, placesOf(found)) } : {}),
      ...diagnosticsOf(plan, found, input),
    };
  },
};

/** The messages to show with the entries of a page. */
function placesOf({ entries }: Page): MessageRef[] {
  return entries.flatMap(({ group }) => group.chunks.slice(0, chunksShown));
}

/** Features that were requested but not available. */
function diagnosticsOf(
  { vector }: Plan,
  { withoutRerank }: Page,
  { rerank: asked }: SearchInput,
): Pick<SearchOutput, 'diagnostics'> {
  // A caller who did not request re-ranking is not told that the reading model is switched off.
  const isTold = withoutRerank === 'unavailable' || (withoutRerank === 'off' && asked === true);
  if (vector !== undefined && !isTold) return {};
  return {
    diagnostics: {
      ...(vector === undefined ? { embedding: 'unavailable', retrieval: 'keywords' } : {}),
      ...(isTold ? { rerank: withoutRerank } : {}),
    },
  };
}

interface Page {
  entries: Entry[];
  next: Position | undefined;
  /** As far as is known. */
  total: number;
  asked: Asked;
  /** Why the results were not re-ranked although this was requested. */
  withoutRerank?: Reranked['without'];
}

interface PageRequest {
  input: SearchInput;
  read: ReadQuery;
  start: Start;
  wantsRerank: boolean;
  signal: AbortSignal | undefined;
}

function pageOf(service: Service, plan: Plan, request: PageRequest): Promise<Page> {
  if (request.read.text === '') return listedPage(service, plan, request);
  return request.input.sort === 'relevance' ? page(service, plan, request) : timePage(service, plan, request);
}

/** The number of depths one request may search to fill its page once it has found something. */
const mostRounds = 5;

/**
 * One page: goes deeper until the page is full and it is known whether another follows, or the stores have no more.
 * An empty page means that there are no results at all, however few candidates pass a broad filter.
 */
async function page(service: Service, plan: Plan, request: PageRequest): Promise<Page> {
  const entries: Entry[] = [];
  let { depth, offset, skip = 0 } = request.start;
  let total = 0;
  let { asked } = plan;
  let withoutRerank: Reranked['without'];
  const pageUpTo = (next: Position | undefined): Page => ({
    entries: inOrder(entries),
    next,
    total,
    asked,
    withoutRerank,
  });
  // Skipping to a numeric offset does not count as searching, so it may take as many rounds as it needs.
  for (let round = 0; round < mostRounds; round += skip > 0 || entries.length === 0 ? 0 : 1) {
    const gathered = await gather(service, plan, depth);
    // A greater depth only adds results after those of the first one.
    const at = await entriesAt(service, plan, gathered, {
      ...request,
      wantsRerank: request.wantsRerank && depth === 0,
    });
    const found = at.fresh;
    total = at.all.length;
    asked = at.asked;
    withoutRerank ??= at.withoutRerank;
    const passed = Math.min(skip, found.length);
    skip -= passed;
    offset += passed;
    const taken = found.slice(offset, offset + plan.pageSize - entries.length);
    entries.push(...taken);
    offset += taken.length;
    if (offset < found.length) return pageUpTo({ depth, offset });
    if (gathered.exhausted || depth >= deepest) return pageUpTo(undefined);
    depth += 1;
    offset = 0;
  }
  return pageUpTo({ depth, offset });
}

/** A greater depth may find better results than earlier ones. */
function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => other.group.relevance - one.group.relevance);
}

/** The number of results that are sorted by time, after relevance has selected them. */
const mostInTime = 200;
const deepestInTime = 4;

/** Strong matches sorted by time, or weak ones if there are no strong ones: not all of the nearest are matches. */
async function timePage(service: Service, plan: Plan, request: PageRequest): Promise<Page> {
  let found: Entry[] = [];
  let { asked } = plan;
  for (let depth = 0; depth <= deepestInTime; depth++) {
    const gathered = await gather(service, plan, depth);
    ({ all: found, asked } = await entriesAt(service, plan, gathered, { ...request, wantsRerank: false }));
    if (gathered.exhausted || found.length >= mostInTime) break;
  }
  const strong = await strongOf(service, asked, found);
  const kept = (strong.length > 0 ? strong : found).slice(0, mostInTime);
  const sign = request.input.sort === 'newest' ? -1 : 1;
  const sorted = kept.toSorted((one, other) => {
    const [first, second] = [one.group.best.at, other.group.best.at];
    return first === second ? 0 : sign * (first < second ? -1 : 1);
  });
  return cut(sorted, plan, { start: request.start, asked });
}

async function listedPage(service: Service, plan: Plan, { input, read, start }: PageRequest): Promise<Page> {
  const from = start.skip ?? start.offset;
  const most = Math.min(farthestOffset, from + plan.pageSize + 1);
  const direction = input.sort === 'oldest' ? 'asc' : 'desc';
  const { ranked, conversations } = await listByTime(service, plan, read, { direction, most });
  const listed = cut(entriesOf(ranked, { mode: input.result_mode, conversations }), plan, {
    start,
    asked: plan.asked,
  });
  const counted = read.passes === undefined && input.result_mode !== 'threads';
  const total = counted ? await service.records.conversations.countVisible(plan.visibility, read.filter) : listed.total;
  return { ...listed, total };
}

function cut(all: Entry[], { pageSize }: Plan, { start, asked }: { start: Start; asked: Asked }): Page {
  const from = start.skip ?? start.offset;
  const entries = all.slice(from, from + pageSize);
  const end = from + entries.length;
  return { entries, next: end < all.length ? { depth: 0, offset: end } : undefined, total: all.length, asked };
}

/** Whether the full-text index contains a word of the query. */
async function askedOf(
  { settings }: Service,
  { asked }: Plan,
  found: { scores: Gathered['scores']; candidates: readonly Candidate[] },
): Promise<Asked> {
  if (!settings.retrieval.keywordEnabled) return { ...asked, isKnown: true };
  const texts = found.candidates.map(({ text }) => text);
  const isKnown =
    found.scores.size > 0 && (await runYielding(holdsAny(asked.words, texts), { slice: createTimeSlice() }));
  return { ...asked, isKnown };
}

async function strongOf(service: Service, asked: Asked, entries: readonly Entry[]): Promise<Entry[]> {
  const matchOf = matchesOf(service, asked);
  const slice = createTimeSlice();
  const strong: Entry[] = [];
  for (const entry of entries) {
    if ((await runYielding(matchOf(entry.group.best, entry), { slice })) === 'strong') strong.push(entry);
  }
  return strong;
}

/** The ranked entries of this depth, and those that it adds. Groups shown by an earlier depth are not shown again. */
async function entriesAt(
  service: Service,
  plan: Plan,
  gathered: Gathered,
  { input, read, signal, wantsRerank }: PageRequest,
): Promise<{ all: Entry[]; fresh: Entry[]; asked: Asked; withoutRerank?: Reranked['without'] }> {
  const { candidates, conversations, fresh } = await hydrate(service, plan, gathered, read.filter);
  refuseIfGone(signal);
  const plain = await rankFound(service, plan, candidates);
  const { ranked, without }: Reranked = wantsRerank
    ? await rerank(service, plan, { query: read.text, ranked: plain, conversations, signal })
    : { ranked: plain };
  const found = entriesOf(ranked, { mode: input.result_mode, conversations });
  const asked = await askedOf(service, plan, { scores: gathered.scores, candidates });
  const all = input.match === 'strong' ? await strongOf(service, asked, found) : found;
  const isFresh = ({ chunks }: Group): boolean => chunks.every(({ chunkId }) => fresh.has(chunkId));
  return { all, fresh: all.filter(({ group }) => isFresh(group)), asked, withoutRerank: without };
}

interface Listed {
  ranked: RankedHit[];
  conversations: Map<string, ConversationRow>;
}

const conversationsAtOnce = 50;
/** Limit on the conversations that one request searches for matching messages. */
const mostConversations = 5_000;

/** A query of operators only has nothing to rank by: it lists the first matching message of each conversation. */
async function listByTime(
  service: Service,
  plan: Pick<Plan, 'visibility'>,
  { filter, passes }: ReadQuery,
  page: { direction: 'asc' | 'desc'; most: number },
): Promise<Listed> {
  const { conversations: records, chunks } = service.records;
  const ranked: RankedHit[] = [];
  const conversations = new Map<string, ConversationRow>();
  const isAnyGood = passes === undefined && filter.saidFrom === undefined && filter.saidTo === undefined;
  let after: { value: string; id: string } | undefined;
  const slice = createTimeSlice();
  for (let seen = 0; seen < mostConversations && ranked.length < page.most; seen += conversationsAtOnce) {
    const rows = await records.inTime(plan.visibility, filter, {
      direction: page.direction,
      limit: conversationsAtOnce,
      after,
    });
    for (const row of rows) {
      const held = await chunks.ofConversation(row.id);
      const looked = isAnyGood ? held.slice(0, 1) : held;
      const messages = await records.messagesAt(looked);
      for (const chunk of looked) {
        const message = messages.get(messageId(row.id, chunk.message_index));
        if (message === undefined || !wasSaidWithin(message, row, filter)) continue;
        const text = message.text.slice(chunk.start, chunk.end);
        if (passes !== undefined && !(await runYielding(passes({ text, role: chunk.role }, row), { slice }))) continue;
        conversations.set(row.id, row);
        ranked.push({
          chunkId: chunk.id,
          conversationId: row.id,
          chunkIndex: chunk.chunk_index,
          messageIndex: chunk.message_index,
          role: chunk.role,
          text,
          at: timeOf(message, row).at,
          ...(message.timestamp === undefined ? {} : { timestamp: message.timestamp }),
          metadataMatch: 0,
          relevance: 0,
          shares: {},
        });
        break;
      }
      if (ranked.length >= page.most) break;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < conversationsAtOnce) break;
    after = { value: last.at, id: last.id };
  }
  return { ranked, conversations };
}
