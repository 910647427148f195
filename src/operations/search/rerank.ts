import { termCounter } from '../../language/terms.js';
import type { ConversationRow } from '../../records/store.js';
import type { RankedHit } from '../../retrieval/rank.js';
import { reranked } from '../../retrieval/rerank.js';
import type { Service } from '../service.js';
import type { Plan } from './gather.js';
import { bestScores, hitsReranked, likeliest, windowsOf } from './hit-windows.js';

/**
 * How long a search waits for the reading model before it answers in its own order. The first one of a process also waits for
 * the model to be loaded, which takes seconds on a busy machine.
 */
const patience = 15_000;

export interface Reranked {
  ranked: RankedHit[];
  /** Why the order is the old one: the reading model is switched off, or it failed or took too long. */
  without?: 'off' | 'unavailable';
}

/**
 * The best hits in the order in which they answer the query, as the reading model sees it: all by its lower half, the
 * likeliest of them by the whole model, which orders better. Those that hold the whole query word for word come first anyway
 * and keep their order. A reading model that fails costs the new order and nothing else.
 */
export async function rerank(
  service: Service,
  plan: Plan,
  request: {
    query: string;
    ranked: RankedHit[];
    conversations: ReadonlyMap<string, ConversationRow>;
    signal?: AbortSignal | undefined;
  },
): Promise<Reranked> {
  const { query, ranked, conversations } = request;
  if (service.reading === undefined) return { ranked, without: 'off' };
  const hits = ranked.slice(0, hitsReranked).filter(({ exactness = 0 }) => exactness === 0);
  const timeout = AbortSignal.timeout(patience);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
  try {
    const windows = await windowsOf(service, plan.visibility, {
      hits,
      conversations,
      coverageOf: termCounter(plan.terms),
    });
    const readings = await service.reading.reader.readChosen(
      query,
      windows.map(({ window }) => window),
      (ranks) => likeliest(windows, ranks),
      { signal },
    );
    const scores = readings.map(({ rank, reading }) => reading?.relevance ?? rank);
    const logits = new Map([...bestScores(windows, scores)].map(([{ chunkId }, logit]) => [chunkId, logit]));
    return { ranked: reranked(ranked, logits) };
  } catch (error) {
    service.observer.log('warn', 'search_without_rerank', {}, error);
    return { ranked, without: 'unavailable' };
  }
}
