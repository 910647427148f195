import { choosingExcerpts } from '../../answers/quote.js';
import { createTimeSlice, runYielding } from '../../concurrency/yielding.js';
import { chunkId } from '../../ingestion/hash.js';
import { termCounter } from '../../language/terms.js';
import type { Visibility } from '../../model/access.js';
import { timeOf } from '../../model/conversation.js';
import type { Hit } from '../../model/hit.js';
import type { Said, Window } from '../../reading/contract.js';
import { type ConversationRow, messageId } from '../../records/store.js';
import { answering, type RankedHit, reranked } from '../../retrieval/rank.js';
import type { Service } from '../service.js';
import type { Plan } from './gather.js';

/** How many hits are ranked by the lower half of the model; later ones rarely move to the front. */
export const hitsReranked = 15;

/** How many of those the whole model reads: each takes tens of milliseconds, and later ones rarely answer. */
export const hitsRead = 10;

/** A part of a hit as input for the reading model, with the hits around it. */
export interface HitWindow<Of extends Hit = Hit> {
  hit: Of;
  before?: Hit;
  after?: Hit;
  /** The offset of the part in the text of the hit. */
  start: number;
  window: Window;
}

/** The input of the reading model: each hit with its neighbours, and of a long hit its most relevant parts. */
export async function windowsOf<Of extends Hit>(
  service: Service,
  visibility: Visibility,
  request: {
    hits: readonly Of[];
    conversations: ReadonlyMap<string, ConversationRow>;
    coverageOf: (text: string) => number;
  },
): Promise<HitWindow<Of>[]> {
  const { hits, conversations, coverageOf } = request;
  const beside = await hitsBeside(service, visibility, { hits, known: hits, conversations, offsets: [-1, 1] });
  const windows: HitWindow<Of>[] = [];
  const slice = createTimeSlice();
  for (const hit of hits) {
    const before = beside.get(chunkId(hit.conversationId, hit.chunkIndex - 1));
    const after = beside.get(chunkId(hit.conversationId, hit.chunkIndex + 1));
    for (const { start, text } of await runYielding(choosingExcerpts(hit, coverageOf), { slice })) {
      windows.push({
        hit,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        start,
        window: {
          message: { speaker: speakerOf(hit), text },
          ...(before === undefined ? {} : { before: saidBy(before, -mostBeside) }),
          ...(after === undefined ? {} : { after: saidBy(after, 0, mostBeside) }),
        },
      });
    }
  }
  return windows;
}

/** The score of each hit; a long message has the score of its best part. */
function bestScores<Of extends Hit>(
  windows: readonly Pick<HitWindow<Of>, 'hit'>[],
  scores: readonly number[],
): Map<Of, number> {
  const best = new Map<Of, number>();
  for (const [place, { hit }] of windows.entries()) {
    const score = scores[place];
    if (score !== undefined) best.set(hit, Math.max(score, best.get(hit) ?? score));
  }
  return best;
}

/** The indexes of the windows of the hits most likely to answer, by the scores of a ranking. */
export function likeliest(windows: readonly HitWindow[], scores: readonly number[]): number[] {
  const chosen = [...bestScores(windows, scores)]
    .map(([hit, logit]) => ({ hit, score: hit.relevance + answering(logit) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, hitsRead);
  const kept = new Set(chosen.map(({ hit }) => hit));
  return windows.flatMap(({ hit }, place) => (kept.has(hit) ? [place] : []));
}

/** The chunks at these offsets from the hits, by id. Those in `known` are not read again. */
export async function hitsBeside(
  service: Service,
  visibility: Visibility,
  request: {
    hits: readonly Hit[];
    known: readonly Hit[];
    conversations: ReadonlyMap<string, ConversationRow>;
    offsets: readonly number[];
  },
): Promise<Map<string, Hit>> {
  const { hits, conversations, offsets } = request;
  const found = new Map(request.known.map((hit) => [hit.chunkId, hit]));
  const ids = hits.flatMap(({ conversationId, chunkIndex }) =>
    offsets
      .map((offset) => chunkIndex + offset)
      .filter((index) => index >= 0)
      .map((index) => chunkId(conversationId, index)),
  );
  const wanted = [...new Set(ids)].filter((id) => !found.has(id));
  const chunks = await service.records.chunks.byIds(visibility, wanted);
  const messages = await service.records.conversations.messagesAt(chunks);
  for (const chunk of chunks) {
    const message = messages.get(messageId(chunk.conversation_id, chunk.message_index));
    const row = conversations.get(chunk.conversation_id);
    if (message === undefined || row === undefined) continue;
    found.set(chunk.id, {
      chunkId: chunk.id,
      conversationId: chunk.conversation_id,
      chunkIndex: chunk.chunk_index,
      messageIndex: chunk.message_index,
      role: chunk.role,
      ...(chunk.speaker === undefined ? {} : { speaker: chunk.speaker }),
      text: message.text.slice(chunk.start, chunk.end),
      at: timeOf(message, row).at,
      ...(message.timestamp === undefined ? {} : { timestamp: message.timestamp }),
      relevance: 0,
    });
  }
  return found;
}

/** More than the model reads of neighbouring messages. Text sent to its thread is copied, so it is bounded. */
const mostBeside = 1_000;

function saidBy(hit: Hit, ...part: [start: number, end?: number]): Said {
  return { speaker: speakerOf(hit), text: hit.text.slice(...part) };
}

function speakerOf({ speaker, role }: Hit): string {
  return speaker ?? role;
}

/**
 * How long a search waits for the reading model before it keeps its own order. The first search of a process also
 * waits for the model to be loaded, which takes seconds on a busy machine.
 */
const rerankPatience = 15_000;

export interface Reranked {
  ranked: RankedHit[];
  /** Why the results were not re-ranked: the reading model is switched off, or it failed or took too long. */
  without?: 'off' | 'unavailable';
}

/**
 * Re-ranks the best hits by how well they answer the query: all by the lower half of the reading model, the likeliest
 * by the whole model, which orders better. Verbatim matches come first anyway and keep their order. If the reading
 * model fails, the results keep their order.
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
  const timeout = AbortSignal.timeout(rerankPatience);
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
