import { chunkId } from '../../ingestion/hash.js';
import { indexRuns, type Phrase, wholeRun } from '../../language/phrase.js';
import { contentTerms, type VerbForms } from '../../language/query-terms.js';
import type { Visibility } from '../../model/access.js';
import type { Role } from '../../model/conversation.js';
import type { Steps } from '../../model/steps.js';
import type { ChunkRow, ConversationRow } from '../../records/store.js';
import { isOutage } from '../../resilience/breaker.js';
import type { QueryTraits } from '../../retrieval/candidate.js';
import type { Asked } from '../../retrieval/match.js';
import type { Service } from '../service.js';

/** Whether a message is one that the query's operators leave, in steps: it may have a megabyte. */
export type Passes = (message: { text: string; role: Role }, row: ConversationRow) => Steps<boolean>;

/** What to look for, resolved once for all depths of one request. */
export interface Plan {
  visibility: Visibility;
  terms: string[];
  /** What a result is judged by: all words of the query, and how many chunks there are. */
  asked: Asked;
  /** The same under other names, which are looked for and not counted. */
  otherTerms: string[];
  /** The other forms of irregular verbs among the terms; they are among the other terms too. */
  verbForms: ReadonlyMap<string, VerbForms>;
  /** The whole query, to be found word for word; absent where that is no reason to rank first. */
  phrase?: Phrase;
  /** Absent when the embedder is down: the search then runs on keywords alone and says so. */
  vector?: Float32Array;
  /** The query's vector by the reading model; absent where the deep index is not asked, or the model is down. */
  deep?: Int8Array;
  /** What the query says about people and time. */
  traits: QueryTraits;
  /** The conversations a filter leaves, when they are few enough to hand to the stores. */
  conversationIds?: readonly string[];
  /** Of a broad filter: all that it leaves, or undefined when they are too many to name. Read when it is asked for. */
  idsLeft?: () => Promise<readonly string[] | undefined>;
  /** Phrases that every result must contain: the text index finds those, and nothing else is looked for. */
  required?: readonly string[];
  passes?: Passes;
  pageSize: number;
}

/** Chunk ids of both stores in their order, and whether the stores may hold more. */
export interface Gathered {
  /** The rows of the keyword hits and of what headings found, read to know their points; then those of the nearest. */
  rows: ChunkRow[];
  distances: Map<string, number>;
  scores: Map<string, number>;
  /** Those that hold all words of the phrase; undefined when there may be more than these. */
  phrased: ReadonlySet<string> | undefined;
  /** The keyword hits that bring their neighbours along, and those of them that did at the depth before. */
  leaders: Set<string>;
  earlierLeaders: Set<string>;
  /** Found at this depth but not at the one before: what this depth adds. */
  fresh: Set<string>;
  /** Everything that was found at this depth. */
  all: Set<string>;
  exhausted: boolean;
}

const mostTerms = 64;

/** Keyword hits whose distance is asked for; those that come after so many are no match for it anyway. */
const mostMeasured = 1_000;

/** How long a search waits for the model before keywords answer alone. */
const patience = 5_000;

/** Embeds the query; undefined when the model is down or too slow, because keywords can still answer. */
export async function embedQuery(service: Service, query: string): Promise<Float32Array | undefined> {
  const signal = AbortSignal.timeout(patience);
  try {
    return (await service.embedder.embed([query], { signal }))[0];
  } catch (error) {
    if (!service.settings.retrieval.keywordEnabled || !isOutage(error)) throw error;
    service.observer.log('warn', 'search_without_embedding', {}, error);
    return undefined;
  }
}

/** How long a search waits for the reading model and its vectors before it goes without them. */
const deepPatience = 15_000;

/** The query's vector by the reading model, once the vectors of the messages are there; undefined without them. */
export async function deepVector(
  service: Service,
  query: string,
  { scopes, signal: gone }: { scopes: readonly string[]; signal: AbortSignal | undefined },
): Promise<Int8Array | undefined> {
  const { deep, reading } = service;
  if (deep === undefined || reading === undefined) return undefined;
  const timeout = AbortSignal.timeout(deepPatience);
  const signal = gone === undefined ? timeout : AbortSignal.any([timeout, gone]);
  try {
    const [vector] = await Promise.all([
      reading.reader.questionVector(query, { signal }),
      unlessAborted(deep.ready(scopes), signal),
    ]);
    return vector;
  } catch (error) {
    service.observer.log('warn', 'search_without_deep_index', {}, error);
    return undefined;
  }
}

/** What is under way goes on for the next search. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

export function termsOf(query: string): string[] {
  // A pasted page would match everything: its first distinct words say enough.
  return contentTerms(query).slice(0, mostTerms);
}

/** Where so few of the nearest pass a broad filter, the conversations it leaves are named after all. */
const namedFrom = 3;

/** The candidates of one depth. */
export async function gather(service: Service, plan: Plan, depth: number): Promise<Gathered> {
  const conversationIds = depth < namedFrom ? undefined : await plan.idsLeft?.();
  if (conversationIds === undefined) return gatherAt(service, plan, { depth, first: 0 });
  const [before, named] = await Promise.all([
    gatherAt(service, plan, { depth: namedFrom - 1, first: 0 }),
    gatherAt(service, { ...plan, conversationIds }, { depth, first: namedFrom }),
  ]);
  return {
    ...named,
    // What is a strong match stays what it was at the depths before.
    scores: new Map([...before.scores, ...named.scores]),
    earlierLeaders: new Set([...before.leaders, ...named.earlierLeaders]),
    fresh: new Set([...named.fresh].filter((id) => !before.all.has(id))),
  };
}

/**
 * Each depth asks both stores for twice as many, so the lists of one depth begin with those of the depth before: pages
 * that walk depth by depth, from the `first` that asked in this way, neither skip nor repeat.
 */
async function gatherAt(
  service: Service,
  plan: Plan,
  { depth, first: firstDepth }: { depth: number; first: number },
): Promise<Gathered> {
  if (plan.required !== undefined && plan.required.length > 0) {
    const holders = await gatherHolders(service, plan, plan.required, depth);
    if (holders !== undefined) return holders;
  }
  const { retrieval } = service.settings;
  const factor = 2 ** depth;
  const vectorLimit = plan.pageSize * retrieval.candidateMultiplier * factor;
  const mostLeaders = retrieval.keywordCandidateLimit * factor;
  const keywordLimit = mostLeaders * retrieval.candidateMultiplier;
  const headingLimit = plan.pageSize * factor;
  const nearest = searchVectors(service, plan, vectorLimit);
  const [within, { keyword, headed, phrased, rows: found, known }, deep] = await Promise.all([
    nearest,
    retrieval.keywordEnabled || mayBeHeld(plan)
      ? searchKeywords(service, plan, { nearest, keywordLimit, headingLimit })
      : nothing,
    searchDeep(service, plan, vectorLimit),
  ]);
  const distances = new Map([...known, ...deep.known, ...within].map(({ id, distance }) => [id, distance]));
  const rows = [...new Map([...found, ...deep.rows].map((row) => [row.id, row])).values()];
  const scores = new Map(keyword.map(({ id, score }) => [id, score]));
  const isFirst = depth === firstDepth;
  const earlier = isFirst ? 0 : 0.5;
  const first = (count: number): Set<string> => new Set(keyword.slice(0, count).map(({ id }) => id));
  const shown = new Set([
    // Whatever holds the whole query is shown before all else, so at the first depth.
    ...(isFirst ? [] : (phrased ?? [])),
    ...within.slice(0, vectorLimit * earlier).map(({ id }) => id),
    ...first(keywordLimit * earlier),
    ...headed.slice(0, headingLimit * earlier),
    ...deep.ids.slice(0, vectorLimit * earlier),
  ]);
  const all = new Set([...within.map(({ id }) => id), ...scores.keys(), ...headed, ...(phrased ?? []), ...deep.ids]);
  return {
    rows,
    distances,
    scores,
    phrased: phrased !== undefined && phrased.length < mostPhrased ? new Set(phrased) : undefined,
    leaders: first(mostLeaders),
    earlierLeaders: first(mostLeaders * earlier),
    fresh: new Set([...all].filter((id) => !shown.has(id))),
    all,
    // Not before every keyword match was a leader: the whole must not depend on the size of the pages.
    exhausted:
      within.length < vectorLimit &&
      keyword.length <= mostLeaders &&
      headed.length < headingLimit &&
      deep.ids.length < vectorLimit,
  };
}

/** Chunks that may contain every required phrase. Undefined when the store has no text lookup. */
async function gatherHolders(
  service: Service,
  { visibility, conversationIds, terms, vector }: Plan,
  required: readonly string[],
  depth: number,
): Promise<Gathered | undefined> {
  const limit = mostPhrased * 2 ** depth;
  const { chunks } = service.records;
  const runs = distinctRuns(required.flatMap(indexRuns));
  const [ids, scored = []] = await Promise.all([
    chunks.searchRuns(visibility, { runs, conversationIds, limit }),
    chunks.searchText(visibility, { terms, conversationIds, limit }),
  ]);
  if (ids === undefined) return undefined;
  const rows = await chunks.byIds(visibility, ids);
  const known = vector === undefined ? [] : await service.vectors.distancesOf(vector, rows, visibility.scopes);
  const all = new Set(ids);
  return {
    rows,
    distances: new Map(known.map(({ id, distance }) => [id, distance])),
    scores: new Map(scored.filter(({ id }) => all.has(id)).map(({ id, score }) => [id, score])),
    phrased: undefined,
    leaders: new Set(),
    earlierLeaders: new Set(),
    fresh: new Set(depth === 0 ? ids : ids.slice(limit / 2)),
    all,
    exhausted: ids.length < limit,
  };
}

/** Each run once, and no more of them than a query has terms: every one adds to the cost of scoring each row. */
function distinctRuns(runs: readonly string[][]): string[][] {
  return [...new Map(runs.map((run) => [run.join(' '), run])).values()].slice(0, mostTerms);
}

async function searchVectors(service: Service, plan: Plan, limit: number): Promise<{ id: string; distance: number }[]> {
  if (plan.vector === undefined) return [];
  const where = { scopes: plan.visibility.scopes, ...only(plan.conversationIds) };
  const near = await service.vectors.search(plan.vector, { limit, where });
  return near.filter(({ distance }) => distance <= service.settings.retrieval.vectorScoreThreshold);
}

interface DeepHits {
  ids: string[];
  rows: ChunkRow[];
  known: { id: string; distance: number }[];
}

/** What the reading model finds nearest, with the distances by the other model. */
async function searchDeep(service: Service, plan: Plan, limit: number): Promise<DeepHits> {
  const { deep: vector, visibility, conversationIds } = plan;
  if (vector === undefined || service.deep === undefined) return { ids: [], rows: [], known: [] };
  const near = await service.deep.nearest(vector, { scopes: visibility.scopes, conversationIds, limit });
  const ids = near.map(({ id }) => id);
  const rows = await service.records.chunks.byIds(visibility, ids);
  const stored = new Set(rows.map(({ id }) => id));
  // Forgotten by another process.
  for (const { id, conversationId } of near) if (!stored.has(id)) service.deep.remove(conversationId);
  const known =
    plan.vector === undefined ? [] : await service.vectors.distancesOf(plan.vector, rows, visibility.scopes);
  return { ids, rows, known };
}

/** What waits for review or was rejected has no vectors: only its words find it. */
function mayBeHeld({ visibility }: Plan): boolean {
  return visibility.statuses.some((status) => status !== 'active');
}

interface KeywordHits {
  keyword: { id: string; score: number }[];
  /** The first chunks of conversations whose heading holds a word of the query: no turn of theirs need hold it. */
  headed: string[];
  /** Those that may contain the whole query; undefined when this was not checked. */
  phrased: string[] | undefined;
  rows: ChunkRow[];
  /** Their true distances: a keyword hit need not be a near neighbour. */
  known: { id: string; distance: number }[];
}

const nothing: KeywordHits = { keyword: [], headed: [], phrased: undefined, rows: [], known: [] };

interface KeywordLimits {
  /** The vector search under way: rows of both are read at once. */
  nearest: Promise<{ id: string }[]>;
  keywordLimit: number;
  headingLimit: number;
}

async function searchKeywords(
  service: Service,
  plan: Plan,
  { nearest, keywordLimit, headingLimit }: KeywordLimits,
): Promise<KeywordHits> {
  const { terms, conversationIds, visibility, vector } = plan;
  const { chunks, headings } = service.records;
  const [found = [], named, phrased, near] = await Promise.all([
    chunks.searchText(visibility, { terms: [...terms, ...plan.otherTerms], conversationIds, limit: keywordLimit }),
    headings.search(visibility, { terms, conversationIds, limit: headingLimit }),
    phrasesOf(service, plan),
    nearest,
  ]);
  const headed = named.map((id) => chunkId(id, 0));
  const ids = found.map(({ id }) => id);
  const held = new Set([...ids, ...headed, ...(phrased ?? [])]);
  const read = await chunks.byIds(visibility, [...new Set([...held, ...near.map(({ id }) => id)])]);
  const rows = [...read.filter(({ id }) => held.has(id)), ...read.filter(({ id }) => !held.has(id))];
  if (vector === undefined) return { keyword: found, headed, phrased, rows, known: [] };
  const first = new Set([...ids.slice(0, mostMeasured), ...headed, ...(phrased ?? [])]);
  const measured = rows.filter(({ id }) => first.has(id));
  const known = await service.vectors.distancesOf(vector, measured, visibility.scopes);
  return { keyword: found, headed, phrased, rows, known };
}

/** Chunks with all words of a phrase that are looked at. The words of more are so common that the order decides. */
const mostPhrased = 200;

/** One word is what the keyword search looks for anyway. */
async function phrasesOf({ records }: Service, { phrase, visibility, conversationIds }: Plan) {
  if (phrase === undefined || !/ /.test(phrase.words)) return undefined;
  const look = (runs: string[][]) =>
    records.chunks.searchRuns(visibility, { runs, conversationIds, limit: mostPhrased });
  const found = await look(indexRuns(phrase.typed));
  if (found === undefined || found.length < mostPhrased) return found;
  return [...new Set([...((await look([wholeRun(phrase.typed)])) ?? []), ...found])];
}

function only(conversationIds: readonly string[] | undefined): { conversationIds?: readonly string[] } {
  return conversationIds === undefined ? {} : { conversationIds };
}
