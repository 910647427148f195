import type { Hit, IndexShape, VectorStore } from '../../contract.js';
import type { VectorDriver } from '../../driver.js';
import { matchesNothing, nearestComplete } from '../../shared/complete.js';
import { opaque } from '../../shared/opaque.js';
import { inBatches, lastOfEach, requireDimension, requireShape, vectorsOf } from '../../shared/points.js';
import { restService } from '../../shared/rest.js';
import { requireDeployed } from './schema.js';
import { conditionOf, measures, ROWS_A_PAGE, vespaSearch } from './search.js';

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
/** One page more than the farthest offset that Vespa allows unasked. */
const MOST_ROWS = 1_400;

function createVespaStore({ url, token, namespace, schema, rank_profile: profile }: Settings): VectorStore {
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
          const hits: Hit[] = [];
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
      // Only what fits the deployed schema can be written afterwards, so that is asked before anything goes.
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
