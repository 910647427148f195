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

const needs = { package: 'weaviate-client', range: '3.12.1' };

/** Vectors in a collection of Weaviate. */
export const weaviate = {
  name: 'weaviate',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  limits: 'at most 10,000 hits per search; gRPC at port 50051, or as set in the address with ?grpc_port=',
  create: ({ settings }) => createWeaviateStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { url: string; apiKey: string; collection: string };

const POINTS_A_WRITE = 500;
const MOST_ROWS = 10_000;

function createWeaviateStore({ url, apiKey, collection: name }: Settings): VectorStore {
  let opened: { library: Weaviate; client: Client; collection: Collection; shape: IndexShape } | undefined;

  function current() {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const library = await loadPackage<Weaviate>(needs);
      const client = await library.connectToCustom({
        ...addressOf(url),
        ...(apiKey && { authCredentials: new library.ApiKey(apiKey) }),
      });
      const collection = client.collections.use(name);
      opened = { library, client, collection, shape };
      const exists = await client.collections.exists(name);
      if (!exists) await client.collections.create(collectionOf(library, name, shape));
      const found = shapeOf(await collection.config.get());
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { library, client, collection, shape: { ...shape, ...found } };
      requireShape(shape, found);
    },

    async upsert(points) {
      const { collection, shape } = current();
      requireDimension(shape, vectorsOf(points));
      for (const batch of inBatches(lastOfEach(points), POINTS_A_WRITE)) {
        const objects = batch.map(({ id, vector, scope, conversationId }) => ({
          id,
          vectors: [...vector],
          properties: { scope: opaque(scope), conversation_id: opaque(conversationId) },
        }));
        const { hasErrors } = await collection.data.insertMany(objects);
        if (hasErrors) throw new Error('Weaviate rejected some of the vectors.');
      }
    },

    async search(vector, { limit, where }) {
      const { library, collection, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const { ours } = measures[shape.distance];
      const filters = library.Filters.and(...filtersOf(collection, where));
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: MOST_ROWS,
        ask: async (rows) => {
          const options = { limit: rows, filters, returnMetadata: ['distance'], returnProperties: [] };
          const { objects } = await collection.query.nearVector([...vector], options);
          return objects.map(({ uuid, metadata }) => ({ id: uuid, distance: ours(metadata?.distance ?? Number.NaN) }));
        },
      });
    },

    async remove(ids) {
      const { collection } = current();
      for (const batch of inBatches(ids, POINTS_A_WRITE)) {
        await collection.data.deleteMany(collection.filter.byId().containsAny(batch));
      }
    },

    async count() {
      return current().collection.length();
    },

    async reset(shape) {
      const { library, client } = current();
      await client.collections.delete(name);
      await client.collections.create(collectionOf(library, name, shape));
      opened = { library, client, collection: client.collections.use(name), shape };
    },

    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.client.close();
    },
  };
}

/** Search uses gRPC on a separate port that has no settings key; Weaviate Cloud uses 443 at `grpc-…`. */
function addressOf(url: string) {
  const { hostname, port, protocol, searchParams } = new URL(url);
  const secure = protocol === 'https:';
  const cloud = hostname.endsWith('.weaviate.cloud') || hostname.endsWith('.weaviate.network');
  return {
    httpHost: hostname,
    httpPort: Number(port) || (secure ? 443 : 80),
    httpSecure: secure,
    grpcHost: cloud ? `grpc-${hostname}` : hostname,
    grpcPort: Number(searchParams.get('grpc_port')) || (cloud ? 443 : 50_051),
    grpcSecure: secure,
  };
}

function filtersOf({ filter }: Collection, { scopes, conversationIds, ids }: Where): Filter[] {
  return [
    filter.byProperty('scope').containsAny(opaqueList(scopes)),
    ...(conversationIds ? [filter.byProperty('conversation_id').containsAny(opaqueList(conversationIds))] : []),
    ...(ids ? [filter.byId().containsAny(ids)] : []),
  ];
}

/**
 * The parts of the official client that this driver uses. The package, which has types, is not a development dependency:
 * its gRPC packages are too heavy.
 */
type Filter = object;

interface Collection {
  config: { get(): Promise<{ description?: string; vectorizers: Record<string, { indexConfig: unknown }> }> };
  data: {
    insertMany(objects: object[]): Promise<{ hasErrors: boolean }>;
    deleteMany(where: Filter): Promise<unknown>;
  };
  query: {
    nearVector(
      vector: number[],
      options: object,
    ): Promise<{ objects: { uuid: string; metadata?: { distance?: number } }[] }>;
  };
  filter: {
    byProperty(name: string): { containsAny(values: readonly string[]): Filter };
    byId(): { containsAny(values: readonly string[]): Filter };
  };
  length(): Promise<number>;
}

interface Client {
  collections: {
    exists(name: string): Promise<boolean>;
    create(options: object): Promise<unknown>;
    delete(name: string): Promise<void>;
    use(name: string): Collection;
  };
  close(): Promise<void>;
}

interface Weaviate {
  connectToCustom(options: object): Promise<Client>;
  ApiKey: new (key: string) => object;
  Filters: { and(...filters: Filter[]): Filter };
  configure: {
    vectors: { selfProvided(options: object): object };
    vectorIndex: { hnsw(options: object): object };
  };
}

/** Weaviate's name of each distance, and the conversion to ours. */
const measures = {
  cosine: { metric: 'cosine', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { metric: 'l2-squared', ours: (theirs: number) => Math.sqrt(theirs) }, // root of |a - b|²
  inner_product: { metric: 'dot', ours: (theirs: number) => 1 + theirs }, // 1 + (-dot)
} as const satisfies Record<Distance, { metric: string; ours: (theirs: number) => number }>;

/** Weaviate learns the dimension from the first vector, so it is recorded in the collection's description. */
function collectionOf({ configure }: Weaviate, name: string, { dimension, distance }: IndexShape) {
  const text = (property: string) => ({
    name: property,
    dataType: 'text',
    tokenization: 'field',
    indexSearchable: false,
  });
  const index = configure.vectorIndex.hnsw({ distanceMetric: measures[distance].metric, ef: 500, efConstruction: 256 });
  return {
    name,
    description: JSON.stringify({ threadkeep_dimension: dimension }),
    properties: [text('scope'), text('conversation_id')],
    vectorizers: configure.vectors.selfProvided({ vectorIndexConfig: index }),
  };
}

function shapeOf({ description = '', vectorizers }: Awaited<ReturnType<Collection['config']['get']>>) {
  const dimension = Number(/"threadkeep_dimension":(\d+)/.exec(description)?.[1] ?? 0);
  const { distance: metric } = (Object.values(vectorizers)[0]?.indexConfig ?? {}) as { distance?: unknown };
  const distance = weaviate.distances.find((each) => measures[each].metric === metric);
  return { dimension, ...(distance && { distance }) };
}
