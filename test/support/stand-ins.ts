import type { VectorDriverName } from '../../src/stores/vector/drivers.js';
import { startAtlas } from '../fakes/mongodb-atlas.js';
import { startPinecone } from '../fakes/pinecone.js';
import { startQdrant } from '../fakes/qdrant.js';
import { startRedisWithSearch } from '../fakes/redis.js';
import { startCluster } from '../fakes/search-cluster.js';
import { startTurbopuffer } from '../fakes/turbopuffer.js';
import { startTypesense } from '../fakes/typesense.js';
import { startVespa } from '../fakes/vespa.js';
import type { Wire } from '../fakes/wire.js';

export interface StandIn {
  start: () => Promise<Wire>;
  /** The settings of one collection of its own, by a name that no other test has. */
  settings: (wire: Wire, name: string) => Record<string, unknown>;
  /** Where the client reads another address than the vendor's. */
  address?: { variable: string; of: (wire: Wire) => string };
  /** Its collection is made for one dimension, outside our reach. */
  dimension?: number;
}

const key = 'key-of-the-stand-in';
const cluster = (kind: 'elasticsearch' | 'opensearch'): StandIn => ({
  start: () => startCluster(kind, { authorization: `Basic ${btoa('keeper:password')}` }),
  settings: ({ url }, index) => ({ url, username: 'keeper', password: 'password', index }),
});

/** Every service of the list that has a stand-in, with the settings its driver needs. */
export const standIns = {
  qdrant: {
    start: () => startQdrant({ apiKey: key }),
    settings: ({ url }, collection) => ({ url, api_key: key, collection }),
  },
  elasticsearch: cluster('elasticsearch'),
  opensearch: cluster('opensearch'),
  redis: {
    start: startRedisWithSearch,
    settings: ({ url }, name) => ({ url, index: name, key_prefix: `${name}:` }),
  },
  mongodb_atlas: {
    start: startAtlas,
    settings: ({ url }, collection) => ({ uri: url, database: 'threadkeep', collection }),
  },
  pinecone: {
    start: () => startPinecone({ apiKey: key }),
    settings: (_, index) => ({ api_key: key, index, create_index: true }),
    address: { variable: 'PINECONE_CONTROLLER_HOST', of: ({ url }) => url },
  },
  turbopuffer: {
    start: () => startTurbopuffer({ apiKey: key }),
    settings: (_, namespace) => ({ api_key: key, namespace, region: 'gcp-us-central1' }),
    address: { variable: 'TURBOPUFFER_BASE_URL', of: ({ url }) => `${url}/{region}` },
  },
  typesense: {
    start: () => startTypesense({ apiKey: key }),
    settings: ({ url }, collection) => ({ url, api_key: key, collection }),
  },
  vespa: {
    start: () => startVespa({ token: key, dimension: 256, distance: 'cosine' }),
    settings: ({ url }) => ({ url, token: key, namespace: 'memory', schema: 'memory_vector' }),
    dimension: 256,
  },
} as const satisfies Partial<Record<VectorDriverName, StandIn>>;
