import type * as Typesense from 'typesense';
import { loadPackage } from '../../shared/load-package.js';
import type { Distance, IndexShape, NearestPoint, VectorDriver, VectorStore, Where } from '../contract.js';
import {
  inBatches,
  lastOfEach,
  matchesNothing,
  nearestComplete,
  requireDimension,
  requireShape,
  SCAN_ROWS,
  vectorsOf,
} from '../shared/nearest.js';
import { digest } from '../shared/remote.js';

const needs = { package: 'typesense', range: '3.1.0' };

/** Vectors in a collection of Typesense. */
export const typesense = {
  name: 'typesense',
  persistent: true,
  distances: ['cosine', 'inner_product'],
  needs,
  limits: 'answers come in pages of 250',
  create: ({ settings }) => createTypesenseStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { url: string; apiKey: string; collection: string };

const POINTS_A_WRITE = 500;
/** The ids are part of the request URL, which limits their number. */
const IDS_A_DELETE = 40;
const ROWS_A_PAGE = 250;
const MOST_ROWS = 10_000;

function createTypesenseStore({ url, apiKey, collection: name }: Settings): VectorStore {
  let opened: { client: Typesense.Client; shape: IndexShape } | undefined;

  function current() {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const { Client } = await loadPackage<typeof Typesense>(needs);
      const client = new Client({ nodes: [{ url }], apiKey, connectionTimeoutSeconds: 30, logLevel: 'silent' });
      opened = { client, shape };
      if (!(await client.collections(name).exists())) return createCollection(client, name, shape);
      const found = shapeOf((await client.collections(name).retrieve()).fields);
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { client, shape: { ...shape, ...found } };
      requireShape(shape, found);
    },

    async upsert(points) {
      const { client, shape } = current();
      requireDimension(shape, vectorsOf(points));
      for (const batch of inBatches(lastOfEach(points), POINTS_A_WRITE)) {
        const documents = batch.map(({ id, vector, scope, conversationId }) => ({
          id,
          scope: digest(scope),
          conversation_id: digest(conversationId),
          vector: [...vector],
        }));
        await client.collections(name).documents().import(documents, { action: 'upsert' });
      }
    },

    async search(vector, { limit, where }) {
      const { client, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const { ours } = measures[shape.distance as Measured];
      const request: Search = { collection: name, q: '*', filter_by: filterOf(where), include_fields: 'id' };
      return nearestComplete({
        distance: shape.distance,
        limit,
        most: MOST_ROWS,
        ask: async (rows) => {
          // If fewer rows match the filter, all of them are measured exactly.
          const vector_query = `vector:([${vector.join(',')}], k:${rows}, flat_search_cutoff:${SCAN_ROWS})`;
          const hits: NearestPoint[] = [];
          for (let page = 1; hits.length === (page - 1) * ROWS_A_PAGE && hits.length < rows; page++) {
            const search = { ...request, vector_query, page, per_page: ROWS_A_PAGE };
            const found = (await searched(client, search)).slice(0, rows - hits.length);
            hits.push(
              ...found.map((hit) => ({ id: hit.document.id, distance: ours(hit.vector_distance ?? Number.NaN) })),
            );
          }
          return hits;
        },
      });
    },

    async remove(ids) {
      const documents = current().client.collections(name).documents();
      for (const batch of inBatches(ids, IDS_A_DELETE))
        await documents.delete({ filter_by: `id:[${batch.join(',')}]` });
    },

    async count() {
      return (await current().client.collections(name).retrieve()).num_documents;
    },

    async reset(shape) {
      const { client } = current();
      await client.collections(name).delete();
      await createCollection(client, name, shape);
      opened = { client, shape };
    },

    async close() {
      opened = undefined;
    },
  };
}

type Row = { id: string };
/** The client's types do not mention distances and failures. */
type Hits = (Typesense.SearchResponseHit<Row> & { vector_distance?: number })[];
type Search = Typesense.MultiSearchRequestsWithoutUnionSchema<Row, string>['searches'][number];

/** A multi-search reports each failure in its response body. */
async function searched(client: Typesense.Client, search: Search): Promise<Hits> {
  const { results } = await client.multiSearch.perform<[Row]>({ searches: [search] }, {});
  const answer: { hits?: Hits; code?: number } | undefined = results[0];
  if (answer?.hits === undefined) throw new Error(`Typesense rejected the search: ${answer?.code ?? 'no answer'}.`);
  return answer.hits;
}

/** Typesense tokenises and folds strings, so partitions and conversation ids are stored as single opaque words. */
function filterOf({ scopes, conversationIds, ids }: Where): string {
  const isOneOf = (field: string, texts: readonly string[]) => `${field}:=[${texts.map(digest).join(',')}]`;
  return [
    isOneOf('scope', scopes),
    ...(conversationIds ? [isOneOf('conversation_id', conversationIds)] : []),
    ...(ids ? [`id:[${ids.join(',')}]`] : []),
  ].join(' && ');
}

/** Typesense's name of each distance, and the conversion to ours. */
const measures = {
  cosine: { name: 'cosine', ours: (theirs: number) => theirs }, // 1 - cos
  inner_product: { name: 'ip', ours: (theirs: number) => theirs }, // 1 - dot
} as const satisfies Partial<Record<Distance, { name: string; ours: (theirs: number) => number }>>;

type Measured = keyof typeof measures;

async function createCollection(
  client: Typesense.Client,
  name: string,
  { dimension, distance }: IndexShape,
): Promise<void> {
  await client.collections().create({
    name,
    fields: [
      { name: 'scope', type: 'string' },
      { name: 'conversation_id', type: 'string' },
      { name: 'vector', type: 'float[]', num_dim: dimension, vec_dist: measures[distance as Measured].name },
    ],
  });
}

function shapeOf(fields: readonly Typesense.CollectionFieldSchema[]): Partial<IndexShape> {
  const vector = fields.find((field) => field.name === 'vector');
  const distance = typesense.distances.find((each) => measures[each].name === vector?.vec_dist);
  return { dimension: vector?.num_dim ?? 0, ...(distance && { distance }) };
}
