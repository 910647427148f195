import type { Distance, IndexShape } from '../../contract.js';
import type { Answer, Client } from './client.js';

/** What Milvus calls each distance, and ours from its score. */
export const measures = {
  cosine: { metric: 'COSINE', ours: (score: number) => 1 - score }, // 1 - cos
  l2: { metric: 'L2', ours: (score: number) => Math.sqrt(score) }, // root of |a - b|²
  inner_product: { metric: 'IP', ours: (score: number) => 1 - score }, // 1 - dot
} as const satisfies Record<Distance, { metric: string; ours: (score: number) => number }>;

export async function createCollection(client: Client, collection_name: string, { dimension, distance }: IndexShape) {
  const text = (name: string) => ({ name, data_type: 'VarChar', max_length: 65_535 });
  await accepted(
    client.createCollection({
      collection_name,
      fields: [
        { name: 'id', data_type: 'VarChar', max_length: 64, is_primary_key: true },
        text('scope'),
        text('conversation_id'),
        { name: 'vector', data_type: 'FloatVector', dim: dimension },
      ],
      index_params: [{ field_name: 'vector', index_type: 'AUTOINDEX', metric_type: measures[distance].metric }],
      consistency_level: 'Strong',
    }),
  );
}

export async function shapeOf(client: Client, collection_name: string): Promise<Partial<IndexShape>> {
  const { schema } = await accepted(client.describeCollection({ collection_name }));
  const field = schema.fields.find(({ name }) => name === 'vector');
  const dimension = Number(field?.type_params?.find(({ key }) => key === 'dim')?.value ?? 0);
  const { index_descriptions } = await accepted(client.describeIndex({ collection_name, field_name: 'vector' }));
  const metric = index_descriptions[0]?.params.find(({ key }) => key === 'metric_type')?.value;
  const distance = (Object.keys(measures) as Distance[]).find((each) => measures[each].metric === metric);
  return { dimension, ...(distance && { distance }) };
}

/** The client answers most refusals instead of throwing them. Their words may repeat a request, so only the code rises. */
export async function accepted<Body>(answer: Answer<Body>): Promise<Body> {
  const body = await answer;
  const { error_code: code } = 'status' in body ? body.status : body;
  if (code === undefined || code === 'Success' || code === 0) return body;
  throw new Error(`Milvus refused the request: ${code}.`);
}
