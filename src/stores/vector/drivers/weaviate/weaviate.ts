import { loadPackage } from '../../../shared/load-package.js';
import type { IndexShape, VectorStore, Where } from '../../contract.js';
import type { VectorDriver } from '../../driver.js';
import { matchesNothing, nearestComplete } from '../../shared/complete.js';
import { opaque, opaqueList } from '../../shared/opaque.js';
import { inBatches, lastOfEach, requireDimension, requireShape, vectorsOf } from '../../shared/points.js';
import { type Client, type Collection, type Filter, needs, type Weaviate } from './client.js';
import { collectionOf, measures, shapeOf } from './collection.js';

/** Vectors in a collection of Weaviate. */
export const weaviate = {
  name: 'weaviate',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  limits: 'at most 10,000 hits a search; gRPC at port 50051, or as the address says with ?grpc_port=',
  create: ({ settings }) => createWeaviateStore(settings as Settings),
} as const satisfies VectorDriver;

type Settings = { url: string; api_key: string; collection: string };

const POINTS_A_WRITE = 500;
const MOST_ROWS = 10_000;

function createWeaviateStore({ url, api_key: apiKey, collection: name }: Settings): VectorStore {
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
      // What does not fit stays open all the same, because reset is the way out of it.
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
        if (hasErrors) throw new Error('Weaviate refused some of the vectors.');
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

/** Its search speaks gRPC at a port of its own, for which the settings have no key: the cloud's is 443 at `grpc-…`. */
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
