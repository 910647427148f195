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

/** Whether a message passes the query's operators, in steps: it may have a megabyte. */
export type Passes = (message: { text: string; role: Role }, row: ConversationRow) => Steps<boolean>;

/** The query, resolved once for all depths of one request. */
export interface Plan {
  visibility: Visibility;
  terms: string[];
  /** What decides whether a match is strong: all words of the query, and the number of chunks. */
  asked: Asked;
  /** Synonyms of the words, which are searched for but not counted. */
  otherTerms: string[];
  /** The other forms of irregular verbs among the terms; they are also among the synonyms. */
  verbForms: ReadonlyMap<string, VerbForms>;
  /** The whole query, to be matched verbatim; absent if a verbatim match should not rank first. */
  phrase?: Phrase;
  /** Absent when the embedder is down: the search then uses keywords only and says so. */
  vector?: Float32Array;
  /** The query's vector by the reading model; absent if the deep index is not used or the model is down. */
  deep?: Int8Array;
  /** What the query says about people and time. */
  traits: QueryTraits;
  /** The conversations that pass a filter, if they are few enough to pass to the stores. */
  conversationIds?: readonly string[];
  /** Reads all conversations that pass a broad filter; undefined when there are too many to list. */
  idsLeft?: () => Promise<readonly string[] | undefined>;
  /** Phrases that every result must contain: only the text index is searched, and only for them. */
  required?: readonly string[];
  passes?: Passes;
  pageSize: number;
}

/** Chunk ids of both stores in their order, and whether the stores may hold more. */
export interface Gathered {
  /** The rows of the keyword and heading hits, read to derive their points; then those of the nearest chunks. */
  rows: ChunkRow[];
  distances: Map<string, number>;
  scores: Map<string, number>;
  /** The chunks that contain all words of the phrase; undefined when there may be more. */
  phrased: ReadonlySet<string> | undefined;
  /** The keyword hits whose neighbours become candidates, and those that already were at the previous depth. */
  leaders: Set<string>;
  earlierLeaders: Set<string>;
  /** Found at this depth but not at the previous one. */
  fresh: Set<string>;
  /** Everything found at this depth. */
  all: Set<string>;
  exhausted: boolean;
}

const mostTerms = 64;

/** The number of keyword hits whose distance is looked up; later ones cannot compete anyway. */
const mostMeasured = 1_000;

/** How long a search waits for the model before it uses keywords only. */
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

/** How long a search waits for the reading model and its vectors before it continues without them. */
const deepPatience = 15_000;

/** The query's vector by the reading model, once the message vectors are loaded; undefined without them. */
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

/** Loading continues, so the next search benefits from it. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

export function termsOf(query: string): string[] {
  // A pasted page would match everything: its first distinct words are enough.
  return contentTerms(query).slice(0, mostTerms);
}

/** From this depth on, the conversations that pass a broad filter are passed to the stores after all. */
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
    // Keeps the scores of earlier depths, so that strong matches stay strong.
    scores: new Map([...before.scores, ...named.scores]),
    earlierLeaders: new Set([...before.leaders, ...named.earlierLeaders]),
    fresh: new Set([...named.fresh].filter((id) => !before.all.has(id))),
  };
}

/**
 * Each depth requests twice as many candidates from both stores, so the lists of one depth begin with those of the
 * previous one. Pages that proceed depth by depth, starting at the same `first`, therefore neither skip nor repeat
 * results.
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
    // Verbatim matches rank before everything else, so they are needed at the first depth.
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
    // Only once every keyword match has been a leader, so that the result does not depend on the page size.
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

/** Each run once, and no more of them than a query may have terms: each adds to the cost of scoring a row. */
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

/** The nearest chunks by the reading model, with their distances by the embedding model. */
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

/** Held and rejected conversations have no vectors, so only their words find them. */
function mayBeHeld({ visibility }: Plan): boolean {
  return visibility.statuses.some((status) => status !== 'active');
}

interface KeywordHits {
  keyword: { id: string; score: number }[];
  /** The first chunks of conversations whose heading contains a word of the query, even if no message does. */
  headed: string[];
  /** Chunks that may contain the whole query; undefined when this was not checked. */
  phrased: string[] | undefined;
  rows: ChunkRow[];
  /** The true distances of keyword hits, which need not be among the nearest. */
  known: { id: string; distance: number }[];
}

const nothing: KeywordHits = { keyword: [], headed: [], phrased: undefined, rows: [], known: [] };

interface KeywordLimits {
  /** The running vector search, so that the rows of both are read together. */
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

/**
 * Limit on the chunks with all words of a phrase that are examined. With more, the words are so common that ranking
 * decides.
 */
const mostPhrased = 200;

/** The keyword search covers a single word anyway. */
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
