import { z } from 'zod';
import type { Distance } from '../../src/stores/vector/contract.js';
import { type ExactIndex, exactIndex, type Found, type Row } from './exact-index.js';
import { serveWire, type WireAnswer, type WireRequest } from './wire.js';

const vector = z.array(z.number());
const texts = z.array(z.string()).min(1);
const filter = z.strictObject({
  bool: z.strictObject({
    filter: z.array(
      z.union([
        z.strictObject({ terms: z.strictObject({ scope: texts }) }),
        z.strictObject({ terms: z.strictObject({ conversation_id: texts }) }),
        z.strictObject({ ids: z.strictObject({ values: texts }) }),
      ]),
    ),
  }),
});
const graph = { m: z.int(), ef_construction: z.int() };

/** How each of the two says what a vector is, and how it is asked for. */
const dialects = {
  elasticsearch: {
    settings: z.strictObject({}),
    field: z
      .strictObject({
        type: z.literal('dense_vector'),
        dims: z.int().max(4_096),
        similarity: z.enum(['cosine', 'l2_norm', 'max_inner_product']),
        index_options: z.strictObject({ type: z.literal('hnsw'), ...graph }),
      })
      .transform(({ dims, similarity }) => ({ dimension: dims, measure: similarity as string })),
    search: z
      .strictObject({
        knn: z.strictObject({
          field: z.literal('vector'),
          query_vector: vector,
          k: z.int().positive(),
          num_candidates: z.int().max(10_000),
          filter,
        }),
        size: z.int().max(10_000),
        _source: z.literal(false),
      })
      .refine(({ knn, size }) => knn.k <= knn.num_candidates && size === knn.k)
      .transform(({ knn }) => ({ vector: knn.query_vector, rows: knn.k, filter: knn.filter })),
  },
  opensearch: {
    settings: z.strictObject({ index: z.strictObject({ knn: z.literal(true) }) }),
    field: z
      .strictObject({
        type: z.literal('knn_vector'),
        dimension: z.int().max(16_000),
        method: z.strictObject({
          name: z.literal('hnsw'),
          engine: z.literal('lucene'),
          space_type: z.enum(['cosinesimil', 'l2', 'innerproduct']),
          parameters: z.strictObject(graph),
        }),
      })
      .transform(({ dimension, method }) => ({ dimension, measure: method.space_type as string })),
    search: z
      .strictObject({
        query: z.strictObject({
          knn: z.strictObject({ vector: z.strictObject({ vector, k: z.int().max(10_000), filter }) }),
        }),
        size: z.int().max(10_000),
        _source: z.literal(false),
      })
      .transform(({ query }) => ({
        vector: query.knn.vector.vector,
        rows: query.knn.vector.k,
        filter: query.knn.vector.filter,
      })),
  },
};

const measures: Record<string, Distance> = {
  cosine: 'cosine',
  cosinesimil: 'cosine',
  l2_norm: 'l2',
  l2: 'l2',
  max_inner_product: 'inner_product',
  innerproduct: 'inner_product',
};

const row = z.strictObject({ scope: z.string(), conversation_id: z.string(), vector });
const bulkAction = z.union([
  z.strictObject({ index: z.strictObject({ _id: z.uuid() }) }),
  z.strictObject({ delete: z.strictObject({ _id: z.uuid() }) }),
]);

interface Index {
  rows: ExactIndex;
  mappings: Record<string, unknown>;
  distance: Distance;
}

/** The HTTP interface of Elasticsearch, or of OpenSearch with its k-NN plugin. */
export function startCluster(kind: keyof typeof dialects, { authorization }: { authorization: string }) {
  const indexes = new Map<string, Index>();
  const dialect = dialects[kind];

  return serveWire((request) => {
    // The client of Elasticsearch refuses to talk to a server that does not say it is one.
    const headers = kind === 'elasticsearch' ? { 'x-elastic-product': 'Elasticsearch' } : {};
    const allowed = request.headers.authorization === authorization;
    const answer = allowed ? answerOf(request) : { status: 401, body: { error: 'unauthorized' } };
    return { ...answer, headers };
  });

  function answerOf(request: WireRequest): WireAnswer {
    const [name = '', action = ''] = request.path;
    const call = `${request.method} ${action}`.trim();
    const index = indexes.get(name);
    if (call === 'HEAD') return { status: index === undefined ? 404 : 200, body: '' };
    if (call === 'PUT') return create(name, request.body);
    if (index === undefined) return { status: 404, body: { error: 'no such index' } };
    switch (call) {
      case 'GET _mapping':
        return { body: { [name]: { mappings: index.mappings } } };
      case 'DELETE':
        indexes.delete(name);
        return { body: { acknowledged: true } };
      case 'GET _count':
        return { body: { count: index.rows.rows.size } };
      case 'POST _bulk':
        return bulk(index, request);
      case 'POST _search': {
        const asked = dialect.search.parse(request.body);
        const found = index.rows.nearest({
          vector: asked.vector,
          distance: index.distance,
          limit: asked.rows,
          matches: (each) => passes(each, asked.filter),
        });
        const hits = found.map((each) => ({ _index: name, _id: each.row.id, _score: scoreOf(index.distance, each) }));
        return { body: { took: 1, timed_out: false, hits: { hits } } };
      }
      default:
        throw new Error('unknown call');
    }
  }

  function create(name: string, body: unknown): WireAnswer {
    if (!/^[a-z0-9][a-z0-9_.-]*$/.test(name)) return { status: 400, body: { error: 'invalid index name' } };
    const { settings, mappings } = z
      .strictObject({
        settings: z.unknown(),
        mappings: z.strictObject({
          dynamic: z.literal('strict'),
          _meta: z.record(z.string(), z.unknown()),
          properties: z.strictObject({
            scope: z.strictObject({ type: z.literal('keyword') }),
            conversation_id: z.strictObject({ type: z.literal('keyword') }),
            vector: z.unknown(),
          }),
        }),
      })
      .parse(body);
    dialect.settings.parse(settings);
    const { dimension, measure } = dialect.field.parse(mappings.properties.vector);
    indexes.set(name, { rows: exactIndex({ dimension }), mappings, distance: measures[measure] ?? 'cosine' });
    return { body: { acknowledged: true } };
  }
}

function bulk({ rows }: Index, { query, text }: WireRequest): WireAnswer {
  if (query.get('refresh') !== 'true') throw new Error('a write without a refresh is read too early');
  if (!text.endsWith('\n')) throw new Error('the last line must end');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const items: object[] = [];
  while (lines.length > 0) {
    const action = bulkAction.parse(lines.shift());
    if ('delete' in action) {
      items.push({ delete: { status: rows.rows.delete(action.delete._id) ? 200 : 404 } });
      continue;
    }
    const { vector: numbers, ...fields } = row.parse(lines.shift());
    rows.put({ id: action.index._id, vector: numbers, fields });
    items.push({ index: { status: 201 } });
  }
  return { body: { took: 1, errors: false, items }, wrote: true };
}

function passes({ id, fields }: Row, { bool }: z.output<typeof filter>): boolean {
  return bool.filter.every((condition) => {
    if ('ids' in condition) return condition.ids.values.includes(id);
    const [[field, wanted] = ['', []]] = Object.entries(condition.terms);
    return (wanted as string[]).includes(String(fields[field]));
  });
}

/** Lucene's scores, in single precision. */
function scoreOf(distance: Distance, { cosine, dot, squared }: Found): number {
  if (distance === 'cosine') return Math.fround((1 + cosine) / 2);
  if (distance === 'l2') return Math.fround(1 / (1 + squared));
  return Math.fround(dot < 0 ? 1 / (1 - dot) : 1 + dot);
}
