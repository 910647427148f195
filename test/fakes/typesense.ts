import { z } from 'zod';
import { type ExactIndex, exactIndex, type Row } from './exact-index.js';
import { serveWire, type WireAnswer, type WireRequest } from './wire.js';

const text = (name: string) => z.strictObject({ name: z.literal(name), type: z.literal('string') });

const requests = {
  create: z.strictObject({
    name: z.string(),
    fields: z.tuple([
      text('scope'),
      text('conversation_id'),
      z.strictObject({
        name: z.literal('vector'),
        type: z.literal('float[]'),
        num_dim: z.int().positive(),
        vec_dist: z.enum(['cosine', 'ip']),
      }),
    ]),
  }),
  document: z.strictObject({
    id: z.string(),
    // One word: no longer than what is indexed of a word, and of letters that are not dropped.
    scope: z.string().regex(/^[0-9a-z]{1,100}$/),
    conversation_id: z.string().regex(/^[0-9a-z]{1,100}$/),
    vector: z.array(z.number()),
  }),
  search: z.strictObject({
    searches: z.tuple([
      z.strictObject({
        collection: z.string(),
        q: z.literal('*'),
        filter_by: z.string(),
        include_fields: z.literal('id'),
        vector_query: z.string(),
        page: z.int().positive(),
        per_page: z.int().max(250),
      }),
    ]),
  }),
};

interface Collection {
  index: ExactIndex;
  distance: 'cosine' | 'ip';
}

/** Typesense's HTTP interface, as far as the driver uses it. */
export function startTypesense({ apiKey }: { apiKey: string }) {
  const collections = new Map<string, Collection>();

  return serveWire((request) => {
    if (request.headers['x-typesense-api-key'] !== apiKey) return { status: 401, body: { message: 'unauthorized' } };
    if (request.path[0] === 'multi_search') return { body: { results: [search(request.body)] } };
    if (request.path[0] !== 'collections') throw new Error('unknown path');
    return answer(request);
  });

  function answer({ method, path, body, text: lines, query }: WireRequest): WireAnswer {
    const [, name, ...rest] = path;
    const call = `${method} ${rest.join('/')}`.trim();
    if (name === undefined) {
      const { name: given, fields } = requests.create.parse(body);
      collections.set(given, { index: exactIndex({ dimension: fields[2].num_dim }), distance: fields[2].vec_dist });
      return { status: 201, body: { name: given, num_documents: 0, fields } };
    }
    const collection = collections.get(name);
    if (collection === undefined) return { status: 404, body: { message: 'Not Found' } };
    const { index, distance } = collection;
    switch (call) {
      case 'GET': {
        const vector = { name: 'vector', type: 'float[]', num_dim: index.dimension, vec_dist: distance };
        return { body: { name, num_documents: index.rows.size, fields: [vector] } };
      }
      case 'DELETE':
        collections.delete(name);
        return { body: { name } };
      case 'POST documents/import': {
        if (query.get('action') !== 'upsert') throw new Error('an import that is no upsert');
        const documents = lines
          .trim()
          .split('\n')
          .map((line) => requests.document.parse(JSON.parse(line)));
        for (const { id, vector, ...fields } of documents) index.put({ id, vector, fields });
        return {
          body: documents.map(() => '{"success":true}').join('\n'),
          headers: { 'content-type': 'text/plain' },
          wrote: true,
        };
      }
      case 'DELETE documents': {
        const filter = query.get('filter_by') ?? '';
        if (filter.length > 4_000) throw new Error('a filter of more than 4,000 characters in an address');
        const matches = conditions(filter);
        for (const row of [...index.rows.values()].filter(matches)) index.rows.delete(row.id);
        return { body: { num_deleted: 0 } };
      }
      default:
        throw new Error(`unknown call ${call}`);
    }
  }

  function search(body: unknown): object {
    const [asked] = requests.search.parse(body).searches;
    const collection = collections.get(asked.collection);
    if (collection === undefined) return { code: 404, error: 'Not found.' };
    const [, numbers = '', k = ''] =
      /^vector:\(\[(.*)\], k:(\d+), flat_search_cutoff:\d+\)$/.exec(asked.vector_query) ?? [];
    const found = collection.index.nearest({
      vector: numbers.split(',').map(Number),
      distance: collection.distance === 'ip' ? 'inner_product' : 'cosine',
      limit: Number(k),
      matches: conditions(asked.filter_by),
    });
    const start = (asked.page - 1) * asked.per_page;
    const hits = found.slice(start, start + asked.per_page).map(({ row, cosine, dot }) => ({
      document: { id: row.id },
      vector_distance: 1 - (collection.distance === 'ip' ? dot : cosine),
    }));
    return { found: found.length, hits };
  }
}

function conditions(filter: string): (row: Row) => boolean {
  const parts = filter.split(' && ').map((part) => {
    const [, field = '', list = ''] = /^(id:|scope:=|conversation_id:=)\[([0-9a-z,-]+)\]$/.exec(part) ?? [];
    if (field === '') throw new Error(`an unknown condition: ${part}`);
    return { field: field.replace(/:=?$/, ''), wanted: new Set(list.split(',')) };
  });
  return (row) => parts.every(({ field, wanted }) => wanted.has(field === 'id' ? row.id : String(row.fields[field])));
}
