import type { Distance, IndexShape } from '../../contract.js';
import type { Collection, Weaviate } from './client.js';

/** What Weaviate calls each distance, and ours from its value. */
export const measures = {
  cosine: { metric: 'cosine', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { metric: 'l2-squared', ours: (theirs: number) => Math.sqrt(theirs) }, // root of |a - b|²
  inner_product: { metric: 'dot', ours: (theirs: number) => 1 + theirs }, // 1 + (-dot)
} as const satisfies Record<Distance, { metric: string; ours: (theirs: number) => number }>;

/** Weaviate learns the dimension from the first vector, so the description says it. */
export function collectionOf({ configure }: Weaviate, name: string, { dimension, distance }: IndexShape) {
  const text = (property: string) => ({
    name: property,
    dataType: 'text',
    tokenization: 'field',
    indexSearchable: false,
  });
  const index = configure.vectorIndex.hnsw({ distanceMetric: measures[distance].metric, ef: 500, efConstruction: 256 });
  return {
    name,
    description: JSON.stringify({ threadkeep_dimension: dimension }),
    properties: [text('scope'), text('conversation_id')],
    vectorizers: configure.vectors.selfProvided({ vectorIndexConfig: index }),
  };
}

export function shapeOf({ description = '', vectorizers }: Awaited<ReturnType<Collection['config']['get']>>) {
  const dimension = Number(/"threadkeep_dimension":(\d+)/.exec(description)?.[1] ?? 0);
  const { distance: metric } = (Object.values(vectorizers)[0]?.indexConfig ?? {}) as { distance?: unknown };
  const distance = (Object.keys(measures) as Distance[]).find((each) => measures[each].metric === metric);
  return { dimension, ...(distance && { distance }) };
}
