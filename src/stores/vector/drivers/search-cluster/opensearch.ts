import type * as Library from '@opensearch-project/opensearch';
import { loadPackage } from '../../../shared/load-package.js';
import type { Distance, VectorDriver } from '../../contract.js';
import { basicAuthorization, type Cluster, type ClusterCall, createClusterStore } from './search-cluster.js';

const needs = { package: '@opensearch-project/opensearch', range: '3.9.0' };

/** Vectors in an index of OpenSearch with its k-NN plugin. */
export const opensearch = {
  name: 'opensearch',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  limits: 'k-NN plugin with the Lucene engine; at most 10,000 hits per search',
  create: ({ settings: { url, username, password, index } }) =>
    createClusterStore({
      connect: () => connect({ node: url, ...basicAuthorization(username, password) }),
      index,
      settings: { index: { knn: true } },
      vectorMapping: ({ dimension, distance }): Library.Types.Common_Mapping.KnnVectorProperty => ({
        type: 'knn_vector',
        dimension,
        method: {
          name: 'hnsw',
          engine: 'lucene',
          space_type: spaces[distance],
          parameters: { m: 32, ef_construction: 200 },
        },
      }),
      // The Lucene engine filters during graph search, and measures exactly when few rows match.
      query: ({ vector, rows, filter }): KnnRequest => ({ query: { knn: { vector: { vector, k: rows, filter } } } }),
    }),
} as const satisfies VectorDriver<Settings>;

type KnnRequest = { query: Pick<Library.Types.Common_QueryDsl.QueryContainer, 'knn'> };

type Settings = { url: string; username: string; password: string; index: string };

const spaces = {
  cosine: 'cosinesimil',
  l2: 'l2',
  inner_product: 'innerproduct',
} as const satisfies Record<Distance, string>;

async function connect(options: Library.ClientOptions): Promise<Cluster> {
  const { Client } = await loadPackage<typeof Library>(needs);
  const client = new Client(options);
  return {
    request: async (call: ClusterCall) => (await client.transport.request(call)).body,
    close: () => client.close(),
  };
}
