import { StartupError } from '../../../../model/errors.js';
import type { Distance, IndexShape } from '../../contract.js';
import type { Client, Description } from './client.js';

export type PineconeSettings = {
  api_key: string;
  index: string;
  namespace: string;
  cloud: string;
  region: string;
  create_index: boolean;
};

/** What Pinecone calls each distance, and ours from its score. */
export const measures = {
  cosine: { metric: 'cosine', ours: (score: number) => 1 - score }, // 1 - cos
  l2: { metric: 'euclidean', ours: (score: number) => Math.sqrt(Math.max(0, score)) }, // root of |a - b|²
  inner_product: { metric: 'dotproduct', ours: (score: number) => 1 - score }, // 1 - dot
} as const satisfies Record<Distance, { metric: string; ours: (score: number) => number }>;

/** Only where the settings allow to make one. */
export async function createIndex(
  client: Client,
  settings: PineconeSettings,
  { dimension, distance }: IndexShape,
): Promise<void> {
  refuseUnlessAllowed(settings, 'does not exist');
  const { index: name, cloud, region } = settings;
  const { metric } = measures[distance];
  await client.createIndex({ name, dimension, metric, spec: { serverless: { cloud, region } }, waitUntilReady: true });
}

export function refuseUnlessAllowed({ index, create_index: allowed }: PineconeSettings, why: string): void {
  if (allowed) return;
  throw new StartupError('driver_unavailable', `The Pinecone index ${index} ${why}.`, {
    hint: 'Create it, or set storage.vector_providers.pinecone.create_index to true.',
  });
}

export function shapeOf({ dimension, metric }: Description): Partial<IndexShape> {
  const distance = (Object.keys(measures) as Distance[]).find((each) => measures[each].metric === metric);
  return { ...(dimension !== undefined && { dimension }), ...(distance && { distance }) };
}
