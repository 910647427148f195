import type * as Qdrant from '@qdrant/js-client-rest';
import { loadPackage } from '../../shared/load-package.js';
import type { Distance, IndexShape, VectorDriver, VectorStore, Where } from '../contract.js';
import {
  inBatches,
  lastOfEach,
  matchesNothing,
  nearestComplete,
  requireDimension,
  requireShape,
  vectorsOf,
} from '../shared/nearest.js';

const needs = { package: '@qdrant/js-client-rest', range: '1.18.0' };

/** Vectors in a collection of Qdrant. */
export const qdrant = {
  name: 'qdrant',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  create: ({ settings }) => createQdrantStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { url: string; apiKey: string; collection: string };

type Query = Parameters<Qdrant.QdrantClient['query']>[1];

const POINTS_A_WRITE = 500;
const IDS_A_PAGE = 5_000;
const MOST_ROWS = 10_000;

/** Qdrant's name of each distance, and the conversion from its score to ours. */
const measures = {
  cosine: { name: 'Cosine', ours: (score: number) => 1 - score }, // 1 - cos
  l2: { name: 'Euclid', ours: (score: number) => score }, // |a - b|
  inner_product: { name: 'Dot', ours: (score: number) => 1 - score }, // 1 - dot
} as const satisfies Record<Distance, { name: string; ours: (score: number) => number }>;

function createQdrantStore({ url, apiKey, collection }: Settings): VectorStore {
  let opened: { client: Qdrant.QdrantClient; shape: IndexShape } | undefined;

  function current() {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const { QdrantClient } = await loadPackage<typeof Qdrant>(needs);
      // Without an explicit port, the client would add 6333.
      const port = Number(new URL(url).port) || (url.startsWith('https') ? 443 : 80);
      // Sent as our own header, because the client warns on standard error about a key over plain HTTP.
      const headers = apiKey === '' ? {} : { 'api-key': apiKey };
      const client = new QdrantClient({ url, port, headers, checkCompatibility: false });
      opened = { client, shape };
      const { exists } = await client.collectionExists(collection);
      if (!exists) return createCollection(client, collection, shape);
      const found = shapeOf((await client.getCollection(collection)).config.params.vectors);
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { client, shape: { ...shape, ...found } };
      requireShape(shape, found);
    },

    async upsert(points) {
      const { client, shape } = current();
      requireDimension(shape, vectorsOf(points));
      for (const batch of inBatches(lastOfEach(points), POINTS_A_WRITE)) {
        await client.upsert(collection, {
          wait: true,
          points: batch.map(({ id, vector, scope, conversationId }) => ({
            id,
            vector: [...vector],
            payload: { scope, conversation_id: conversationId },
          })),
        });
      }
    },

    async search(vector, { limit, where }) {
      const { client, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const { ours } = measures[shape.distance];
      const request: Query = {
        query: [...vector],
        filter: filterOf(where),
        // Few rows match such a filter, so an exact scan is fast.
        params: { exact: where.ids !== undefined || where.conversationIds !== undefined },
        with_payload: false,
        with_vector: false,
      };
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: Math.max(limit, MOST_ROWS),
        ask: async (rows) => {
          const { points } = await client.query(collection, { ...request, limit: rows });
          return points.map(({ id, score }) => ({ id: String(id), distance: ours(score) }));
        },
      });
    },

    async remove(ids) {
      const { client } = current();
      for (const points of inBatches(ids, POINTS_A_WRITE)) await client.delete(collection, { wait: true, points });
    },

    async count() {
      return (await current().client.count(collection, { exact: true })).count;
    },

    async *ids() {
      const { client } = current();
      const asked = { limit: IDS_A_PAGE, with_payload: false, with_vector: false };
      let offset: string | number | Record<string, unknown> | undefined;
      do {
        const answer = await client.scroll(collection, offset === undefined ? asked : { ...asked, offset });
        yield answer.points.map(({ id }) => String(id));
        offset = answer.next_page_offset ?? undefined;
      } while (offset !== undefined);
    },

    async reset(shape) {
      const { client } = current();
      await client.deleteCollection(collection);
      await createCollection(client, collection, shape);
      opened = { client, shape };
    },

    async close() {
      opened = undefined;
    },
  };
}

async function createCollection(client: Qdrant.QdrantClient, collection: string, { dimension, distance }: IndexShape) {
  await client.createCollection(collection, { vectors: { size: dimension, distance: measures[distance].name } });
  for (const field of ['scope', 'conversation_id']) {
    await client.createPayloadIndex(collection, { wait: true, field_name: field, field_schema: 'keyword' });
  }
}

/** A collection with several named vectors was not created by us. */
function shapeOf(vectors: unknown): Partial<IndexShape> {
  const { size, distance: name } = (vectors ?? {}) as { size?: unknown; distance?: unknown };
  const distance = qdrant.distances.find((each) => measures[each].name === name);
  return { ...(typeof size === 'number' && { dimension: size }), ...(distance && { distance }) };
}

function filterOf({ scopes, conversationIds, ids }: Where): Qdrant.Schemas['Filter'] {
  return {
    must: [
      { key: 'scope', match: { any: [...scopes] } },
      ...(conversationIds ? [{ key: 'conversation_id', match: { any: [...conversationIds] } }] : []),
      ...(ids ? [{ has_id: [...ids] }] : []),
    ],
  };
}
