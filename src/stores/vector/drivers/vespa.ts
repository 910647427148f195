import {
  type Distance,
  type IndexShape,
  type NearestPoint,
  ShapeMismatch,
  type VectorDriver,
  type VectorStore,
  type Where,
} from '../contract.js';
import {
  inBatches,
  lastOfEach,
  matchesNothing,
  nearestComplete,
  requireDimension,
  requireShape,
  vectorsOf,
} from '../shared/nearest.js';
import { opaque, opaqueList, type RestService, restService } from '../shared/remote.js';

/** Vectors in Vespa, over its HTTP APIs. The schema must be deployed first: `deploy/vespa` contains one. */
export const vespa = {
  name: 'vespa',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  limits: 'the application must be deployed first (deploy/vespa); at most 1,400 hits per search',
  create: ({ settings }) => createVespaStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { url: string; token: string; namespace: string; schema: string; rankProfile: string };

const POINTS_AT_ONCE = 32;
/** One page more than Vespa's default maximum offset. */
const MOST_ROWS = 1_400;

function createVespaStore({ url, token, namespace, schema, rankProfile: profile }: Settings): VectorStore {
  const service = restService(url, token === '' ? {} : { authorization: `Bearer ${token}` });
  const documents = `/document/v1/${namespace}/${schema}/docid`;
  const search = vespaSearch(service, { schema, profile });
  const deployed = { service, search, documents, schema };
  let opened: IndexShape | undefined;

  function current(): IndexShape {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened);
      await requireDeployed(deployed, shape);
      opened = shape;
    },

    async upsert(points) {
      requireDimension(current(), vectorsOf(points));
      for (const batch of inBatches(lastOfEach(points), POINTS_AT_ONCE)) {
        await Promise.all(
          batch.map(({ id, vector, scope, conversationId }) => {
            const texts = { id, scope: opaque(scope), conversation_id: opaque(conversationId) };
            return service.send('POST', `${documents}/${id}`, {
              fields: { ...texts, vector: { values: [...vector] } },
            });
          }),
        );
      }
    },

    async search(vector, { limit, where }) {
      const { distance } = current();
      requireDimension(current(), [vector]);
      if (matchesNothing({ limit, where })) return [];
      const { ours } = measures[distance];
      const exact = where.ids !== undefined || where.conversationIds !== undefined;
      return nearestComplete({
        distance,
        limit,
        most: MOST_ROWS,
        ask: async (rows) => {
          const hits: NearestPoint[] = [];
          for (let offset = 0; offset === hits.length && offset < rows; offset += ROWS_A_PAGE) {
            const found = await search.page({ vector, condition: conditionOf(where), rows, offset, exact });
            hits.push(...found.map(({ id, theirs }) => ({ id, distance: ours(theirs) })));
          }
          return hits;
        },
      });
    },

    async remove(ids) {
      current();
      for (const batch of inBatches(ids, POINTS_AT_ONCE)) {
        await Promise.all(batch.map((id) => service.send('DELETE', `${documents}/${id}`)));
      }
    },

    async count() {
      current();
      return search.count();
    },

    async reset(shape) {
      // Checks the deployed schema before anything is removed, because only points that fit it can be written
      // afterwards.
      await requireDeployed(deployed, shape);
      for (let next: string | undefined = ''; next !== undefined; ) {
        const more: string = next === '' ? '' : `&continuation=${next}`;
        const answer = await service.send('DELETE', `${documents}?selection=true${more}`);
        next = (answer as { continuation?: string }).continuation;
      }
      opened = shape;
    },

    async close() {
      opened = undefined;
    },
  };
}

interface Deployed {
  service: RestService;
  search: VespaSearch;
  /** The path of the documents. */
  documents: string;
  schema: string;
}

const PROBE = { id: '00000000-0000-4000-8000-000000000000', scope: 'threadkeep:probe' };

/** Throws ShapeMismatch unless the deployed schema accepts vectors of this shape. */
async function requireDeployed(deployed: Deployed, shape: IndexShape): Promise<void> {
  // A probe with another dimension than the schema's is rejected as a bad request.
  const distance = await deployed.service.unlessRefused(() => deployedDistance(deployed, shape));
  if (distance === 'refused') {
    throw new ShapeMismatch(
      `The deployed Vespa schema ${deployed.schema} does not accept vectors of dimension ${shape.dimension}: deploy one that does.`,
    );
  }
  requireShape(shape, { dimension: shape.dimension, ...(distance && { distance }) });
}

/** Vespa's APIs do not report the metric, but one point and one query distinguish the three. */
async function deployedDistance(
  { service, search, documents }: Deployed,
  { dimension }: IndexShape,
): Promise<Distance | undefined> {
  const point = new Float32Array(dimension);
  point[0] = 2;
  const query = new Float32Array(dimension);
  query.set([1, 1]);
  const fields = { id: PROBE.id, scope: opaque(PROBE.scope), conversation_id: '', vector: { values: [...point] } };
  await service.send('POST', `${documents}/${PROBE.id}`, { fields });
  const condition = conditionOf({ scopes: [PROBE.scope] });
  const [found] = await search.page({ vector: query, condition, rows: 1, offset: 0, exact: true });
  await service.send('DELETE', `${documents}/${PROBE.id}`);
  const expected = { cosine: Math.PI / 4, l2: Math.SQRT2, inner_product: -2 } satisfies Record<Distance, number>;
  return vespa.distances.find((each) => Math.abs(expected[each] - (found?.theirs ?? Number.NaN)) < 1e-3);
}

const ROWS_A_PAGE = 400;

const FEATURE = 'distance(field,vector)';

/** Converts the raw distance of each metric that a schema may use to ours. */
const measures = {
  cosine: { metric: 'angular', ours: (theirs: number) => 1 - Math.cos(theirs) }, // the angle
  l2: { metric: 'euclidean', ours: (theirs: number) => theirs }, // |a - b|
  inner_product: { metric: 'dotproduct', ours: (theirs: number) => 1 + theirs }, // 1 + (-dot)
} as const satisfies Record<Distance, { metric: string; ours: (theirs: number) => number }>;

interface Found {
  root: {
    fields?: { totalCount?: number };
    errors?: { code?: number }[];
    children?: { fields: { id: string; matchfeatures?: Record<string, number> } }[];
  };
}

interface Page {
  vector: Float32Array;
  condition: string;
  rows: number;
  offset: number;
  exact: boolean;
}

interface VespaSearch {
  /** The nearest `rows` rows from `offset` on, with Vespa's own distance. */
  page(asked: Page): Promise<{ id: string; theirs: number }[]>;
  count(): Promise<number>;
}

/** Queries in Vespa's query language (YQL). A failure reported in a response is thrown. */
function vespaSearch(service: RestService, { schema, profile }: { schema: string; profile: string }): VespaSearch {
  async function ask(body: object): Promise<Found['root']> {
    const { root } = (await service.send('POST', '/search/', body)) as Found;
    const [error] = root.errors ?? [];
    if (error !== undefined) throw new Error(`Vespa rejected the search: ${error.code ?? 'unknown'}.`);
    return root;
  }

  return {
    async page({ vector, condition, rows, offset, exact }) {
      const options = `targetHits:${rows},approximate:${!exact},hnsw.exploreAdditionalHits:500`;
      const { children = [] } = await ask({
        yql: `select id from ${schema} where ({${options}}nearestNeighbor(vector,query_vector)) and ${condition}`,
        'input.query(query_vector)': [...vector],
        ranking: profile,
        hits: Math.min(ROWS_A_PAGE, rows - offset),
        offset,
      });
      return children.map(({ fields }) => ({ id: fields.id, theirs: fields.matchfeatures?.[FEATURE] ?? Number.NaN }));
    },

    async count() {
      const root = await ask({ yql: `select id from ${schema} where true`, hits: 0 });
      return root.fields?.totalCount ?? 0;
    },
  };
}

function conditionOf({ scopes, conversationIds, ids }: Where): string {
  return [
    isOneOf('scope', opaqueList(scopes)),
    ...(conversationIds ? [isOneOf('conversation_id', opaqueList(conversationIds))] : []),
    ...(ids ? [isOneOf('id', ids)] : []),
  ].join(' and ');
}

function isOneOf(field: string, words: readonly string[]): string {
  return `${field} in (${words.map((word) => `"${word}"`).join(',')})`;
}
