import { randomUUID } from 'node:crypto';
import type * as Mongo from 'mongodb';
import { loadPackage } from '../../shared/load-package.js';
import type { Distance, IndexShape, NearestPoint, VectorDriver, VectorStore, Where } from '../contract.js';
import {
  distanceFrom,
  inBatches,
  lastOfEach,
  matchesNothing,
  nearestComplete,
  requireDimension,
  requireShape,
  SCAN_ROWS,
  vectorsOf,
} from '../shared/nearest.js';
import { until } from '../shared/remote.js';

const needs = { package: 'mongodb', range: '7.8.0' };

/** Vectors in a collection of MongoDB Atlas with a vector search index. */
export const mongodbAtlas = {
  name: 'mongodb_atlas',
  persistent: true,
  distances: ['cosine', 'l2'],
  needs,
  limits: 'at most 10,000 hits per search; a write waits until the search index shows it',
  create: ({ settings }) => createAtlasStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { uri: string; database: string; collection: string; index: string };

const POINTS_A_WRITE = 1_000;
const MOST_ROWS = 10_000;

interface Opened {
  client: Mongo.MongoClient;
  collection: Mongo.Collection<Row>;
  shape: IndexShape;
  encode: (vector: Float32Array) => Mongo.Binary;
}

function createAtlasStore({ uri, database, collection: name, index }: Settings): VectorStore {
  let opened: Opened | undefined;

  function current(): Opened {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  /** The pipeline's first stage; `exact` measures every row that matches the filter. */
  function nearest(vector: Mongo.Binary, { rows, filter, exact }: { rows: number; filter: object; exact: boolean }) {
    const effort = exact ? { exact } : { numCandidates: Math.min(MOST_ROWS, Math.max(rows * 10, 1_000)) };
    return { $vectorSearch: { index, path: 'vector', queryVector: vector, limit: rows, filter, ...effort } };
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const { MongoClient, Binary } = await loadPackage<typeof Mongo>(needs);
      const client = new MongoClient(uri, { appName: 'threadkeep', serverSelectionTimeoutMS: 10_000 });
      const collection = client.db(database).collection<Row>(name);
      opened = { client, collection, shape, encode: (vector) => Binary.fromFloat32Array(vector) };
      // A search index needs its collection, and creating an existing collection fails.
      const known = await client.db(database).listCollections({ name }).toArray();
      if (known.length === 0) await client.db(database).createCollection(name);
      const [found]: SearchIndex[] = await collection.listSearchIndexes(index).toArray();
      if (found === undefined) {
        await collection.createSearchIndex({ name: index, type: 'vectorSearch', definition: definitionOf(shape) });
        return ready(collection, index, shape);
      }
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { ...opened, shape: { ...shape, ...shapeOf(found) } };
      requireShape(shape, shapeOf(found));
      await ready(collection, index, shape);
    },

    async upsert(points) {
      const { collection, shape, encode } = current();
      requireDimension(shape, vectorsOf(points));
      const last = points.at(-1);
      if (last === undefined) return;
      const write = randomUUID();
      const before = (await collection.findOne({ _id: last.id }, { projection: { write: 1 } }))?.write;
      for (const batch of inBatches(lastOfEach(points), POINTS_A_WRITE)) {
        const operations = batch.map(({ id, vector, scope, conversationId }) => {
          const row = { point: id, scope, conversation_id: conversationId, vector: encode(vector), write };
          return { replaceOne: { filter: { _id: id }, replacement: row, upsert: true } };
        });
        await collection.bulkWrite(operations, { ordered: false });
      }
      // The index lags behind the collection. Another writer of the same row may have been first.
      const filter = { point: last.id, ...(typeof before === 'string' && { write: { $ne: before } }) };
      const search = nearest(encode(last.vector), { rows: 1, filter, exact: true });
      await until('Atlas shows the write', async () => {
        return (await collection.aggregate([search, { $project: { _id: 1 } }]).toArray()).length > 0;
      });
    },

    async search(vector, { limit, where }) {
      const { collection, shape, encode } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const filter = filterOf(where);
      const exact = (await collection.countDocuments(filter, { limit: SCAN_ROWS })) < SCAN_ROWS;
      const distance = distanceFrom(shape.distance, vector);
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: MOST_ROWS,
        ask: async (rows): Promise<NearestPoint[]> => {
          const pipeline = [nearest(encode(vector), { rows, filter, exact }), { $project: { _id: 1, vector: 1 } }];
          const found = await collection.aggregate<{ _id: string; vector: Mongo.Binary }>(pipeline).toArray();
          // Scores differ between versions, so the vectors are returned and measured here: 1 - cos, |a - b|.
          return found.map((row) => ({ id: row._id, distance: distance(row.vector.toFloat32Array(), 0) }));
        },
      });
    },

    async remove(ids) {
      const { collection } = current();
      for (const batch of inBatches(ids, POINTS_A_WRITE)) await collection.deleteMany({ _id: { $in: batch } });
    },

    async count() {
      return current().collection.countDocuments({});
    },

    async reset(shape) {
      const { collection } = current();
      await collection.deleteMany({});
      await collection.updateSearchIndex(index, definitionOf(shape));
      await ready(collection, index, shape);
      opened = { ...current(), shape };
    },

    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.client.close();
    },
  };
}

function filterOf({ scopes, conversationIds, ids }: Where) {
  return {
    scope: { $in: scopes },
    ...(conversationIds && { conversation_id: { $in: conversationIds } }),
    ...(ids && { point: { $in: ids } }),
  };
}

/** What Atlas reports about a search index; the client's own type has only its name. */
interface SearchIndex {
  name: string;
  status?: string;
  queryable?: boolean;
  latestDefinition?: { fields?: { type: string; path: string; numDimensions?: number; similarity?: string }[] };
}

interface Row extends Mongo.Document {
  _id: string;
  point: string;
  scope: string;
  conversation_id: string;
  vector: Mongo.Binary;
  write: string;
}

/** Atlas's name of each distance. */
const similarities = { cosine: 'cosine', l2: 'euclidean' } as const satisfies Partial<Record<Distance, string>>;

/** Waits until the index is queryable with this shape. */
function ready(collection: Mongo.Collection<Row>, index: string, shape: IndexShape): Promise<void> {
  return until('Atlas has built the search index', async () => {
    const [found]: SearchIndex[] = await collection.listSearchIndexes(index).toArray();
    const { dimension, distance } = found === undefined ? {} : shapeOf(found);
    const isOurs = dimension === shape.dimension && distance === shape.distance;
    return isOurs && found?.queryable === true && found.status === 'READY';
  });
}

/** The index definition of our fields for this shape. */
function definitionOf({ dimension, distance }: IndexShape) {
  const similarity = similarities[distance as keyof typeof similarities];
  const filters = ['point', 'scope', 'conversation_id', 'write'].map((path) => ({ type: 'filter', path }));
  return { fields: [{ type: 'vector', path: 'vector', numDimensions: dimension, similarity }, ...filters] };
}

function shapeOf({ latestDefinition }: SearchIndex): Partial<IndexShape> {
  const field = latestDefinition?.fields?.find((each) => each.type === 'vector' && each.path === 'vector');
  const distance = mongodbAtlas.distances.find((each) => similarities[each] === field?.similarity);
  return { dimension: Number(field?.numDimensions ?? 0), ...(distance && { distance }) };
}
