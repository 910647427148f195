import type { Hit } from '../../answers/hit.js';
import type { ReadHit } from '../../answers/read-hit.js';
import type { Visibility } from '../../model/access.js';
import type { Reader } from '../../reading/contract.js';
import type { ConversationRow } from '../../records/rows.js';
import { answering } from '../../retrieval/rerank.js';
import { bestScores, type HitWindow, windowsOf } from '../search/hit-windows.js';
import { hitsReranked } from '../search/rerank.js';
import type { Service } from '../service.js';

/** How many hits are read: each takes tens of milliseconds, and what comes later seldom answers. */
export const hitsRead = 8;

/** Many questions at once wait for one thread; whoever waits longer than this gets an answer by the words alone. */
const patienceMs = 15_000;

export interface ReadRequest {
  visibility: Visibility;
  question: string;
  hits: readonly Hit[];
  conversations: ReadonlyMap<string, ConversationRow>;
  coverageOf: (text: string) => number;
  /** Choose those that are read from more hits, at half the cost of reading them. */
  rerank: boolean;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal | undefined;
}

/** Reads the best hits for a question, each with its neighbours, in the order of the search. */
export async function readHits(service: Service, reader: Reader, request: ReadRequest): Promise<ReadHit[]> {
  const { visibility, question, conversations, coverageOf, rerank } = request;
  const hits = request.hits.slice(0, rerank ? hitsReranked : hitsRead);
  const all = await windowsOf(service, visibility, { hits, conversations, coverageOf });
  const patience = AbortSignal.timeout(patienceMs);
  const signal = request.signal === undefined ? patience : AbortSignal.any([patience, request.signal]);
  const windows = all.map(({ window }) => window);
  const readings =
    hits.length > hitsRead
      ? await reader.readChosen(question, windows, (scores) => likeliest(all, scores), { signal })
      : await reader.read(question, windows, { signal });
  const best = new Map<Hit, ReadHit>();
  for (const [place, { hit, before, after, start }] of all.entries()) {
    const reading = readings[place];
    if (reading === undefined) continue;
    const { relevance, span } = reading;
    const known = best.get(hit);
    if (known !== undefined && known.relevance >= relevance) continue;
    best.set(hit, {
      hit,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      relevance,
      ...(span === undefined ? {} : { span: { ...span, start: start + span.start, end: start + span.end } }),
    });
  }
  return [...best.values()];
}

/** The places of the windows of the hits that are likeliest to answer. */
function likeliest(windows: readonly HitWindow[], scores: readonly number[]): number[] {
  const chosen = [...bestScores(windows, scores)]
    .map(([hit, logit]) => ({ hit, score: hit.relevance + answering(logit) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, hitsRead);
  const kept = new Set(chosen.map(({ hit }) => hit));
  return windows.flatMap(({ hit }, place) => (kept.has(hit) ? [place] : []));
}
