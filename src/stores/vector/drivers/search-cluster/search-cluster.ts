import type { Distance, IndexShape, VectorStore, Where } from '../../contract.js';
import {
  inBatches,
  lastOfEach,
  matchesNothing,
  nearestComplete,
  requireDimension,
  requireShape,
  vectorsOf,
} from '../../shared/nearest.js';

/** The default limit on results of an index. */
export const MOST_ROWS = 10_000;
const BYTES_A_WRITE = 5_000_000;

/** Converts the score, which both derive from Lucene's, to our distance. */
const measures = {
  cosine: (score: number) => 2 - 2 * score, // score (1 + cos) / 2
  l2: (score: number) => Math.sqrt(Math.max(0, 1 / score - 1)), // score 1 / (1 + |a - b|²)
  inner_product: (score: number) => (score >= 1 ? 2 - score : 1 / score), // score 1 + dot, or 1 / (1 - dot) below zero
} as const satisfies Record<Distance, (score: number) => number>;

export function createClusterStore(words: ClusterWords): VectorStore {
  const { index } = words;
  let opened: { cluster: Cluster; shape: IndexShape } | undefined;

  function current() {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const cluster = await words.connect();
      opened = { cluster, shape };
      const exists = await cluster.request({ method: 'HEAD', path: `/${index}` });
      if (exists !== true) return createIndex(cluster, words, shape);
      const found = shapeOf(await cluster.request({ method: 'GET', path: `/${index}/_mapping` }));
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { cluster, shape: { ...shape, ...found } };
      requireShape(shape, found);
    },

    async upsert(points) {
      const { cluster, shape } = current();
      requireDimension(shape, vectorsOf(points));
      // About twelve bytes per number of a vector.
      const batch = Math.max(1, Math.min(1_000, Math.floor(BYTES_A_WRITE / (shape.dimension * 12))));
      for (const some of inBatches(lastOfEach(points), batch)) {
        const lines = some.flatMap(({ id, vector, scope, conversationId }) => [
          { index: { _id: id } },
          { scope, conversation_id: conversationId, vector: [...vector] },
        ]);
        await bulk(cluster, index, lines);
      }
    },

    async search(vector, { limit, where }) {
      const { cluster, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const ours = measures[shape.distance];
      const filter = filterOf(where);
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: MOST_ROWS,
        ask: async (rows) => {
          const body = { ...words.query({ vector: [...vector], rows, filter }), size: rows, _source: false };
          const answer = await cluster.request({ method: 'POST', path: `/${index}/_search`, body });
          const { hits } = (answer as { hits: { hits: { _id: string; _score: number }[] } }).hits;
          return hits.map(({ _id, _score }) => ({ id: _id, distance: ours(_score) }));
        },
      });
    },

    async remove(ids) {
      const { cluster } = current();
      for (const batch of inBatches(ids, 1_000)) {
        const lines = batch.map((id) => ({ delete: { _id: id } }));
        await bulk(cluster, index, lines);
      }
    },

    async count() {
      const { count } = (await current().cluster.request({ method: 'GET', path: `/${index}/_count` })) as {
        count: number;
      };
      return count;
    },

    async reset(shape) {
      const { cluster } = current();
      await cluster.request({ method: 'DELETE', path: `/${index}` });
      await createIndex(cluster, words, shape);
      opened = { cluster, shape };
    },

    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.cluster.close();
    },
  };
}

/** The refresh makes the writes visible to the next search. */
async function bulk(cluster: Cluster, index: string, bulkBody: object[]): Promise<void> {
  const querystring = { refresh: 'true' };
  const answer = await cluster.request({ method: 'POST', path: `/${index}/_bulk`, querystring, bulkBody });
  const { items } = answer as { items: Record<string, { status: number }>[] };
  const refused = items.flatMap(Object.values).find(({ status }) => status >= 300 && status !== 404);
  if (refused !== undefined) throw new Error(`The index rejected a vector: status ${refused.status}.`);
}

function filterOf({ scopes, conversationIds, ids }: Where): object {
  return {
    bool: {
      filter: [
        { terms: { scope: scopes } },
        ...(conversationIds ? [{ terms: { conversation_id: conversationIds } }] : []),
        ...(ids ? [{ ids: { values: ids } }] : []),
      ],
    },
  };
}

/** What Elasticsearch and OpenSearch share: everything but the syntax of vector mappings and vector queries. */
export interface Cluster {
  request(call: ClusterCall): Promise<unknown>;
  close(): Promise<void>;
}

export interface ClusterCall {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  querystring?: Record<string, string>;
  body?: object;
  /** Lines of a bulk request, each one JSON document. */
  bulkBody?: object[];
}

interface ClusterWords {
  connect(): Promise<Cluster>;
  index: string;
  /** Settings of the index, and the mapping of its field `vector`. */
  settings: object;
  vectorMapping(shape: IndexShape): object;
  /** The query for the nearest `rows` rows that match `filter`. */
  query(asked: { vector: number[]; rows: number; filter: object }): object;
}

/** The basic authentication header; none without a user. */
export function basicAuthorization(username: string, password: string): { headers?: { authorization: string } } {
  if (username === '') return {};
  const credentials = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  return { headers: { authorization: `Basic ${credentials}` } };
}

/** Stored in the index with its shape, for later versions to check before they touch the rows. */
const SCHEMA_VERSION = 1;

async function createIndex(cluster: Cluster, words: ClusterWords, shape: IndexShape): Promise<void> {
  const { dimension, distance } = shape;
  const mappings = {
    dynamic: 'strict',
    _meta: { threadkeep_schema_version: SCHEMA_VERSION, dimension, distance },
    properties: {
      scope: { type: 'keyword' },
      conversation_id: { type: 'keyword' },
      vector: words.vectorMapping(shape),
    },
  };
  await cluster.request({ method: 'PUT', path: `/${words.index}`, body: { settings: words.settings, mappings } });
}

/** An alias returns the name of the index behind it, so the name is not checked. */
function shapeOf(answer: unknown): Partial<IndexShape> {
  const [found] = Object.values(answer as Record<string, { mappings: { _meta?: Record<string, unknown> } }>);
  const { threadkeep_schema_version: version, dimension, distance } = found?.mappings._meta ?? {};
  if (version !== SCHEMA_VERSION)
    throw new Error('The index was not created by this version of Threadkeep: set another one.');
  return { dimension: Number(dimension), distance: distance as Distance };
}
