import type { Distance, Hit, IndexShape, Point, Where } from '../../contract.js';

/** One command with its answer as Redis's own types. */
export type RedisSend = (command: (string | Buffer)[]) => Promise<unknown>;

export interface RedisQuery {
  vector: Buffer;
  where: Where;
  distance: Distance;
}

/** The two ways in which Redis keeps vectors, behind one face. */
export interface RedisIndex {
  kind: 'query engine' | 'vector set';
  /** Absent: there is none yet. */
  shape(): Promise<Partial<IndexShape> | undefined>;
  create(shape: IndexShape): Promise<void>;
  put(point: Point): Promise<unknown>;
  /** Decides once how to look, then asks for so many rows. */
  asker(query: RedisQuery): Promise<(rows: number) => Promise<Hit[]>>;
  remove(ids: readonly string[]): Promise<unknown>;
  count(): Promise<number>;
  drop(): Promise<void>;
}

/** Vectors as the bytes of single-precision numbers, lowest byte first, as every machine of ours keeps them. */
export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
