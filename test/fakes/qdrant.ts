import { z } from 'zod';
import type { Distance } from '../../src/stores/vector/contract.js';
import { type ExactIndex, exactIndex, type Row } from './exact-index.js';
import { serveWire, type WireAnswer, type WireRequest } from './wire.js';

const distances: Record<string, Distance> = { Cosine: 'cosine', Euclid: 'l2', Dot: 'inner_product' };
const vector = z.array(z.number());
const uuid = z.uuid();

const requests = {
  create: z.strictObject({
    vectors: z.strictObject({ size: z.int().positive(), distance: z.enum(['Cosine', 'Euclid', 'Dot']) }),
  }),
  index: z.strictObject({ field_name: z.string(), field_schema: z.literal('keyword') }),
  upsert: z.strictObject({
    points: z
      .array(z.strictObject({ id: uuid, vector, payload: z.record(z.string(), z.string()) }))
      .min(1)
      .max(1_000),
  }),
  query: z.strictObject({
    query: vector,
    filter: z.strictObject({
      must: z.array(
        z.union([
          z.strictObject({ key: z.string(), match: z.strictObject({ any: z.array(z.string()).min(1) }) }),
          z.strictObject({ has_id: z.array(uuid).min(1) }),
        ]),
      ),
    }),
    params: z.strictObject({ exact: z.boolean() }),
    limit: z.int().positive(),
    with_payload: z.literal(false),
    with_vector: z.literal(false),
  }),
  delete: z.strictObject({ points: z.array(uuid).min(1) }),
  scroll: z.strictObject({
    limit: z.int().positive(),
    offset: uuid.optional(),
    with_payload: z.literal(false),
    with_vector: z.literal(false),
  }),
  count: z.strictObject({ exact: z.literal(true) }),
};

interface Collection {
  index: ExactIndex;
  distance: string;
  fields: Set<string>;
}

/** Qdrant's HTTP interface, as far as the driver uses it. */
export function startQdrant({ apiKey }: { apiKey: string }) {
  const collections = new Map<string, Collection>();

  return serveWire((request) => {
    if (request.headers['api-key'] !== apiKey) return { status: 403, body: { status: { error: 'forbidden' } } };
    const [root, name = '', ...rest] = request.path;
    if (root !== 'collections') throw new Error('unknown path');
    return answer(request, { name, call: `${request.method} ${rest.join('/')}`.trim() });
  });

  function answer({ body, query }: WireRequest, { name, call }: { name: string; call: string }): WireAnswer {
    const collection = collections.get(name);
    if (call === 'GET exists') return result({ exists: collection !== undefined });
    if (call === 'PUT') {
      if (collection !== undefined) return { status: 409, body: { status: { error: 'exists' } } };
      const { size, distance } = requests.create.parse(body).vectors;
      collections.set(name, { index: exactIndex({ dimension: size }), distance, fields: new Set() });
      return result(true);
    }
    if (collection === undefined) return { status: 404, body: { status: { error: 'no such collection' } } };
    const { index, distance, fields } = collection;
    switch (call) {
      case 'GET':
        return result({ config: { params: { vectors: { size: index.dimension, distance } } } });
      case 'DELETE':
        collections.delete(name);
        return result(true);
      case 'PUT index':
        fields.add(requests.index.parse(body).field_name);
        return result({ status: 'completed' });
      case 'PUT points':
        mustWait(query);
        for (const { id, vector: numbers, payload } of requests.upsert.parse(body).points) {
          index.put({ id, vector: numbers, fields: payload });
        }
        return { ...result({ status: 'completed' }), wrote: true };
      case 'POST points/delete':
        mustWait(query);
        for (const id of requests.delete.parse(body).points) index.rows.delete(id);
        return result({ status: 'completed' });
      case 'POST points/scroll': {
        const { limit, offset } = requests.scroll.parse(body);
        const ids = [...index.rows.keys()].sort();
        const from = offset === undefined ? 0 : ids.indexOf(offset);
        const points = ids.slice(from, from + limit).map((id) => ({ id }));
        return result({ points, next_page_offset: ids[from + limit] ?? null });
      }
      case 'POST points/count':
        requests.count.parse(body);
        return result({ count: index.rows.size });
      case 'POST points/query':
        return result({ points: search(collection, requests.query.parse(body)) });
      default:
        throw new Error('unknown call');
    }
  }
}

function search({ index, distance, fields }: Collection, asked: z.output<typeof requests.query>) {
  const matches = (row: Row) =>
    asked.filter.must.every((condition) => {
      if ('has_id' in condition) return condition.has_id.includes(row.id);
      if (!fields.has(condition.key)) throw new Error(`${condition.key} is not indexed`);
      return condition.match.any.includes(String(row.fields[condition.key]));
    });
  const found = index.nearest({
    vector: asked.query,
    distance: distances[distance] ?? 'cosine',
    limit: asked.limit,
    matches,
  });
  return found.map(({ row, cosine, dot, squared }) => ({
    id: row.id,
    version: 1,
    score: { Cosine: cosine, Euclid: Math.sqrt(squared), Dot: dot }[distance],
  }));
}

function mustWait(query: URLSearchParams): void {
  if (query.get('wait') !== 'true') throw new Error('a write that does not wait may be read too early');
}

function result(body: unknown): WireAnswer {
  return { body: { result: body, status: 'ok', time: 0 } };
}
