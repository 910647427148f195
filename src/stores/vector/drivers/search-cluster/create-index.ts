import type { Distance, IndexShape } from '../../contract.js';
import type { Cluster, ClusterWords } from './client.js';

/** Written into the index with its shape: what a later version must know before it touches the rows. */
const SCHEMA_VERSION = 1;

export async function createIndex(cluster: Cluster, words: ClusterWords, shape: IndexShape): Promise<void> {
  const { dimension, distance } = shape;
  const mappings = {
    dynamic: 'strict',
    _meta: { threadkeep_schema_version: SCHEMA_VERSION, dimension, distance },
    properties: {
      scope: { type: 'keyword' },
      conversation_id: { type: 'keyword' },
      vector: words.vectorMapping(shape),
    },
  };
  await cluster.request({ method: 'PUT', path: `/${words.index}`, body: { settings: words.settings, mappings } });
}

/** An alias answers by the name of the index behind it, so the name is not looked at. */
export function shapeOf(answer: unknown): Partial<IndexShape> {
  const [found] = Object.values(answer as Record<string, { mappings: { _meta?: Record<string, unknown> } }>);
  const { threadkeep_schema_version: version, dimension, distance } = found?.mappings._meta ?? {};
  if (version !== SCHEMA_VERSION)
    throw new Error('The index was not made by this version of Threadkeep: name another.');
  return { dimension: Number(dimension), distance: distance as Distance };
}
