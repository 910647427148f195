import type { Hit } from '../../answers/hit.js';
import { excerptsOf, type ReadHit } from '../../answers/read-hit.js';
import { chunkId } from '../../ingestion/hash.js';
import type { Visibility } from '../../model/access.js';
import type { Reader, Said, Window } from '../../reading/contract.js';
import { messageId } from '../../records/rows.js';
import type { Service } from '../service.js';

/** How many hits are read: each takes tens of milliseconds, and what comes later seldom answers. */
export const hitsRead = 8;

/** Reads the best hits for a question, each with its neighbours. */
export async function readHits(
  service: Service,
  reader: Reader,
  request: {
    visibility: Visibility;
    question: string;
    hits: readonly Hit[];
    coverageOf: (text: string) => number;
  },
): Promise<ReadHit[]> {
  const hits = request.hits.slice(0, hitsRead);
  const beside = await neighboursOf(service, request.visibility, hits);
  const windows = hits.flatMap((hit) => {
    const before = beside.get(chunkId(hit.conversationId, hit.chunkIndex - 1));
    const after = beside.get(chunkId(hit.conversationId, hit.chunkIndex + 1));
    return excerptsOf(hit, request.coverageOf).map(({ start, text }) => {
      const window: Window = {
        message: { speaker: speakerOf(hit), text },
        ...(before === undefined ? {} : { before: saidBy(before) }),
        ...(after === undefined ? {} : { after: saidBy(after) }),
      };
      return { hit, before, after, start, window };
    });
  });
  const readings = await reader.read(
    request.question,
    windows.map(({ window }) => window),
  );
  const best = new Map<Hit, ReadHit>();
  for (const [place, { hit, before, after, start }] of windows.entries()) {
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

function saidBy(hit: Hit): Said {
  return { speaker: speakerOf(hit), text: hit.text };
}

function speakerOf({ speaker, role }: Hit): string {
  return speaker ?? role;
}

/** The chunks directly before and after the hits, by their ids. */
async function neighboursOf(service: Service, visibility: Visibility, hits: readonly Hit[]): Promise<Map<string, Hit>> {
  const known = new Map(hits.map((hit) => [hit.chunkId, hit]));
  const places = hits.flatMap((hit) =>
    [hit.chunkIndex - 1, hit.chunkIndex + 1]
      .filter((index) => index >= 0)
      .map((index) => [chunkId(hit.conversationId, index), hit] as const),
  );
  const wanted = new Map(places.filter(([id]) => !known.has(id)));
  const chunks = await service.records.chunks.byIds(visibility, [...wanted.keys()]);
  const messages = await service.records.conversations.messagesAt(chunks);
  for (const chunk of chunks) {
    const message = messages.get(messageId(chunk.conversation_id, chunk.message_index));
    const beside = wanted.get(chunk.id);
    if (message === undefined || beside === undefined) continue;
    known.set(chunk.id, {
      chunkId: chunk.id,
      conversationId: chunk.conversation_id,
      chunkIndex: chunk.chunk_index,
      messageIndex: chunk.message_index,
      role: chunk.role,
      ...(chunk.speaker === undefined ? {} : { speaker: chunk.speaker }),
      text: message.text.slice(chunk.start, chunk.end),
      at: beside.at,
      relevance: 0,
    });
  }
  return known;
}
