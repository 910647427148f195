import { createSerialQueue } from '../../../concurrency/locks.js';
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

const needs = { package: 'chromadb', range: '3.5.0' };

/** Vectors in a collection of a Chroma server. */
export const chromadb = {
  name: 'chromadb',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  limits: 'approximate; every search reads an HNSW graph',
  create: ({ settings }) => createChromaStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { url: string; collection: string };

const MOST_ROWS = 10_000;
/** A wide graph and a high search effort for good recall: the collections are small enough for both. */
const effort = { ef_construction: 400, ef_search: 400, max_neighbors: 48 };

/** Chroma's name of each distance, and the conversion to ours. */
const measures = {
  cosine: { space: 'cosine', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { space: 'l2', ours: (theirs: number) => Math.sqrt(theirs) }, // root of |a - b|²
  inner_product: { space: 'ip', ours: (theirs: number) => theirs }, // 1 - dot
} as const satisfies Record<Distance, { space: string; ours: (theirs: number) => number }>;

interface Opened {
  client: Client;
  collection: Collection;
  shape: IndexShape;
  batch: number;
  graph: Graph;
}

function createChromaStore({ url, collection: name }: Settings): VectorStore {
  let opened: Opened | undefined;

  function current(): Opened {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const { ChromaClient } = await loadPackage<Library>(needs);
      const { hostname, port, protocol } = new URL(url);
      const ssl = protocol === 'https:';
      const client = new ChromaClient({ host: hostname, port: Number(port) || (ssl ? 443 : 80), ssl });
      const collection = await client.getOrCreateCollection(collectionOf(name, shape));
      const found = shapeOf(collection.metadata);
      // A store with a different shape stays open, so that `reset` can replace it.
      const graph = graphOf(collection);
      opened = { client, collection, shape: { ...shape, ...found }, batch: await client.getMaxBatchSize(), graph };
      requireShape(shape, found);
    },

    async upsert(points) {
      const { collection, shape, batch, graph } = current();
      requireDimension(shape, vectorsOf(points));
      for (const some of inBatches(lastOfEach(points), batch)) {
        const records = {
          ids: some.map((point) => point.id),
          embeddings: some.map((point) => [...point.vector]),
          metadatas: some.map((point) => ({ scope: point.scope, conversation_id: point.conversationId })),
        };
        await graph.write(() => collection.upsert(records));
      }
    },

    async search(vector, { limit, where }) {
      const { collection, shape, graph } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where }) || !(await graph.isReady(vector))) return [];
      const { ours } = measures[shape.distance];
      const filter = { where: filterOf(where), ...(where.ids && { ids: where.ids }) };
      const narrow = where.ids !== undefined || where.conversationIds !== undefined;
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: Math.max(limit, MOST_ROWS),
        ask: async (rows) => {
          const asked = { ...filter, queryEmbeddings: [[...vector]], nResults: rows, include: ['distances'] };
          const { ids, distances } = narrow ? { ids: [], distances: [] } : await collection.query(asked);
          const found = (ids[0] ?? []).map((id, i) => ({ id, distance: ours(distances[0]?.[i] ?? Number.NaN) }));
          return found.length < rows ? measureAll(collection, { filter, vector, shape }) : found;
        },
      });
    },

    async remove(ids) {
      const { collection, batch } = current();
      for (const some of inBatches(ids, batch)) await collection.delete({ ids: some });
    },

    async count() {
      return current().collection.count();
    },

    async reset(shape) {
      const { client, batch } = current();
      await client.deleteCollection({ name });
      const collection = await client.createCollection(collectionOf(name, shape));
      opened = { client, collection, shape, batch, graph: graphOf(collection) };
    },

    async close() {
      opened = undefined;
    },
  };
}

/** Chroma learns the dimension from the first vector, so it is recorded in the collection's metadata. */
function collectionOf(name: string, { dimension, distance }: IndexShape) {
  return {
    name,
    configuration: { hnsw: { space: measures[distance].space, ...effort } },
    metadata: { threadkeep_dimension: dimension, threadkeep_distance: distance },
    embeddingFunction: null,
  };
}

function shapeOf(metadata: Record<string, unknown> = {}): Partial<IndexShape> {
  const { threadkeep_dimension: dimension, threadkeep_distance: distance } = metadata;
  if (typeof dimension !== 'number' || typeof distance !== 'string') return {};
  return { dimension, distance: distance as Distance };
}

function filterOf({ scopes, conversationIds }: Where) {
  const inScopes = { scope: { $in: scopes } };
  return conversationIds ? { $and: [inScopes, { conversation_id: { $in: conversationIds } }] } : inScopes;
}

/**
 * The parts of the official client that this driver uses. The package, which has types, is not a development dependency:
 * its native parts are too heavy.
 */
interface Collection {
  metadata?: Record<string, unknown>;
  upsert(records: object): Promise<void>;
  query(options: object): Promise<{ ids: string[][]; distances: (number | null)[][] }>;
  get(options: object): Promise<{ ids: string[]; embeddings: number[][] }>;
  delete(options: { ids: readonly string[] }): Promise<unknown>;
  count(): Promise<number>;
}

interface Client {
  getOrCreateCollection(options: object): Promise<Collection>;
  createCollection(options: object): Promise<Collection>;
  deleteCollection(options: { name: string }): Promise<void>;
  getMaxBatchSize(): Promise<number>;
}

interface Library {
  ChromaClient: new (options: { host: string; port: number; ssl: boolean }) => Client;
}

interface Graph {
  /** Whether there is anything to search; `vector` is any vector of the right dimension. */
  isReady(vector: Float32Array): Promise<boolean>;
  /** Runs a write; until the graph exists, never concurrently with a query. */
  write(work: () => Promise<void>): Promise<void>;
}

/**
 * Chroma builds a collection's graph during the first query after the first rows, and fails other queries at that time
 * or while those rows are written. So we make that query ourselves, once and exclusively, and everything else waits for
 * it.
 */
function graphOf(collection: Collection): Graph {
  const alone = createSerialQueue();
  let isMade = false;

  async function make(vector: Float32Array): Promise<boolean> {
    if (isMade || (await collection.count()) === 0) return isMade;
    await collection.query({ queryEmbeddings: [[...vector]], nResults: 1, include: ['distances'] });
    isMade = true;
    return isMade;
  }

  return {
    isReady: async (vector) => isMade || alone(() => make(vector)),
    write: (work) => (isMade ? work() : alone(work)),
  };
}

/**
 * Graph search can miss the few rows of a narrow filter among many other rows, so a short result may be incomplete.
 * Such filters match few rows, which are read and measured here exactly.
 */
async function measureAll(
  collection: Collection,
  { filter, vector, shape }: { filter: object; vector: Float32Array; shape: IndexShape },
): Promise<NearestPoint[]> {
  const { ids, embeddings } = await collection.get({ ...filter, include: ['embeddings'], limit: SCAN_ROWS });
  const distance = distanceFrom(shape.distance, vector);
  return ids.map((id, i) => ({ id, distance: distance(Float32Array.from(embeddings[i] ?? []), 0) }));
}
