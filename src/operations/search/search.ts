import { phraseOf } from '../../language/phrase.js';
import type { ConversationFilter } from '../../records/conversations.js';
import { decodeCursor, deepest, encodeCursor, type Position, type Start } from '../../retrieval/cursor.js';
import type { Group } from '../../retrieval/group.js';
import { filterOf } from '../conversation-filter.js';
import type { Operation } from '../operation.js';
import { countWanted } from '../page-size.js';
import type { Service } from '../service.js';
import { entriesOf } from './entries.js';
import { gather, type Plan } from './gather.js';
import { hydrate } from './hydrate.js';
import { type SearchInput, searchInput, usualTopK } from './input.js';
import { type SearchOutput, searchOutput } from './output.js';
import { planFor } from './plan.js';
import { type Entry, presentEntries } from './present.js';
import { rankFound } from './rank-found.js';

export const search: Operation<SearchInput, SearchOutput> = {
  name: 'search',
  summary: 'Ranked matches for a query, with their conversations',
  scope: 'memory:read',
  input: searchInput,
  output: searchOutput,
  async run(service, call, input) {
    const topK = countWanted(service, input.top_k, { field: 'top_k', usual: usualTopK });
    const pageSize = countWanted(service, input.limit, { field: 'limit', usual: topK });
    const filter = filterOf(input);
    const { cursor: _, top_k: __, ...asked } = input;
    const request = { ...asked, top_k: topK };
    const start = decodeCursor(input.cursor, request);
    const plan = await planFor(service, call, input, { filter, pageSize, phrase: phraseOf(input.query) });
    if (plan.conversationIds?.length === 0) return { status: 'ok', results: [], cursor: null };
    const { entries, next } = await page(service, plan, { input, filter, start });
    return {
      status: 'ok',
      results: await presentEntries(service, entries, input, plan.terms),
      cursor: next === undefined ? null : encodeCursor(next, request),
      ...(plan.vector === undefined ? { diagnostics: { embedding: 'unavailable', retrieval: 'keywords' } } : {}),
    };
  },
};

/** How many depths one request may walk to fill its page once it found something. */
const mostRounds = 5;

/**
 * One page: goes deeper while the page is not full and the stores may hold more, and once it is full until it is known
 * that something comes after it. "No results" is said only when there are none, however little a broad filter leaves of
 * what the stores found.
 */
async function page(
  service: Service,
  plan: Plan,
  request: { input: SearchInput; filter: ConversationFilter; start: Start },
): Promise<{ entries: Entry[]; next: Position | undefined }> {
  const entries: Entry[] = [];
  let { depth, offset, skip = 0 } = request.start;
  // The way to a counted place is not searching for results, so it takes as many rounds as it needs.
  for (let round = 0; round < mostRounds; round += skip > 0 || entries.length === 0 ? 0 : 1) {
    const gathered = await gather(service, plan, depth);
    const found = await entriesAt(service, plan, gathered, request);
    const passed = Math.min(skip, found.length);
    skip -= passed;
    offset += passed;
    const taken = found.slice(offset, offset + plan.pageSize - entries.length);
    entries.push(...taken);
    offset += taken.length;
    if (offset < found.length) return { entries: inOrder(entries), next: { depth, offset } };
    if (gathered.exhausted || depth >= deepest) return { entries: inOrder(entries), next: undefined };
    depth += 1;
    offset = 0;
  }
  return { entries: inOrder(entries), next: { depth, offset } };
}

/** What a greater depth found may be better than what was found before it. */
function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => other.group.relevance - one.group.relevance);
}

/** The ranked entries that this depth adds. A group that an earlier depth showed is not shown again. */
async function entriesAt(
  service: Service,
  plan: Plan,
  gathered: Awaited<ReturnType<typeof gather>>,
  { input, filter }: { input: SearchInput; filter: ConversationFilter },
): Promise<Entry[]> {
  const { candidates, conversations, fresh } = await hydrate(service, plan, gathered, filter);
  const ranked = rankFound(service, plan, candidates);
  const keep = (group: Group): boolean => group.chunks.every(({ chunkId }) => fresh.has(chunkId));
  return entriesOf(ranked, { mode: input.result_mode, conversations, keep });
}
