import { StartupError } from '../../../../model/errors.js';
import {
  type Distance,
  distances,
  type IndexShape,
  type NearestPoint,
  type Point,
  type Where,
} from '../../contract.js';
import { SCAN_ROWS } from '../../shared/nearest.js';
import { opaque, opaqueList } from '../../shared/remote.js';

/** The query engine's name of each distance, and the conversion to ours. */
const measures = {
  cosine: { metric: 'COSINE', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { metric: 'L2', ours: (theirs: number) => Math.sqrt(theirs) }, // root of |a - b|²
  inner_product: { metric: 'IP', ours: (theirs: number) => theirs }, // 1 - dot
} as const satisfies Record<Distance, { metric: string; ours: (theirs: number) => number }>;

/** One hash per point, and a query engine index over all keys with the prefix. */
export function searchIndex(send: RedisSend, { name, prefix }: { name: string; prefix: string }): RedisIndex {
  async function countOf(query: string): Promise<number> {
    const [total] = (await send(['FT.SEARCH', name, query, 'LIMIT', '0', '0', 'DIALECT', '2'])) as [number];
    return Number(total);
  }

  return {
    kind: 'query engine',

    async shape() {
      const names = (await send(['FT._LIST'])) as unknown[];
      if (!names.map(String).includes(name)) return undefined;
      return shapeOf(await send(['FT.INFO', name]));
    },

    async create({ dimension, distance }) {
      const { metric } = measures[distance];
      const vector = ['TYPE', 'FLOAT32', 'DIM', String(dimension), 'DISTANCE_METRIC', metric];
      const tags = ['id', 'scope', 'conversation_id'].flatMap((field) => [field, 'TAG', 'CASESENSITIVE']);
      const schema = [...tags, 'vector', 'VECTOR', 'HNSW', String(vector.length), ...vector];
      await send(['FT.CREATE', name, 'ON', 'HASH', 'PREFIX', '1', prefix, 'SCHEMA', ...schema]);
    },

    put: ({ id, scope, conversationId, vector }) =>
      send([
        'HSET',
        prefix + id,
        ...['id', opaque(id), 'scope', opaque(scope), 'conversation_id', opaque(conversationId)],
        ...['vector', bytesOf(vector)],
      ]),

    async asker({ vector, where, distance }) {
      const filter = searchFilter(where);
      // Up to this many rows are scanned exactly; beyond that, the graph answers.
      const scan = (await countOf(filter)) < SCAN_ROWS ? ' HYBRID_POLICY ADHOC_BF' : '';
      const query = `(${filter})=>[KNN $rows @vector $vector${scan} AS distance]`;
      const { ours } = measures[distance];
      return async (rows) => {
        const parameters = ['PARAMS', '4', 'rows', String(rows), 'vector', vector];
        const page = ['SORTBY', 'distance', 'ASC', 'LIMIT', '0', String(rows)];
        const answer = (await send([
          ...['FT.SEARCH', name, query, ...parameters, ...page],
          ...['RETURN', '1', 'distance', 'DIALECT', '2'],
        ])) as unknown[];
        // [total, key, [field, value], key, [field, value], …]
        return pairs(answer.slice(1)).map(([key, fields]) => ({
          id: String(key).slice(prefix.length),
          distance: ours(Number((fields as unknown[])[1])),
        }));
      };
    },

    remove: (ids) => send(['DEL', ...ids.map((id) => prefix + id)]),
    count: () => countOf('*'),

    async drop() {
      await send(['FT.DROPINDEX', name, 'DD']);
    },
  };
}

function searchFilter({ scopes, conversationIds, ids }: Where): string {
  const isOneOf = (field: string, texts: readonly string[]) => `@${field}:{${opaqueList(texts).join('|')}}`;
  return [
    isOneOf('scope', scopes),
    ...(conversationIds ? [isOneOf('conversation_id', conversationIds)] : []),
    ...(ids ? [isOneOf('id', ids)] : []),
  ].join(' ');
}

/** `FT.INFO` returns names and values alternately, and each attribute in the same form. */
function shapeOf(info: unknown): Partial<IndexShape> {
  const attributes = pairs(info as unknown[]).find(([key]) => String(key) === 'attributes')?.[1];
  const vector = (attributes as unknown[][]).map(namesOf).find((each) => each.get('attribute') === 'vector');
  const distance = distances.find((each) => measures[each].metric === vector?.get('distance_metric'));
  return { dimension: Number(vector?.get('dim') ?? 0), ...(distance && { distance }) };
}

function namesOf(flat: unknown[]): Map<string, string> {
  return new Map(pairs(flat).map(([key, value]) => [String(key), String(value)]));
}

function pairs(flat: readonly unknown[]): [unknown, unknown][] {
  return Array.from({ length: Math.floor(flat.length / 2) }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}

/** Settings of the graph: more links and effort than the defaults, for better recall. */
const GRAPH = ['M', '32', 'EF', '400'];
const EXPLORATION = 1_000;

/** One vector set for all points, and a hash with its shape. */
export function vectorSet(send: RedisSend, { name, prefix }: { name: string; prefix: string }): RedisIndex {
  const key = `${prefix}${name}`;
  const shapeKey = `${key}:shape`;

  return {
    kind: 'vector set',

    async shape() {
      const [dimension, distance] = (await send(['HMGET', shapeKey, 'dimension', 'distance'])) as (string | null)[];
      if (dimension === null || dimension === undefined || distance !== 'cosine') return undefined;
      return { dimension: Number(dimension), distance };
    },

    async create({ dimension, distance }) {
      if (distance !== 'cosine') {
        throw new StartupError('driver_unavailable', `Vector sets of Redis do not support the distance ${distance}.`, {
          hint: 'Set storage.vector.distance to cosine, or use a Redis server with the query engine.',
        });
      }
      await send(['HSET', shapeKey, 'dimension', String(dimension), 'distance', distance]);
    },

    put: ({ id, scope, conversationId, vector }) => {
      const attributes = { id, scope: opaque(scope), conversation_id: opaque(conversationId) };
      const options = ['NOQUANT', ...GRAPH, 'SETATTR', JSON.stringify(attributes)];
      return send(['VADD', key, 'FP32', bytesOf(vector), id, ...options]);
    },

    async asker({ vector, where }) {
      const narrow = where.ids !== undefined || where.conversationIds !== undefined;
      const scan = narrow || Number(await send(['VCARD', key])) < SCAN_ROWS;
      const filter = ['FILTER', vectorSetFilter(where)];
      return async (rows) => {
        // A filter effort of zero searches until there are enough hits, however many rows do not match.
        const effort = scan ? ['TRUTH'] : ['EF', String(Math.max(rows, EXPLORATION)), 'FILTER-EF', '0'];
        const count = ['WITHSCORES', 'COUNT', String(rows)];
        const answer = (await send(['VSIM', key, 'FP32', vector, ...count, ...filter, ...effort])) as string[];
        return Array.from({ length: answer.length / 2 }, (_, i) => ({
          id: String(answer[2 * i]),
          distance: 2 * (1 - Number(answer[2 * i + 1])), // the score is (1 + cos) / 2
        }));
      };
    },

    remove: (ids) => Promise.all(ids.map((id) => send(['VREM', key, id]))),
    count: async () => Number(await send(['VCARD', key])),

    async drop() {
      await send(['DEL', key, shapeKey]);
    },
  };
}

function vectorSetFilter({ scopes, conversationIds, ids }: Where): string {
  const isOneOf = (field: string, texts: readonly string[]) => `.${field} in ${JSON.stringify(texts)}`;
  return [
    isOneOf('scope', opaqueList(scopes)),
    ...(conversationIds ? [isOneOf('conversation_id', opaqueList(conversationIds))] : []),
    ...(ids ? [isOneOf('id', ids)] : []),
  ].join(' and ');
}

/** Sends one command and returns its answer in Redis's own types. */
export type RedisSend = (command: (string | Buffer)[]) => Promise<unknown>;

interface RedisQuery {
  vector: Buffer;
  where: Where;
  distance: Distance;
}

/** One interface over the two ways Redis stores vectors. */
export interface RedisIndex {
  kind: 'query engine' | 'vector set';
  /** Undefined when there is no index yet. */
  shape(): Promise<Partial<IndexShape> | undefined>;
  create(shape: IndexShape): Promise<void>;
  put(point: Point): Promise<unknown>;
  /** Decides once how to search, then asks for this many rows. */
  asker(query: RedisQuery): Promise<(rows: number) => Promise<NearestPoint[]>>;
  remove(ids: readonly string[]): Promise<unknown>;
  count(): Promise<number>;
  drop(): Promise<void>;
}

/** Vectors as little-endian single-precision bytes, the native order of every machine we support. */
export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
