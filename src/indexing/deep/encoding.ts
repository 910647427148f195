import { scopeOf } from '../../model/conversation.js';
import type { Observer } from '../../observability/observer.js';
import type { Reader, Said } from '../../reading/contract.js';
import type { Records } from '../../records/open.js';
import type { ChunkRow, ConversationRow, MessageVectorsRow } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { type ConversationQueue, createConversationQueue } from '../conversation-queue.js';
import { withText } from '../indexer.js';
import type { DeepIndex } from './deep-index.js';
import { type MessageVectors, packed, unpacked } from './shelf.js';

/** Computes the vectors of stored messages in the background. */
export type Encoding = ConversationQueue;

interface EncodingParts {
  records: Records;
  observer: Observer;
  now: () => string;
  reader: Reader;
  /** The fingerprint of the model. */
  model: string;
  index: DeepIndex;
}

/** Vectors are written after this many chunks, so that a restart can resume from there. */
const chunksAtOnce = 128;
/** Keeps a row below the 16 MB limit of document stores. */
const mostVectors = 30_000;
/** Conversations checked for missing vectors at once. */
const pageSize = 200;
const attempts = 3;

export function createEncoding(parts: EncodingParts, options: { catchUp: boolean }): Encoding {
  const { records, model } = parts;
  let after: string | undefined;
  let isThrough = false;

  async function encoded(id: string, isStopped: () => boolean): Promise<void> {
    for (let attempt = 1; !isStopped(); attempt++) {
      try {
        return await encode(parts, id, isStopped);
      } catch (error) {
        // It was extended, forgotten or held; the next attempt reads it again.
        if (!(error instanceof WriteConflict) || attempt === attempts) throw error;
      }
    }
  }

  return createConversationQueue(
    parts.observer,
    {
      failure: 'encoding_failed',
      run: encoded,
      async backlog(failed) {
        if (isThrough) {
          isThrough = false;
          return undefined;
        }
        const { ids, next } = await records.messageVectors.behind(model, { after, limit: pageSize });
        after = next;
        isThrough = next === undefined;
        return ids.filter((id) => !failed.has(id));
      },
    },
    options,
  );
}

async function encode(parts: EncodingParts, id: string, isStopped: () => boolean): Promise<void> {
  const { records, model } = parts;
  const row = await records.conversations.holderOfId(id);
  if (row === undefined || row.memory_status !== 'active') return;
  const chunks = await records.chunks.ofConversation(id);
  const [known] = await records.messageVectors.byIds([id]);
  const isOurs = known?.model === model && known.chunk_count <= row.chunk_count;
  if (isOurs && known.chunk_count === row.chunk_count) return;
  let done = isOurs ? known.chunk_count : 0;
  let made = isOurs ? unpacked(known.vectors, known.vector_count) : nothing;
  do {
    const batch = chunks.slice(done, done + chunksAtOnce);
    const next = await vectorsOf(parts, { batch, before: chunks[done - 1] }, isStopped);
    if (next === undefined) return;
    made = joined(made, next);
    done += batch.length;
    const isDone = done >= chunks.length || made.chunkIndexes.length >= mostVectors;
    await write(parts, row, { made, chunkCount: isDone ? row.chunk_count : done });
    if (isDone) return;
  } while (!isStopped());
}

const nothing: MessageVectors = { chunkIndexes: [], vectors: new Int8Array(0) };

/** One request per part, so that a question never waits for more than one. Undefined when stopped. */
async function vectorsOf(
  { records, reader }: EncodingParts,
  { batch, before }: { batch: readonly ChunkRow[]; before: ChunkRow | undefined },
  isStopped: () => boolean,
): Promise<MessageVectors | undefined> {
  const chunkIndexes: number[] = [];
  const vectors: Int8Array[] = [];
  let previous: Said | undefined;
  for (const { chunk, text } of await withText(records, before === undefined ? batch : [before, ...batch])) {
    const speaker = chunk.speaker ?? chunk.role;
    if (chunk !== before && chunk.index_state !== 'held') {
      for (const part of partsOf(text)) {
        if (isStopped()) return undefined;
        const window = { message: { speaker, text: part }, ...(previous === undefined ? {} : { before: previous }) };
        for (const vector of await reader.messageVectors([window])) {
          chunkIndexes.push(chunk.chunk_index);
          vectors.push(vector);
        }
      }
    }
    previous = { speaker, text };
  }
  return { chunkIndexes, vectors: concatenated(vectors) };
}

/** Writes only if the conversation has not changed since it was read. */
async function write(
  { records, model, index, now }: EncodingParts,
  { id, project_id, at, conversation_hash, chunk_count }: ConversationRow,
  { made, chunkCount }: { made: MessageVectors; chunkCount: number },
): Promise<void> {
  const row: MessageVectorsRow = {
    id,
    scope: scopeOf(project_id, 'active'),
    model,
    at,
    chunk_count: chunkCount,
    vector_count: made.chunkIndexes.length,
    vectors: packed(made),
    written_at: now(),
  };
  const when = { memory_status: 'active', conversation_hash, chunk_count } as const;
  await records.write([
    { kind: 'patch', table: 'conversations', ids: [id], set: {}, when },
    { kind: 'put', table: 'message_vectors', row },
  ]);
  index.put(row);
}

/** At most as many as fit into a row. */
function joined(one: MessageVectors, other: MessageVectors): MessageVectors {
  const chunkIndexes = [...one.chunkIndexes, ...other.chunkIndexes];
  const vectors = concatenated([one.vectors, other.vectors]);
  const dimensions = vectors.length / Math.max(1, chunkIndexes.length);
  return {
    chunkIndexes: chunkIndexes.slice(0, mostVectors),
    vectors: vectors.subarray(0, mostVectors * dimensions),
  };
}

function concatenated(all: readonly Int8Array[]): Int8Array {
  const joined = new Int8Array(all.reduce((length, each) => length + each.length, 0));
  let at = 0;
  for (const each of all) {
    joined.set(each, at);
    at += each.length;
  }
  return joined;
}

/** About as much as the model reads at once. */
const longestPart = 400;
/** Limits the cost of one message. */
const mostParts = 8;
/** A cut before this offset would leave a part with too little content. */
const shortestPart = 200;

/** Boundaries to cut at, the strongest first. */
const ends = [/[.!?…؟۔](?=\s)|[。！？｡\n]/gu, /\s/gu];

/**
 * A short text whole; a long one in parts that end at a sentence, or at least at a word; of a very long one, the first.
 */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length && parts.length < mostParts) {
    const end = text.length - start <= longestPart ? text.length : cutAfter(text, start);
    const part = text.slice(start, end).trim();
    if (part !== '') parts.push(part);
    start = end;
  }
  return parts;
}

function cutAfter(text: string, start: number): number {
  const slice = text.slice(start, start + longestPart + 1);
  for (const end of ends) {
    const places = [...slice.matchAll(end)].map(({ index }) => index + 1);
    const last = places.filter((place) => place <= longestPart).at(-1) ?? 0;
    if (last >= shortestPart) return start + last;
  }
  const isInsidePair = (text.codePointAt(start + longestPart - 1) ?? 0) > 0xffff;
  return start + longestPart - (isInsidePair ? 1 : 0);
}
