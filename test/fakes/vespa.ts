import { z } from 'zod';
import type { Distance } from '../../src/stores/vector/contract.js';
import { exactIndex, type Found, type Row } from './exact-index.js';
import { serveWire, type WireAnswer, type WireRequest } from './wire.js';

const word = z.string().regex(/^[0-9a-f-]*$/);
const requests = {
  put: z.strictObject({
    fields: z.strictObject({
      id: z.uuid(),
      scope: word,
      conversation_id: word,
      vector: z.strictObject({ values: z.array(z.number()) }),
    }),
  }),
  nearest: z.strictObject({
    yql: z.string(),
    'input.query(query_vector)': z.array(z.number()),
    ranking: z.literal('vector_similarity'),
    hits: z.int().min(1).max(400),
    offset: z.int().max(1_000),
  }),
  count: z.strictObject({ yql: z.literal('select id from memory_vector where true'), hits: z.literal(0) }),
};

const query =
  /^select id from memory_vector where \(\{targetHits:(\d+),approximate:(?:true|false),hnsw\.exploreAdditionalHits:\d+\}nearestNeighbor\(vector,query_vector\)\) and (.+)$/;

interface Deployed {
  token: string;
  dimension: number;
  distance: Distance;
}

/** The document and query interfaces of a Vespa with the application of `deploy/vespa`; one index for each namespace. */
export function startVespa({ token, dimension, distance }: Deployed) {
  const index = exactIndex({ dimension });

  return serveWire((request) => {
    if (request.headers.authorization !== `Bearer ${token}`) return { status: 401, body: { message: 'unauthorized' } };
    const path = request.path.join('/');
    if (request.method === 'POST' && path === 'search/') return search(request.body);
    if (!path.startsWith('document/v1/memory/memory_vector/docid')) throw new Error('unknown path');
    return document(request);
  });

  function document({ method, path, query: parameters, body }: WireRequest): WireAnswer {
    const id = path[5];
    if (id === undefined) {
      if (method !== 'DELETE' || parameters.get('selection') !== 'true') throw new Error('unknown call');
      // In two goes, as a real one does when there is much.
      const ids = [...index.rows.keys()];
      for (const each of ids.slice(0, Math.ceil(ids.length / 2))) index.rows.delete(each);
      return { body: index.rows.size > 0 ? { continuation: 'AAAA' } : {} };
    }
    if (method === 'DELETE') {
      index.rows.delete(id);
      return { body: { id } };
    }
    const { vector, id: given, ...fields } = requests.put.parse(body).fields;
    if (given !== id) throw new Error('a document with the id of another');
    if (vector.values.length !== dimension) return { status: 400, body: { message: 'wrong tensor' } };
    index.put({ id, vector: vector.values, fields });
    return { body: { id }, wrote: true };
  }

  function search(body: unknown): WireAnswer {
    const count = requests.count.safeParse(body);
    if (count.success) return { body: { root: { fields: { totalCount: index.rows.size } } } };
    const { yql, hits, offset, ...rest } = requests.nearest.parse(body);
    const vector = rest['input.query(query_vector)'];
    if (vector.length !== dimension) return { status: 400, body: { root: { errors: [{ code: 4 }] } } };
    const [, targetHits = '', conditions = ''] = query.exec(yql) ?? [];
    const found = index.nearest({ vector, distance, limit: Number(targetHits), matches: conditionsOf(conditions) });
    const children = found.slice(offset, offset + hits).map((each) => ({
      relevance: 1,
      fields: { id: each.row.id, matchfeatures: { 'distance(field,vector)': distanceOf(distance, each) } },
    }));
    return { body: { root: { fields: { totalCount: found.length }, children } } };
  }
}

function distanceOf(distance: Distance, { cosine, dot, squared }: Found): number {
  if (distance === 'cosine') return Math.acos(Math.min(1, Math.max(-1, cosine)));
  return distance === 'l2' ? Math.sqrt(squared) : -dot;
}

function conditionsOf(text: string): (row: Row) => boolean {
  const parts = text.split(' and ').map((part) => {
    const [, field = '', list = ''] = /^(id|scope|conversation_id) in \(((?:"[0-9a-f-]*",?)+)\)$/.exec(part) ?? [];
    if (field === '') throw new Error(`an unknown condition: ${part}`);
    return { field, wanted: new Set(list.split(',').map((each) => each.slice(1, -1))) };
  });
  return (row) => parts.every(({ field, wanted }) => wanted.has(field === 'id' ? row.id : String(row.fields[field])));
}
