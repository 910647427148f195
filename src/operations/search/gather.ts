import { contentTerms } from '../../language/stop-words.js';
import type { Visibility } from '../../model/access.js';
import { MemoryError } from '../../model/errors.js';
import type { Service } from '../service.js';

/** What to look for, resolved once for all depths of one request. */
export interface Plan {
  visibility: Visibility;
  terms: string[];
  /** Absent when the embedder is down: the search then runs on keywords alone and says so. */
  vector?: Float32Array;
  /** The conversations a filter leaves, when they are few enough to hand to the stores. */
  conversationIds?: readonly string[];
  pageSize: number;
}

/** Chunk ids of both stores in their order, and whether the stores may hold more. */
export interface Gathered {
  distances: Map<string, number>;
  scores: Map<string, number>;
  /** Found at this depth but not at the one before: what this depth adds. */
  fresh: Set<string>;
  exhausted: boolean;
}

/** Embeds the query; undefined when the model is down, because keywords can still answer. */
export async function embedQuery(service: Service, query: string): Promise<Float32Array | undefined> {
  try {
    return (await service.embedder.embed([query]))[0];
  } catch (error) {
    if (!(error instanceof MemoryError) || !service.settings.retrieval.keywordEnabled) throw error;
    service.observer.log('warn', 'search_without_embedding', { code: error.code }, error);
    return undefined;
  }
}

export function termsOf(query: string): string[] {
  // A pasted page would match everything: its first distinct words say enough.
  return contentTerms(query).slice(0, 64);
}

/**
 * The candidates of one depth. Each depth asks both stores for twice as many, so the lists of one depth begin with
 * those of the depth before: pages that walk depth by depth neither skip nor repeat.
 */
export async function gather(service: Service, plan: Plan, depth: number): Promise<Gathered> {
  const { retrieval } = service.settings;
  const factor = 2 ** depth;
  const vectorLimit = plan.pageSize * retrieval.candidateMultiplier * factor;
  const keywordLimit = retrieval.keywordCandidateLimit * factor;
  const [near, keyword] = await Promise.all([
    searchVectors(service, plan, vectorLimit),
    retrieval.keywordEnabled ? searchKeywords(service, plan, keywordLimit) : [],
  ]);
  const within = near.filter(({ distance }) => distance <= retrieval.vectorScoreThreshold);
  const distances = new Map(within.map(({ id, distance }) => [id, distance]));
  const scores = new Map(keyword.map(({ id, score }) => [id, score]));
  const earlier = depth === 0 ? 0 : 0.5;
  const shown = new Set([
    ...within.slice(0, vectorLimit * earlier).map(({ id }) => id),
    ...keyword.slice(0, keywordLimit * earlier).map(({ id }) => id),
  ]);
  const all = [...distances.keys(), ...scores.keys()];
  return {
    distances: await withMissing(service, plan, distances, [...scores.keys()]),
    scores,
    fresh: new Set(all.filter((id) => !shown.has(id))),
    exhausted: within.length < vectorLimit && keyword.length < keywordLimit,
  };
}

async function searchVectors(service: Service, plan: Plan, limit: number): Promise<{ id: string; distance: number }[]> {
  if (plan.vector === undefined) return [];
  const where = { scopes: plan.visibility.scopes, ...only(plan.conversationIds) };
  return service.vectors.search(plan.vector, { limit, where });
}

async function searchKeywords(service: Service, plan: Plan, limit: number): Promise<{ id: string; score: number }[]> {
  const { terms, conversationIds } = plan;
  return (await service.records.chunks.searchText(plan.visibility, { terms, conversationIds, limit })) ?? [];
}

/** A keyword hit that was no near neighbour gets its true distance too. */
async function withMissing(
  service: Service,
  plan: Plan,
  distances: Map<string, number>,
  keywordIds: readonly string[],
): Promise<Map<string, number>> {
  const missing = keywordIds.filter((id) => !distances.has(id)).slice(0, 1_000);
  if (plan.vector === undefined || missing.length === 0) return distances;
  const where = { scopes: plan.visibility.scopes, ids: missing };
  const hits = await service.vectors.search(plan.vector, { limit: missing.length, where });
  return new Map([...distances, ...hits.map(({ id, distance }) => [id, distance] as const)]);
}

function only(conversationIds: readonly string[] | undefined): { conversationIds?: readonly string[] } {
  return conversationIds === undefined ? {} : { conversationIds };
}
