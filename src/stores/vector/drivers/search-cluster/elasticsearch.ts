import type * as Library from '@elastic/elasticsearch';
import { loadPackage } from '../../../shared/load-package.js';
import type { Distance, VectorDriver } from '../../contract.js';
import { basicAuthorization, type Cluster, type ClusterCall, createClusterStore, MOST_ROWS } from './search-cluster.js';

const needs = { package: '@elastic/elasticsearch', range: '9.4.3' };

/** Vectors in an index of Elasticsearch. */
export const elasticsearch = {
  name: 'elasticsearch',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  limits: 'at most 10,000 hits per search; 4,096 dimensions',
  create: ({ settings: { url, username, password, index } }) =>
    createClusterStore({
      connect: () => connect({ node: url, ...basicAuthorization(username, password) }),
      index,
      settings: {},
      vectorMapping: ({ dimension, distance }): Library.estypes.MappingDenseVectorProperty => ({
        type: 'dense_vector',
        dims: dimension,
        similarity: similarities[distance],
        // Unquantised, so that distances are exact.
        index_options: { type: 'hnsw', m: 32, ef_construction: 200 },
      }),
      // If fewer rows than candidates match the filter, they are measured exactly.
      query: ({ vector, rows, filter }): Library.estypes.SearchRequest => ({
        knn: {
          field: 'vector',
          query_vector: vector,
          k: rows,
          num_candidates: Math.min(Math.max(rows * 4, 1_000), MOST_ROWS),
          filter,
        },
      }),
    }),
} as const satisfies VectorDriver<Settings>;

type Settings = { url: string; username: string; password: string; index: string };

const similarities = {
  cosine: 'cosine',
  l2: 'l2_norm',
  inner_product: 'max_inner_product',
} as const satisfies Record<Distance, string>;

async function connect(options: ConstructorParameters<typeof Library.Client>[0]): Promise<Cluster> {
  const { Client } = await loadPackage<typeof Library>(needs);
  const client = new Client(options);
  return {
    request: (call: ClusterCall) => client.transport.request(call),
    close: () => client.close(),
  };
}
