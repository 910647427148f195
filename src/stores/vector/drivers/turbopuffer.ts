import type * as Library from '@turbopuffer/turbopuffer';
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

const needs = { package: '@turbopuffer/turbopuffer', range: '2.8.0' };

/** Vectors in a namespace of turbopuffer. */
export const turbopuffer = {
  name: 'turbopuffer',
  persistent: true,
  distances: ['cosine', 'l2'],
  needs,
  limits: 'at most 10,000 hits per search',
  create: ({ settings }) => createTurbopufferStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { apiKey: string; namespace: string; region: string };

type Query = Library.Turbopuffer.NamespaceQueryParams;
type Filter = NonNullable<Query['filters']>;

const POINTS_A_WRITE = 1_000;
const MOST_ROWS = 10_000;

/** turbopuffer's name of each distance, and the conversion to ours. */
const measures = {
  cosine: { metric: 'cosine_distance', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { metric: 'euclidean_squared', ours: (theirs: number) => Math.sqrt(theirs) }, // root of |a - b|²
} as const satisfies Partial<Record<Distance, { metric: string; ours: (theirs: number) => number }>>;

type Measured = keyof typeof measures;

interface Opened {
  namespace: Library.Turbopuffer.Namespace;
  shape: IndexShape;
  /** A namespace exists once it has a row; before that there is nothing to query. */
  exists: boolean;
}

function createTurbopufferStore({ apiKey, namespace: name, region }: Settings): VectorStore {
  let opened: Opened | undefined;

  function current(): Opened {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  /** Another process may have written the first row. */
  async function isThere(): Promise<boolean> {
    const store = current();
    store.exists ||= await store.namespace.exists();
    return store.exists;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const { default: Turbopuffer } = await loadPackage<typeof Library>(needs);
      // The region determines the address; the client's variable TURBOPUFFER_BASE_URL overrides it.
      const namespace = new Turbopuffer({ apiKey, region }).namespace(name);
      const exists = await namespace.exists();
      const found = exists ? shapeOf((await namespace.metadata()).schema.vector) : shape;
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { namespace, shape: { ...shape, ...found }, exists };
      requireShape(shape, found);
    },

    async upsert(points) {
      const store = current();
      const { namespace, shape } = store;
      requireDimension(shape, vectorsOf(points));
      const { metric } = measures[shape.distance as Measured];
      for (const batch of inBatches(lastOfEach(points), POINTS_A_WRITE)) {
        await namespace.write({
          upsert_rows: batch.map(({ id, vector, scope, conversationId }) => ({
            id,
            vector: [...vector],
            scope,
            conversation_id: conversationId,
          })),
          distance_metric: metric,
          schema: {
            vector: { type: `[${shape.dimension}]f32`, ann: true },
            scope: { type: 'string', filterable: true },
            conversation_id: { type: 'string', filterable: true },
          },
        });
        store.exists = true;
      }
    },

    async search(vector, { limit, where }) {
      const { namespace, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where }) || !(await isThere())) return [];
      const { ours } = measures[shape.distance as Measured];
      // Few rows match such a filter, so an exact scan is fast.
      const exact = where.ids !== undefined || where.conversationIds !== undefined;
      const rank_by: Query['rank_by'] = exact ? ['vector', 'kNN', [...vector]] : ['vector', 'ANN', [...vector]];
      const request: Query = { rank_by, filters: filterOf(where), include_attributes: false };
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: MOST_ROWS,
        ask: async (rows) => {
          const answer = await namespace.query({ ...request, limit: rows });
          return (answer.rows ?? []).map((row) => ({ id: String(row.id), distance: ours(row.$dist ?? Number.NaN) }));
        },
      });
    },

    async remove(ids) {
      if (ids.length === 0 || !(await isThere())) return;
      for (const deletes of inBatches(ids, POINTS_A_WRITE)) await current().namespace.write({ deletes });
    },

    async count() {
      if (!(await isThere())) return 0;
      const { aggregations } = await current().namespace.query({ aggregate_by: { rows: ['Count', 'id'] } });
      return Number(aggregations?.rows);
    },

    async reset(shape) {
      const { namespace } = current();
      if (await isThere()) await namespace.deleteAll();
      opened = { namespace, shape, exists: false };
    },

    async close() {
      opened = undefined;
    },
  };
}

function shapeOf(field: unknown): Partial<IndexShape> {
  const { type, ann } = (field ?? {}) as { type?: unknown; ann?: { distance_metric?: unknown } | boolean };
  const dimension = Number(/^\[(\d+)\]f32$/.exec(String(type))?.[1] ?? 0);
  const metric = typeof ann === 'object' ? ann.distance_metric : undefined;
  const distance = turbopuffer.distances.find((each) => measures[each].metric === metric);
  return { dimension, ...(distance && { distance }) };
}

function filterOf({ scopes, conversationIds, ids }: Where): Filter {
  const isOneOf = (field: string, values: readonly string[]): Filter => [field, 'In', [...values]];
  return [
    'And',
    [
      isOneOf('scope', scopes),
      ...(conversationIds ? [isOneOf('conversation_id', conversationIds)] : []),
      ...(ids ? [isOneOf('id', ids)] : []),
    ],
  ];
}
