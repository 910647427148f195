import { z } from 'zod';
import { type ExactIndex, exactIndex, type Row } from './exact-index.js';
import { serveWire, type WireAnswer, type WireRequest } from './wire.js';

const metric = z.enum(['cosine_distance', 'euclidean_squared']);
const text = z.strictObject({ type: z.literal('string'), filterable: z.literal(true) });
const condition = z.tuple([z.enum(['scope', 'conversation_id', 'id']), z.literal('In'), z.array(z.string()).min(1)]);

const requests = {
  write: z.union([
    z.strictObject({
      upsert_rows: z
        .array(
          z.strictObject({ id: z.uuid(), vector: z.array(z.number()), scope: z.string(), conversation_id: z.string() }),
        )
        .min(1),
      distance_metric: metric,
      schema: z.strictObject({
        vector: z.strictObject({ type: z.string().regex(/^\[\d+\]f32$/), ann: z.literal(true) }),
        scope: text,
        conversation_id: text,
      }),
    }),
    z.strictObject({ deletes: z.array(z.uuid()).min(1) }),
  ]),
  query: z.union([
    z.strictObject({
      rank_by: z.tuple([z.literal('vector'), z.enum(['ANN', 'kNN']), z.array(z.number())]),
      filters: z.tuple([z.literal('And'), z.array(condition).min(1)]),
      include_attributes: z.literal(false),
      limit: z.int().positive().max(10_000),
    }),
    z.strictObject({ aggregate_by: z.strictObject({ rows: z.tuple([z.literal('Count'), z.literal('id')]) }) }),
  ]),
};

interface Namespace {
  index: ExactIndex;
  metric: z.output<typeof metric>;
}

/** turbopuffer's HTTP interface, as far as the driver uses it. */
export function startTurbopuffer({ apiKey }: { apiKey: string }) {
  const namespaces = new Map<string, Namespace>();

  return serveWire((request) => {
    if (request.headers.authorization !== `Bearer ${apiKey}`) return { status: 401, body: { error: 'unauthorized' } };
    const [region, version, kind, name = '', action = ''] = request.path;
    if (region !== 'gcp-us-central1' || kind !== 'namespaces') throw new Error('unknown path');
    const call = `${request.method} ${version} ${action}`.trim();
    return answer(request, { name, call });
  });

  function answer({ body }: WireRequest, { name, call }: { name: string; call: string }): WireAnswer {
    if (call === 'POST v2') return write(name, requests.write.parse(body));
    const namespace = namespaces.get(name);
    if (namespace === undefined) return { status: 404, body: { status: 'error', error: 'no such namespace' } };
    switch (call) {
      case 'GET v1 schema':
        return { body: {} };
      case 'GET v1 metadata':
      case 'GET v2 metadata': {
        const type = `[${namespace.index.dimension}]f32`;
        const vector = { type, ann: { distance_metric: namespace.metric } };
        return { body: { schema: { vector }, approx_row_count: namespace.index.rows.size } };
      }
      case 'POST v2 query':
        return query(namespace, requests.query.parse(body));
      case 'DELETE v2':
        namespaces.delete(name);
        return { body: { status: 'OK' } };
      default:
        throw new Error(`unknown call ${call}`);
    }
  }

  function write(name: string, asked: z.output<typeof requests.write>): WireAnswer {
    const existing = namespaces.get(name);
    if ('deletes' in asked) {
      if (existing === undefined) return { status: 404, body: { status: 'error', error: 'no such namespace' } };
      for (const id of asked.deletes) existing.index.rows.delete(id);
      return { body: { status: 'OK', rows_affected: asked.deletes.length } };
    }
    const dimension = Number(/\d+/.exec(asked.schema.vector.type)?.[0]);
    const namespace = existing ?? { index: exactIndex({ dimension }), metric: asked.distance_metric };
    if (namespace.metric !== asked.distance_metric) throw new Error('another metric than before');
    namespaces.set(name, namespace);
    for (const { id, vector, ...fields } of asked.upsert_rows) namespace.index.put({ id, vector, fields });
    return { body: { status: 'OK', rows_affected: asked.upsert_rows.length }, wrote: true };
  }
}

function query({ index, metric: measure }: Namespace, asked: z.output<typeof requests.query>): WireAnswer {
  if ('aggregate_by' in asked) return { body: { aggregations: { rows: index.rows.size } } };
  const matches = (row: Row) =>
    asked.filters[1].every(([field, , wanted]) => wanted.includes(field === 'id' ? row.id : String(row.fields[field])));
  const distance = measure === 'cosine_distance' ? 'cosine' : 'l2';
  const found = index.nearest({ vector: asked.rank_by[2], distance, limit: asked.limit, matches });
  const rows = found.map(({ row, cosine, squared }) => ({
    id: row.id,
    $dist: distance === 'l2' ? squared : 1 - cosine,
  }));
  return { body: { rows } };
}
