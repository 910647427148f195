import { randomUUID } from 'node:crypto';
import type * as Library from '@pinecone-database/pinecone';
import { StartupError } from '../../../model/errors.js';
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
import { until } from '../shared/remote.js';

const needs = { package: '@pinecone-database/pinecone', range: '8.2.0' };

/** Vectors in a namespace of a serverless index of Pinecone. */
export const pinecone = {
  name: 'pinecone',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  limits: 'at most 10,000 hits per search; a write waits until Pinecone shows it',
  create: ({ settings }) => createPineconeStore(settings),
} as const satisfies VectorDriver<PineconeSettings>;

/** Below Pinecone's limit of two megabytes per request. */
const BYTES_A_WRITE = 1_500_000;
const IDS_A_DELETE = 1_000;
const MOST_ROWS = 10_000;

function createPineconeStore(settings: PineconeSettings): VectorStore {
  const { index: name, namespace } = settings;
  let opened: { client: Library.Pinecone; index: Library.Index; shape: IndexShape } | undefined;

  function current() {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  async function rowsOf(index: Library.Index): Promise<number> {
    return (await index.describeIndexStats()).namespaces?.[namespace]?.recordCount ?? 0;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const { Pinecone } = await loadPackage<typeof Library>(needs);
      // The client's own environment variable for another controller, which it reads only when created without options.
      const controller = process.env.PINECONE_CONTROLLER_HOST;
      const client = new Pinecone({ apiKey: settings.apiKey, ...(controller && { controllerHostUrl: controller }) });
      const { indexes = [] } = await client.listIndexes();
      if (!indexes.some((each) => each.name === name)) await createIndex(client, settings, shape);
      const found = await client.describeIndex(name);
      // A store with a different shape stays open, so that `reset` can replace it.
      const actual = { ...shape, ...shapeOf(found) };
      opened = { client, index: client.index({ host: found.host, namespace }), shape: actual };
      requireShape(shape, shapeOf(found));
    },

    async upsert(points) {
      const { index, shape } = current();
      requireDimension(shape, vectorsOf(points));
      const last = points.at(-1)?.id;
      if (last === undefined) return;
      const before = await stampOf(index, last);
      // About twelve bytes per number plus overhead; at most a thousand rows.
      const size = Math.max(1, Math.min(1_000, Math.floor(BYTES_A_WRITE / (shape.dimension * 12 + 300))));
      const write = randomUUID();
      for (const batch of inBatches(lastOfEach(points), size)) {
        const records = batch.map(({ id, vector, scope, conversationId }) => ({
          id,
          values: [...vector],
          metadata: { id, scope, conversation_id: conversationId, write },
        }));
        await index.upsert({ records });
      }
      // Does not wait for our own value: another writer of the same row may have won.
      await until('Pinecone shows the write', async () => {
        const shown = await stampOf(index, last);
        return shown !== undefined && shown !== before;
      });
    },

    async search(vector, { limit, where }) {
      const { index, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const { ours } = measures[shape.distance];
      const request: Request = {
        vector: [...vector],
        filter: filterOf(where),
        includeMetadata: false,
        includeValues: false,
      };
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: MOST_ROWS,
        ask: async (rows) => {
          const { matches } = await index.query({ ...request, topK: rows });
          return matches.map(({ id, score }) => ({ id, distance: ours(score ?? Number.NaN) }));
        },
      });
    },

    async remove(ids) {
      const { index } = current();
      const last = ids.at(-1);
      // A namespace without rows does not exist, and deleting from it fails.
      if (last === undefined || (await rowsOf(index)) === 0) return;
      for (const batch of inBatches(ids, IDS_A_DELETE)) await index.deleteMany({ ids: batch });
      await until('Pinecone shows the removal', async () => {
        return (await stampOf(index, last)) === undefined;
      });
    },

    async count() {
      return rowsOf(current().index);
    },

    async reset(shape) {
      const { client, index, shape: before } = current();
      const same = shape.dimension === before.dimension && shape.distance === before.distance;
      if (same) {
        if ((await rowsOf(index)) > 0) await index.deleteAll();
        return until('Pinecone shows the removal', async () => (await rowsOf(index)) === 0);
      }
      refuseUnlessAllowed(settings, 'was created for other vectors');
      await client.deleteIndex(name);
      await createIndex(client, settings, shape);
      const { host } = await client.describeIndex(name);
      opened = { client, index: client.index({ host, namespace }), shape };
    },

    async close() {
      opened = undefined;
    },
  };
}

type Request = Omit<Library.QueryByVectorValues, 'topK'>;

/** The write that a row comes from. */
async function stampOf(index: Library.Index, id: string): Promise<unknown> {
  return (await index.fetch({ ids: [id] })).records[id]?.metadata?.write;
}

function filterOf({ scopes, conversationIds, ids }: Where) {
  return {
    scope: { $in: scopes },
    ...(conversationIds && { conversation_id: { $in: conversationIds } }),
    ...(ids && { id: { $in: ids } }),
  };
}

type PineconeSettings = {
  apiKey: string;
  index: string;
  namespace: string;
  cloud: string;
  region: string;
  createIndex: boolean;
};

/** Pinecone's name of each distance, and the conversion from its score to ours. */
const measures = {
  cosine: { metric: 'cosine', ours: (score: number) => 1 - score }, // 1 - cos
  l2: { metric: 'euclidean', ours: (score: number) => Math.sqrt(Math.max(0, score)) }, // root of |a - b|²
  inner_product: { metric: 'dotproduct', ours: (score: number) => 1 - score }, // 1 - dot
} as const satisfies Record<Distance, { metric: string; ours: (score: number) => number }>;

/** Only if the settings allow creating one. */
async function createIndex(
  client: Library.Pinecone,
  settings: PineconeSettings,
  { dimension, distance }: IndexShape,
): Promise<void> {
  refuseUnlessAllowed(settings, 'does not exist');
  const { index: name, cloud, region } = settings;
  const { metric } = measures[distance];
  await client.createIndex({ name, dimension, metric, spec: { serverless: { cloud, region } }, waitUntilReady: true });
}

function refuseUnlessAllowed({ index, createIndex: allowed }: PineconeSettings, why: string): void {
  if (allowed) return;
  throw new StartupError('driver_unavailable', `The Pinecone index ${index} ${why}.`, {
    hint: 'Create it, or set storage.vector_providers.pinecone.create_index to true.',
  });
}

function shapeOf({ dimension, metric }: Library.IndexModel): Partial<IndexShape> {
  const distance = pinecone.distances.find((each) => measures[each].metric === metric);
  return { ...(dimension !== undefined && { dimension }), ...(distance && { distance }) };
}
