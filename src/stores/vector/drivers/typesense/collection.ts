import type { Distance, IndexShape } from '../../contract.js';
import type { Client, Field } from './client.js';

/** What Typesense calls each distance, and ours from its value. */
export const measures = {
  cosine: { name: 'cosine', ours: (theirs: number) => theirs }, // 1 - cos
  inner_product: { name: 'ip', ours: (theirs: number) => theirs }, // 1 - dot
} as const satisfies Partial<Record<Distance, { name: string; ours: (theirs: number) => number }>>;

export type Measured = keyof typeof measures;

export async function createCollection(
  client: Client,
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

export function shapeOf(fields: readonly Field[]): Partial<IndexShape> {
  const vector = fields.find((field) => field.name === 'vector');
  const distance = (Object.keys(measures) as Measured[]).find((each) => measures[each].name === vector?.vec_dist);
  return { dimension: vector?.num_dim ?? 0, ...(distance && { distance }) };
}
