import type { Distance, IndexShape, Where } from '../../contract.js';
import { SCAN_ROWS } from '../../shared/complete.js';
import { opaque, opaqueList } from '../../shared/opaque.js';
import { bytesOf, type RedisIndex, type RedisSend } from './contract.js';

/** What the query engine calls each distance, and ours from its value. */
const measures = {
  cosine: { metric: 'COSINE', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { metric: 'L2', ours: (theirs: number) => Math.sqrt(theirs) }, // root of |a - b|²
  inner_product: { metric: 'IP', ours: (theirs: number) => theirs }, // 1 - dot
} as const satisfies Record<Distance, { metric: string; ours: (theirs: number) => number }>;

/** One hash for each point, and an index of the query engine over all with the prefix. */
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
      const filter = filterOf(where);
      // Measuring every row that passes is exact; beyond that many the graph is asked.
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

function filterOf({ scopes, conversationIds, ids }: Where): string {
  const isOneOf = (field: string, texts: readonly string[]) => `@${field}:{${opaqueList(texts).join('|')}}`;
  return [
    isOneOf('scope', scopes),
    ...(conversationIds ? [isOneOf('conversation_id', conversationIds)] : []),
    ...(ids ? [isOneOf('id', ids)] : []),
  ].join(' ');
}

/** `FT.INFO` answers names and values in turn, and each attribute in the same way. */
function shapeOf(info: unknown): Partial<IndexShape> {
  const attributes = pairs(info as unknown[]).find(([key]) => String(key) === 'attributes')?.[1];
  const vector = (attributes as unknown[][]).map(namesOf).find((each) => each.get('attribute') === 'vector');
  const distance = (Object.keys(measures) as Distance[]).find(
    (each) => measures[each].metric === vector?.get('distance_metric'),
  );
  return { dimension: Number(vector?.get('dim') ?? 0), ...(distance && { distance }) };
}

function namesOf(flat: unknown[]): Map<string, string> {
  return new Map(pairs(flat).map(([key, value]) => [String(key), String(value)]));
}

function pairs(flat: readonly unknown[]): [unknown, unknown][] {
  return Array.from({ length: Math.floor(flat.length / 2) }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}
