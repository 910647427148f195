import { createSerialQueue } from '../../../../concurrency/serial-queue.js';
import type { Hit, IndexShape } from '../../contract.js';
import { SCAN_ROWS } from '../../shared/complete.js';
import { distanceFrom } from '../../shared/distance.js';
import type { Collection } from './client.js';

export interface Graph {
  /** Whether there is anything to search; `vector` is any of the right dimension. */
  isReady(vector: Float32Array): Promise<boolean>;
  /** Runs a write; as long as there is no graph, before or after all questions. */
  write(work: () => Promise<void>): Promise<void>;
}

/**
 * Chroma makes the graph of a collection while it answers the first question after the first rows, and fails whoever asks
 * for vectors at the same time, or while those rows are written. So that question is ours, asked once and alone, and
 * everybody else waits for it.
 */
export function graphOf(collection: Collection): Graph {
  const alone = createSerialQueue();
  let isMade = false;

  async function make(vector: Float32Array): Promise<boolean> {
    if (isMade || (await collection.count()) === 0) return isMade;
    await collection.query({ queryEmbeddings: [[...vector]], nResults: 1, include: ['distances'] });
    isMade = true;
    return isMade;
  }

  return {
    isReady: async (vector) => isMade || alone(() => make(vector)),
    write: (work) => (isMade ? work() : alone(work)),
  };
}

/**
 * The way through the graph leads past the few rows of a narrow filter beside a crowd of other scopes, so an answer that
 * is short may miss some. The rows of such a filter are few: they are read and measured here, by our own formula.
 */
export async function measureAll(
  collection: Collection,
  { filter, vector, shape }: { filter: object; vector: Float32Array; shape: IndexShape },
): Promise<Hit[]> {
  const { ids, embeddings } = await collection.get({ ...filter, include: ['embeddings'], limit: SCAN_ROWS });
  const distance = distanceFrom(shape.distance, vector);
  return ids.map((id, i) => ({ id, distance: distance(Float32Array.from(embeddings[i] ?? []), 0) }));
}
