import { type Hit, mostCounted, type WeightedTerm, weightOf } from '../../answers/hit.js';
import type { Question } from '../../answers/question.js';
import { chunkId } from '../../ingestion/hash.js';
import { indexTerms } from '../../language/terms.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { ConversationRow } from '../../records/rows.js';
import { deepest } from '../../retrieval/cursor.js';
import type { Ranked } from '../../retrieval/rank.js';
import { similarityOf } from '../../retrieval/similarity.js';
import { gather, type Plan } from '../search/gather.js';
import { hitsBeside } from '../search/hit-windows.js';
import { hydrate } from '../search/hydrate.js';
import { rankFound } from '../search/rank-found.js';
import type { Service } from '../service.js';
import { unknownAmong } from './unknown-names.js';

/** What was found for a question, and what it takes to judge it. */
export interface FoundHits {
  /** Everything that was found, best first. */
  ranked: Ranked[];
  conversations: Map<string, ConversationRow>;
  /** The turns before the best hits, by the id of the hit's chunk. */
  before: ReadonlyMap<string, Hit>;
  terms: WeightedTerm[];
  unknownNames: string[];
}

/** How many depths a question may walk for as many hits as were asked for, once there are any. */
const mostRounds = 5;

/** A pasted page would be counted word by word: its first distinct words say enough. */
const mostTerms = 24;

export async function findHits(
  service: Service,
  plan: Plan,
  request: { question: Question; filter: ConversationFilter; topK: number },
): Promise<FoundHits> {
  const { ranked, conversations } = await rankedFor(service, plan, request);
  const [before, counts] = await Promise.all([
    turnsBefore(service, plan, { ranked, conversations, topK: request.topK }),
    countsOf(service, plan, ranked),
  ]);
  const { isTimeAlone, timeTerms } = request.question;
  const wanted = isTimeAlone ? [...timeTerms] : plan.terms;
  const terms = wanted.slice(0, mostTerms).map((term): WeightedTerm => {
    const isTime = timeTerms.has(term);
    const forms = plan.verbForms.get(term);
    return {
      term,
      count: counts(term),
      weight: weightOf(counts(term), { isTime }),
      ...(forms === undefined ? {} : { forms }),
      ...(isTime ? { isTime } : {}),
    };
  });
  const unknownNames = await unknownAmong(service, plan, { question: request.question, ranked, conversations });
  return { ranked, conversations, before, terms, unknownNames };
}

/** A ranked chunk in the words of the answer rules. */
export function hitOf(service: Service, chunk: Ranked): Hit {
  const { distance, deep: _, bm25: __, metadataMatch: ___, shares: ____, ...hit } = chunk;
  return distance === undefined ? hit : { ...hit, similarity: similarityOf[service.settings.distance](distance) };
}

async function rankedFor(
  service: Service,
  plan: Plan,
  { filter, topK }: { filter: ConversationFilter; topK: number },
): Promise<{ ranked: Ranked[]; conversations: Map<string, ConversationRow> }> {
  if (plan.conversationIds?.length === 0) return { ranked: [], conversations: new Map() };
  for (let depth = 0; ; depth++) {
    const gathered = await gather(service, plan, depth);
    const { candidates, conversations } = await hydrate(service, plan, gathered, filter);
    const isFar = depth >= deepest || (candidates.length > 0 && depth + 1 >= mostRounds);
    if (candidates.length >= topK || gathered.exhausted || isFar)
      return { ranked: rankFound(service, plan, candidates), conversations };
  }
}

/** A short reply is understood with the turn before it only. */
async function turnsBefore(
  service: Service,
  plan: Plan,
  { ranked, conversations, topK }: Pick<FoundHits, 'ranked' | 'conversations'> & { topK: number },
): Promise<Map<string, Hit>> {
  const known = ranked.map((chunk) => hitOf(service, chunk));
  const hits = known.slice(0, topK);
  const beside = await hitsBeside(service, plan.visibility, { hits, known, conversations, offsets: [-1] });
  const before = new Map<string, Hit>();
  for (const hit of hits) {
    const previous = beside.get(chunkId(hit.conversationId, hit.chunkIndex - 1));
    if (previous !== undefined && previous.messageIndex !== hit.messageIndex) before.set(hit.chunkId, previous);
  }
  return before;
}

/** In how many of the searched chunks each word stands; a store without text lookup counts those that were found. */
async function countsOf(service: Service, plan: Plan, ranked: readonly Ranked[]): Promise<(term: string) => number> {
  const { visibility, conversationIds } = plan;
  const counts = await Promise.all(
    plan.terms.slice(0, mostTerms).map(async (term): Promise<[string, number]> => {
      const terms = [term, ...(plan.verbForms.get(term)?.others ?? [])];
      const hits = await service.records.chunks.searchText(visibility, { terms, conversationIds, limit: mostCounted });
      const isIn = (text: string): boolean => indexTerms(text).some((each) => terms.includes(each));
      return [term, hits?.length ?? ranked.filter(({ text }) => isIn(text)).length];
    }),
  );
  const known = new Map(counts);
  return (term) => known.get(term) ?? 0;
}
