import type { TimeSlice } from '../../concurrency/yielding.js';

/** A conversation whose vectors are held. */
interface Conversation {
  id: string;
  /** The time of the conversation. */
  at: string;
  writtenAt: string;
}

interface NearestChunk {
  conversationId: string;
  chunkIndex: number;
  likeness: number;
}

/** The vectors of one scope, with search over them. */
export interface Shelf {
  /** The number of vectors held. */
  size(): number;
  isFull(): boolean;
  /** Rejects conversations up to this time, because there is no room for them. */
  closeAt(at: string): void;
  /** Whether replaced vectors take up most of the memory. */
  isWorn(): boolean;
  /** Whether this version of a conversation should be added. */
  lacks(head: { id: string; at: string; written_at: string }): boolean;
  put(conversation: Conversation, vectors: MessageVectors): void;
  remove(conversationId: string): void;
  nearest(
    vector: Int8Array,
    query: { conversationIds?: readonly string[] | undefined; limit: number; slice: TimeSlice },
  ): Promise<NearestChunk[]>;
  likenessOf(vector: Int8Array, conversationId: string, chunkIndex: number): number | undefined;
}

/** Its vectors are in consecutive rows. */
interface Entry extends Conversation {
  first: number;
  count: number;
}

/** Rows per block. A full block is followed by another one, so rows are never copied. */
const blockRows = 4_096;
const rowsBetweenLooks = 512;
/** The dot product of two equal unit vectors: 1.0 is quantized to 127. */
const unit = 127 * 127;
/** Rounding makes some products slightly larger than `unit`; beyond this the data is damaged. */
const largestProduct = unit * 2;
/** With fewer replaced rows than this, reloading is not worthwhile. */
const fewRows = 4 * blockRows;

interface Block {
  vectors: Int8Array;
  owners: (Entry | undefined)[];
  chunkIndexes: Uint32Array;
}

/** Beyond `most` vectors, those of the oldest conversations are dropped. */
export function createShelf(most: number): Shelf {
  const entries = new Map<string, Entry>();
  const blocks: Block[] = [];
  let dimensions = 0;
  let end = 0;
  let live = 0;
  /** Conversations up to this time were dropped. */
  let floor = '';

  function blockAt(row: number): Block {
    const place = Math.floor(row / blockRows);
    const block = blocks[place] ?? {
      vectors: new Int8Array(blockRows * dimensions),
      owners: [],
      chunkIndexes: new Uint32Array(blockRows),
    };
    blocks[place] = block;
    return block;
  }

  function free(entry: Entry): void {
    entries.delete(entry.id);
    live -= entry.count;
    for (let row = entry.first; row < entry.first + entry.count; row++) {
      blockAt(row).owners[row % blockRows] = undefined;
    }
  }

  /** Drops slightly more than needed, so that not every new conversation has to search for the oldest. */
  function dropOldest(): void {
    for (const entry of [...entries.values()].sort((one, other) => (one.at < other.at ? -1 : 1))) {
      if (live <= most * 0.95) return;
      free(entry);
      floor = entry.at;
    }
  }

  /** The dot products for some conversations, the best per chunk: rows of one chunk are adjacent. */
  async function scan(
    vector: Int8Array,
    spans: Iterable<{ first: number; end: number }>,
    { slice, offer }: { slice: TimeSlice; offer: (entry: Entry, chunkIndex: number, product: number) => void },
  ): Promise<void> {
    let open: { entry: Entry; chunkIndex: number; product: number } | undefined;
    for (const span of spans) {
      for (let row = span.first; row < span.end; row++) {
        if (row % rowsBetweenLooks === 0 && slice.isOver()) await slice.yield();
        const block = blockAt(row);
        const place = row % blockRows;
        const entry = block.owners[place];
        if (entry === undefined) continue;
        const chunkIndex = block.chunkIndexes[place] ?? 0;
        const product = within(productOf(vector, block.vectors, place * dimensions));
        if (open !== undefined && open.entry === entry && open.chunkIndex === chunkIndex) {
          if (product > open.product) open.product = product;
          continue;
        }
        if (open !== undefined) offer(open.entry, open.chunkIndex, open.product);
        open = { entry, chunkIndex, product };
      }
    }
    if (open !== undefined) offer(open.entry, open.chunkIndex, open.product);
  }

  function spansOf(conversationIds: readonly string[] | undefined): Iterable<{ first: number; end: number }> {
    if (conversationIds === undefined) return [{ first: 0, end }];
    return [...new Set(conversationIds)]
      .flatMap((id) => entries.get(id) ?? [])
      .map(({ first, count }) => ({ first, end: first + count }));
  }

  return {
    size: () => live,
    isFull: () => live >= most * 0.95,
    closeAt(at) {
      floor = at;
    },
    isWorn: () => end - live > live + fewRows,
    lacks: ({ id, at, written_at }) => at > floor && (entries.get(id)?.writtenAt ?? '') < written_at,

    put({ id, at, writtenAt }, { chunkIndexes, vectors }) {
      const before = entries.get(id);
      if (before !== undefined && before.writtenAt > writtenAt) return;
      if (before !== undefined) free(before);
      const count = chunkIndexes.length;
      if (dimensions === 0 && count > 0) dimensions = vectors.length / count;
      // Damaged: the length does not match.
      if (vectors.length !== count * dimensions) return;
      const entry: Entry = { id, at, writtenAt, first: end, count };
      for (const [place, chunkIndex] of chunkIndexes.entries()) {
        const block = blockAt(end);
        const row = end % blockRows;
        block.vectors.set(vectors.subarray(place * dimensions, (place + 1) * dimensions), row * dimensions);
        block.owners[row] = entry;
        block.chunkIndexes[row] = chunkIndex;
        end += 1;
      }
      entries.set(id, entry);
      live += count;
      if (live > most) dropOldest();
    },

    remove(conversationId) {
      const entry = entries.get(conversationId);
      if (entry !== undefined) free(entry);
    },

    async nearest(vector, { conversationIds, limit, slice }) {
      if (vector.length !== dimensions || limit <= 0) return [];
      const found: { entry: Entry; chunkIndex: number; product: number }[] = [];
      const counts = new Uint32Array(2 * largestProduct + 1);
      let least = -largestProduct;
      let above = 0;
      await scan(vector, spansOf(conversationIds), {
        slice,
        offer(entry, chunkIndex, product) {
          if (product < least) return;
          found.push({ entry, chunkIndex, product });
          counts[product + largestProduct] = (counts[product + largestProduct] ?? 0) + 1;
          above += 1;
          // Once there are enough without those of the lowest product, these cannot be among the nearest.
          for (let lowest = counts[least + largestProduct] ?? 0; above - lowest >= limit; ) {
            above -= lowest;
            least += 1;
            lowest = counts[least + largestProduct] ?? 0;
          }
        },
      });
      return found
        .filter(({ product }) => product >= least)
        .sort(byProduct)
        .slice(0, limit)
        .map(({ entry, chunkIndex, product }) => ({
          conversationId: entry.id,
          chunkIndex,
          likeness: product / unit,
        }));
    },

    likenessOf(vector, conversationId, chunkIndex) {
      const entry = entries.get(conversationId);
      if (entry === undefined || vector.length !== dimensions) return undefined;
      let best: number | undefined;
      for (let row = firstOf(entry, chunkIndex); row < entry.first + entry.count; row++) {
        const block = blockAt(row);
        const place = row % blockRows;
        if (block.chunkIndexes[place] !== chunkIndex) break;
        const product = productOf(vector, block.vectors, place * dimensions);
        if (best === undefined || product > best) best = product;
      }
      return best === undefined ? undefined : best / unit;
    },
  };

  /** The first row of a conversation that does not belong to an earlier chunk; rows are sorted by chunk. */
  function firstOf({ first, count }: Entry, chunkIndex: number): number {
    let low = first;
    let high = first + count;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((blockAt(middle).chunkIndexes[middle % blockRows] ?? 0) < chunkIndex) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Found {
  entry: Conversation;
  chunkIndex: number;
  product: number;
}

/** A total order, so that a longer result list begins with the shorter one. */
function byProduct(one: Found, other: Found): number {
  if (one.product !== other.product) return other.product - one.product;
  if (one.entry.id !== other.entry.id) return one.entry.id < other.entry.id ? -1 : 1;
  return one.chunkIndex - other.chunkIndex;
}

function within(product: number): number {
  return Math.max(-largestProduct, Math.min(largestProduct, product));
}

/** Four independent sums: each addition depends only on the fourth one before it. */
function productOf(vector: Int8Array, vectors: Int8Array, offset: number): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const { length } = vector;
  for (let axis = 0; axis < length; axis += 4) {
    const at = offset + axis;
    first = (first + Math.imul(vector[axis] ?? 0, vectors[at] ?? 0)) | 0;
    second = (second + Math.imul(vector[axis + 1] ?? 0, vectors[at + 1] ?? 0)) | 0;
    third = (third + Math.imul(vector[axis + 2] ?? 0, vectors[at + 2] ?? 0)) | 0;
    fourth = (fourth + Math.imul(vector[axis + 3] ?? 0, vectors[at + 3] ?? 0)) | 0;
  }
  return (first + second + third + fourth) | 0;
}

/*
 * The encoding of a conversation's vectors: first the chunk index of each vector as a little-endian 32-bit integer,
 * then the concatenated vectors. A long chunk has several.
 */

export interface MessageVectors {
  /** The chunk of each vector; ascending. */
  chunkIndexes: readonly number[];
  vectors: Int8Array;
}

const numberBytes = 4;

export function packed({ chunkIndexes, vectors }: MessageVectors): string {
  const bytes = Buffer.alloc(chunkIndexes.length * numberBytes + vectors.length);
  for (const [place, index] of chunkIndexes.entries()) bytes.writeUInt32LE(index, place * numberBytes);
  bytes.set(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length), chunkIndexes.length * numberBytes);
  return bytes.toString('base64');
}

export function unpacked(text: string, count: number): MessageVectors {
  const bytes = Buffer.from(text, 'base64');
  const begin = count * numberBytes;
  return {
    chunkIndexes: Array.from({ length: count }, (_, place) => bytes.readUInt32LE(place * numberBytes)),
    vectors: new Int8Array(bytes.buffer, bytes.byteOffset + begin, bytes.length - begin),
  };
}
