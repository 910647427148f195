import { type Distance, type IndexShape, ShapeMismatch } from '../../contract.js';
import { opaque } from '../../shared/opaque.js';
import { requireShape } from '../../shared/points.js';
import type { RestService } from '../../shared/rest.js';
import { conditionOf, measures, type VespaSearch } from './search.js';

interface Deployed {
  service: RestService;
  search: VespaSearch;
  /** The path of the documents. */
  documents: string;
  schema: string;
}

const PROBE = { id: '00000000-0000-4000-8000-000000000000', scope: 'threadkeep:probe' };

/** The deployed schema takes vectors of this shape, or ShapeMismatch. */
export async function requireDeployed(deployed: Deployed, shape: IndexShape): Promise<void> {
  // A probe of another dimension than the schema's is refused as a bad request.
  const distance = await deployed.service.unlessRefused(() => deployedDistance(deployed, shape));
  if (distance === 'refused') {
    throw new ShapeMismatch(
      `The deployed Vespa schema ${deployed.schema} takes no vectors of dimension ${shape.dimension}: deploy one that does.`,
    );
  }
  requireShape(shape, { dimension: shape.dimension, ...(distance && { distance }) });
}

/** Nothing in Vespa's interfaces says the metric, but one point and one query tell the three apart. */
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
  const all = Object.keys(measures) as Distance[];
  return all.find((each) => Math.abs(expected[each] - (found?.theirs ?? Number.NaN)) < 1e-3);
}
