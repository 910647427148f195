import type { Distance, IndexShape } from '../../contract.js';
import { until } from '../../shared/until.js';
import type { Collection, SearchIndex } from './client.js';

/** What Atlas calls each distance. */
const similarities = { cosine: 'cosine', l2: 'euclidean' } as const satisfies Partial<Record<Distance, string>>;

/** The index answers, and answers for this shape. */
export function ready(collection: Collection, index: string, shape: IndexShape): Promise<void> {
  return until('Atlas builds the search index', async () => {
    const [found] = await collection.listSearchIndexes(index).toArray();
    const { dimension, distance } = found === undefined ? {} : shapeOf(found);
    const isOurs = dimension === shape.dimension && distance === shape.distance;
    return isOurs && found?.queryable === true && found.status === 'READY';
  });
}

/** The index of our fields for this shape. */
export function definitionOf({ dimension, distance }: IndexShape) {
  const similarity = similarities[distance as keyof typeof similarities];
  const filters = ['point', 'scope', 'conversation_id', 'write'].map((path) => ({ type: 'filter', path }));
  return { fields: [{ type: 'vector', path: 'vector', numDimensions: dimension, similarity }, ...filters] };
}

export function shapeOf({ latestDefinition }: SearchIndex): Partial<IndexShape> {
  const field = latestDefinition?.fields?.find((each) => each.type === 'vector' && each.path === 'vector');
  const all = Object.keys(similarities) as (keyof typeof similarities)[];
  const distance = all.find((each) => similarities[each] === field?.similarity);
  return { dimension: Number(field?.numDimensions ?? 0), ...(distance && { distance }) };
}
