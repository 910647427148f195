import { z } from 'zod';
import type { Distance } from '../../src/stores/vector/contract.js';
import { type ExactIndex, exactIndex, type Row } from './exact-index.js';
import { serveWire, type Wire, type WireAnswer, type WireRequest } from './wire.js';

const metrics: Record<string, Distance> = { cosine: 'cosine', euclidean: 'l2', dotproduct: 'inner_product' };
const oneOf = z.strictObject({ $in: z.array(z.string()).min(1).max(10_000) });

const requests = {
  create: z.object({
    name: z.string().regex(/^[a-z0-9-]{1,45}$/),
    dimension: z.int().positive().max(20_000),
    metric: z.enum(['cosine', 'euclidean', 'dotproduct']),
    spec: z.strictObject({ serverless: z.strictObject({ cloud: z.literal('aws'), region: z.literal('us-east-1') }) }),
  }),
  upsert: z.strictObject({
    vectors: z
      .array(
        z.strictObject({
          id: z.string().max(512),
          values: z.array(z.number()),
          metadata: z.record(z.string(), z.string()),
        }),
      )
      .min(1)
      .max(1_000),
    namespace: z.string(),
  }),
  query: z.strictObject({
    namespace: z.string(),
    vector: z.array(z.number()),
    topK: z.int().positive().max(10_000),
    filter: z.strictObject({ scope: oneOf, conversation_id: oneOf.optional(), id: oneOf.optional() }),
    includeMetadata: z.literal(false),
    includeValues: z.literal(false),
  }),
  delete: z.union([
    z.strictObject({ ids: z.array(z.string()).min(1).max(1_000), namespace: z.string() }),
    z.strictObject({ deleteAll: z.literal(true), namespace: z.string() }),
  ]),
};

interface Index {
  metric: string;
  dimension: number;
  namespaces: Map<string, ExactIndex>;
}

/** Pinecone's controller and its data plane at one address; an index is told apart by the first segment of its host. */
export async function startPinecone({ apiKey }: { apiKey: string }): Promise<Wire> {
  const indexes = new Map<string, Index>();
  /** Shown one reading late, as the real one does. */
  const late: { countdown: number; show: () => void }[] = [];

  const wire: Wire = await serveWire((request) => {
    if (request.headers['api-key'] !== apiKey) return { status: 401, body: { error: 'unauthorized' } };
    if (request.headers['x-pinecone-api-version'] === undefined) throw new Error('no version of the interface');
    if (request.path[0] === 'indexes') return control(request);
    const [, name = '', ...rest] = request.path;
    const index = indexes.get(name);
    if (index === undefined) return { status: 404, body: { error: 'no such index' } };
    return data(index, { ...request, path: rest });
  });
  return wire;

  function described(name: string, { dimension, metric }: Index) {
    return {
      name,
      dimension,
      metric,
      host: `${wire.url}/data/${name}`,
      spec: { serverless: { cloud: 'aws', region: 'us-east-1' } },
      status: { ready: true, state: 'Ready' },
      vector_type: 'dense',
    };
  }

  function control({ method, path, body }: WireRequest): WireAnswer {
    const [, name] = path;
    if (method === 'GET' && name === undefined) {
      return { body: { indexes: [...indexes].map(([each, index]) => described(each, index)) } };
    }
    if (method === 'POST') {
      const asked = requests.create.parse(body);
      const index = { metric: asked.metric, dimension: asked.dimension, namespaces: new Map<string, ExactIndex>() };
      indexes.set(asked.name, index);
      return { status: 201, body: described(asked.name, index) };
    }
    const index = indexes.get(name ?? '');
    if (index === undefined) return { status: 404, body: { error: 'no such index' } };
    if (method === 'GET') return { body: described(name ?? '', index) };
    indexes.delete(name ?? '');
    return { status: 202 };
  }

  function data(index: Index, request: WireRequest): WireAnswer {
    for (const each of late) each.countdown--;
    while (late[0] !== undefined && late[0].countdown <= 0) late.shift()?.show();
    const { method, path, body, query } = request;
    switch (`${method} ${path.join('/')}`) {
      case 'POST vectors/upsert':
        return upsert(index, requests.upsert.parse(body));
      case 'POST query':
        return search(index, requests.query.parse(body));
      case 'POST vectors/delete':
        return remove(index, requests.delete.parse(body));
      case 'GET vectors/fetch': {
        const rows = index.namespaces.get(query.get('namespace') ?? '')?.rows;
        const found = query.getAll('ids').flatMap((id) => rows?.get(id) ?? []);
        const vectors = found.map((row) => [row.id, { id: row.id, values: row.vector, metadata: row.fields }]);
        return { body: { vectors: Object.fromEntries(vectors), namespace: query.get('namespace'), usage: {} } };
      }
      case 'POST describe_index_stats': {
        const counts = [...index.namespaces].map(([name, { rows }]) => [name, { vectorCount: rows.size }] as const);
        const filled = counts.filter(([, { vectorCount }]) => vectorCount > 0);
        return { body: { namespaces: Object.fromEntries(filled), dimension: index.dimension } };
      }
      default:
        throw new Error(`unknown call ${path.join('/')}`);
    }
  }

  function upsert(index: Index, { vectors, namespace }: z.output<typeof requests.upsert>): WireAnswer {
    const rows = index.namespaces.get(namespace) ?? exactIndex({ dimension: index.dimension });
    index.namespaces.set(namespace, rows);
    late.push({
      countdown: 2,
      show: () => {
        for (const { id, values, metadata } of vectors) rows.put({ id, vector: values, fields: metadata });
      },
    });
    return { body: { upsertedCount: vectors.length }, wrote: true };
  }

  function remove(index: Index, asked: z.output<typeof requests.delete>): WireAnswer {
    const rows = index.namespaces.get(asked.namespace);
    if (rows === undefined) return { status: 404, body: { error: 'no such namespace' } };
    const ids = 'ids' in asked ? asked.ids : [...rows.rows.keys()];
    late.push({
      countdown: 2,
      show: () => {
        for (const id of ids) rows.rows.delete(id);
      },
    });
    return { body: {} };
  }
}

function search({ namespaces, metric, dimension }: Index, asked: z.output<typeof requests.query>): WireAnswer {
  const rows = namespaces.get(asked.namespace) ?? exactIndex({ dimension });
  const matches = ({ fields }: Row) =>
    Object.entries(asked.filter).every(([field, wanted]) => wanted?.$in.includes(String(fields[field])));
  const found = rows.nearest({
    vector: asked.vector,
    distance: metrics[metric] ?? 'cosine',
    limit: asked.topK,
    matches,
  });
  const score = { cosine: 'cosine', euclidean: 'squared', dotproduct: 'dot' } as const;
  const field = score[metric as keyof typeof score];
  return {
    body: { matches: found.map((each) => ({ id: each.row.id, score: each[field] })), namespace: asked.namespace },
  };
}
