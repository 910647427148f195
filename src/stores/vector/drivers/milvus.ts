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
import { opaque, opaqueList } from '../shared/remote.js';

const needs = { package: '@zilliz/milvus2-sdk-node', range: '3.0.6' };

/** Vectors in a collection of Milvus. */
export const milvus = {
  name: 'milvus',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  limits: 'at most 16,384 hits per search',
  create: ({ settings }) => createMilvusStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { uri: string; token: string; collection: string };

const POINTS_A_WRITE = 1_000;
const MOST_ROWS = 16_384;

function createMilvusStore({ uri, token, collection: collection_name }: Settings): VectorStore {
  let opened: { client: Client; shape: IndexShape } | undefined;

  function current() {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const { MilvusClient } = await loadPackage<Library>(needs);
      // More verbose levels print requests, including vectors.
      const client = new MilvusClient({ address: uri, ...(token && { token }), timeout: 30_000, logLevel: 'error' });
      opened = { client, shape };
      await client.connectPromise;
      const { value } = await accepted(client.hasCollection({ collection_name }));
      if (value !== true) return createCollection(client, collection_name, shape);
      const found = await shapeOf(client, collection_name);
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { client, shape: { ...shape, ...found } };
      requireShape(shape, found);
      await accepted(client.loadCollectionSync({ collection_name }));
    },

    async upsert(points) {
      const { client, shape } = current();
      requireDimension(shape, vectorsOf(points));
      for (const batch of inBatches(lastOfEach(points), POINTS_A_WRITE)) {
        const data = batch.map(({ id, vector, scope, conversationId }) => ({
          id,
          scope: opaque(scope),
          conversation_id: opaque(conversationId),
          vector: [...vector],
        }));
        await accepted(client.upsert({ collection_name, data }));
      }
    },

    async search(vector, { limit, where }) {
      const { client, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const { metric, ours } = measures[shape.distance];
      const request = {
        collection_name,
        data: [[...vector]],
        anns_field: 'vector',
        metric_type: metric,
        filter: filterOf(where),
        output_fields: ['id'],
        consistency_level: 'Strong',
      };
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: MOST_ROWS,
        ask: async (rows) => {
          const { results } = await accepted(client.search({ ...request, limit: rows }));
          // One query gives one list; some versions return it without the outer list.
          return results.flat().map(({ id, score }) => ({ id, distance: ours(score) }));
        },
      });
    },

    async remove(ids) {
      const { client } = current();
      for (const batch of inBatches(ids, POINTS_A_WRITE)) {
        await accepted(client.delete({ collection_name, ids: batch }));
      }
    },

    async count() {
      const { data } = await accepted(current().client.count({ collection_name, consistency_level: 'Strong' }));
      return Number(data);
    },

    async reset(shape) {
      const { client } = current();
      await accepted(client.dropCollection({ collection_name }));
      await createCollection(client, collection_name, shape);
      opened = { client, shape };
    },

    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.client.closeConnection();
    },
  };
}

function filterOf({ scopes, conversationIds, ids }: Where): string {
  const isOneOf = (field: string, texts: readonly string[]) => `${field} in ${JSON.stringify(texts)}`;
  return [
    isOneOf('scope', opaqueList(scopes)),
    ...(conversationIds ? [isOneOf('conversation_id', opaqueList(conversationIds))] : []),
    ...(ids ? [isOneOf('id', ids)] : []),
  ].join(' and ');
}

/**
 * The parts of the official client that this driver uses. The package, which has types, is not a development dependency:
 * its gRPC packages are too heavy.
 */
interface Status {
  error_code?: string | number;
  code?: number;
}

type Answer<Body = object> = Promise<Body & ({ status: Status } | Status)>;

interface Client {
  connectPromise: Promise<unknown>;
  hasCollection(request: object): Answer<{ value: unknown }>;
  describeCollection(request: object): Answer<{
    schema: { fields: { name: string; type_params?: { key: string; value: string }[] }[] };
  }>;
  describeIndex(request: object): Answer<{ index_descriptions: { params: { key: string; value: string }[] }[] }>;
  createCollection(request: object): Answer;
  loadCollectionSync(request: object): Answer;
  dropCollection(request: object): Answer;
  upsert(request: object): Answer;
  search(request: object): Answer<{ results: { id: string; score: number }[] }>;
  delete(request: object): Answer;
  count(request: object): Answer<{ data: number | string }>;
  closeConnection(): Promise<unknown>;
}

interface Library {
  MilvusClient: new (options: object) => Client;
}

/** Milvus's name of each distance, and the conversion from its score to ours. */
const measures = {
  cosine: { metric: 'COSINE', ours: (score: number) => 1 - score }, // 1 - cos
  l2: { metric: 'L2', ours: (score: number) => Math.sqrt(score) }, // root of |a - b|²
  inner_product: { metric: 'IP', ours: (score: number) => 1 - score }, // 1 - dot
} as const satisfies Record<Distance, { metric: string; ours: (score: number) => number }>;

async function createCollection(client: Client, collection_name: string, { dimension, distance }: IndexShape) {
  const text = (name: string) => ({ name, data_type: 'VarChar', max_length: 65_535 });
  await accepted(
    client.createCollection({
      collection_name,
      fields: [
        { name: 'id', data_type: 'VarChar', max_length: 64, is_primary_key: true },
        text('scope'),
        text('conversation_id'),
        { name: 'vector', data_type: 'FloatVector', dim: dimension },
      ],
      index_params: [{ field_name: 'vector', index_type: 'AUTOINDEX', metric_type: measures[distance].metric }],
      consistency_level: 'Strong',
    }),
  );
}

async function shapeOf(client: Client, collection_name: string): Promise<Partial<IndexShape>> {
  const { schema } = await accepted(client.describeCollection({ collection_name }));
  const field = schema.fields.find(({ name }) => name === 'vector');
  const dimension = Number(field?.type_params?.find(({ key }) => key === 'dim')?.value ?? 0);
  const { index_descriptions } = await accepted(client.describeIndex({ collection_name, field_name: 'vector' }));
  const metric = index_descriptions[0]?.params.find(({ key }) => key === 'metric_type')?.value;
  const distance = milvus.distances.find((each) => measures[each].metric === metric);
  return { dimension, ...(distance && { distance }) };
}

/**
 * The client returns most errors instead of throwing them. Their messages may repeat the request, so only the code is
 * reported.
 */
async function accepted<Body>(answer: Answer<Body>): Promise<Body> {
  const body = await answer;
  const { error_code: code } = 'status' in body ? body.status : body;
  if (code === undefined || code === 'Success' || code === 0) return body;
  throw new Error(`Milvus rejected the request: ${code}.`);
}
