import type { Distance, Hit, IndexShape, VectorStore, Where } from './contract.js';
import { ShapeMismatch } from './contract.js';
import type { VectorDriver } from './driver.js';
import { matchesNothing, nearestComplete } from './shared/complete.js';
import { opaque, opaqueList } from './shared/opaque.js';
import { inBatches, lastOfEach, requireDimension, requireShape, vectorsOf } from './shared/points.js';
import { restService } from './shared/rest.js';

/** Vectors in Vespa, over its HTTP interfaces. Its schema is deployed beforehand: `deploy/vespa` holds one. */
export const vespa = {
  name: 'vespa',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  limits: 'the application is deployed beforehand (deploy/vespa); at most 1,400 hits a search',
  create: ({ settings }) => createVespaStore(settings as Settings),
} as const satisfies VectorDriver;

type Settings = { url: string; token: string; namespace: string; schema: string; rank_profile: string };

const POINTS_AT_ONCE = 32;
const ROWS_A_PAGE = 400;
/** One page more than the farthest offset that Vespa allows unasked. */
const MOST_ROWS = 1_400;
const FEATURE = 'distance(field,vector)';

/** Ours from the raw distance of each metric that a schema may name. */
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

function createVespaStore({ url, token, namespace, schema, rank_profile: profile }: Settings): VectorStore {
  const service = restService(url, token === '' ? {} : { authorization: `Bearer ${token}` });
  const documents = `/document/v1/${namespace}/${schema}/docid`;
  let opened: IndexShape | undefined;

  function current(): IndexShape {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  async function ask(body: object): Promise<Found['root']> {
    const { root } = (await service.send('POST', '/search/', body)) as Found;
    const [error] = root.errors ?? [];
    if (error !== undefined) throw new Error(`Vespa refused the search: ${error.code ?? 'unknown'}.`);
    return root;
  }

  async function page(asked: {
    vector: Float32Array;
    condition: string;
    rows: number;
    offset: number;
    exact: boolean;
  }) {
    const options = `targetHits:${asked.rows},approximate:${!asked.exact},hnsw.exploreAdditionalHits:500`;
    const { children = [] } = await ask({
      yql: `select id from ${schema} where ({${options}}nearestNeighbor(vector,query_vector)) and ${asked.condition}`,
      'input.query(query_vector)': [...asked.vector],
      ranking: profile,
      hits: Math.min(ROWS_A_PAGE, asked.rows - asked.offset),
      offset: asked.offset,
    });
    return children.map(({ fields }) => ({ id: fields.id, theirs: fields.matchfeatures?.[FEATURE] ?? Number.NaN }));
  }

  /** Nothing in Vespa's interfaces says the metric, but one point and one query tell the three apart. */
  async function deployedDistance({ dimension }: IndexShape): Promise<Distance | undefined> {
    const id = '00000000-0000-4000-8000-000000000000';
    const probe = new Float32Array(dimension);
    probe[0] = 2;
    const query = new Float32Array(dimension).fill(0);
    query.set([1, 1]);
    const fields = { id, scope: opaque(PROBE_SCOPE), conversation_id: '', vector: { values: [...probe] } };
    await service.send('POST', `${documents}/${id}`, { fields });
    const asked = {
      vector: query,
      condition: isOneOf('scope', [opaque(PROBE_SCOPE)]),
      rows: 1,
      offset: 0,
      exact: true,
    };
    const [found] = await page(asked);
    await service.send('DELETE', `${documents}/${id}`);
    const expected = { cosine: Math.PI / 4, l2: Math.SQRT2, inner_product: -2 } satisfies Record<Distance, number>;
    const all = Object.keys(measures) as Distance[];
    return all.find((each) => Math.abs(expected[each] - (found?.theirs ?? Number.NaN)) < 1e-3);
  }

  async function verify(shape: IndexShape): Promise<void> {
    // A probe of another dimension than the schema's is refused as a bad request.
    const distance = await service.unlessRefused(() => deployedDistance(shape));
    if (distance === 'refused') {
      throw new ShapeMismatch(
        `The deployed Vespa schema ${schema} takes no vectors of dimension ${shape.dimension}: deploy one that does.`,
      );
    }
    requireShape(shape, { dimension: shape.dimension, ...(distance && { distance }) });
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened);
      await verify(shape);
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
          const hits: Hit[] = [];
          for (let offset = 0; offset === hits.length && offset < rows; offset += ROWS_A_PAGE) {
            const found = await page({ vector, condition: conditionOf(where), rows, offset, exact });
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
      const root = await ask({ yql: `select id from ${schema} where true`, hits: 0 });
      return root.fields?.totalCount ?? 0;
    },

    async reset(shape) {
      // Only what fits the deployed schema can be written afterwards, so that is asked before anything goes.
      await verify(shape);
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

const PROBE_SCOPE = 'threadkeep:probe';

function isOneOf(field: string, words: readonly string[]): string {
  return `${field} in (${words.map((word) => `"${word}"`).join(',')})`;
}

function conditionOf({ scopes, conversationIds, ids }: Where): string {
  return [
    isOneOf('scope', opaqueList(scopes)),
    ...(conversationIds ? [isOneOf('conversation_id', opaqueList(conversationIds))] : []),
    ...(ids ? [isOneOf('id', ids)] : []),
  ].join(' and ');
}
