import type { VectorDriver } from './contract.js';
import { chromadb } from './drivers/chromadb.js';
import { lancedb } from './drivers/lancedb/lancedb.js';
import { memory } from './drivers/memory.js';
import { milvus } from './drivers/milvus.js';
import { mongodbAtlas } from './drivers/mongodb-atlas.js';
import { pgvector } from './drivers/pgvector/pgvector.js';
import { pinecone } from './drivers/pinecone.js';
import { qdrant } from './drivers/qdrant.js';
import { redis } from './drivers/redis/redis.js';
import { elasticsearch } from './drivers/search-cluster/elasticsearch.js';
import { opensearch } from './drivers/search-cluster/opensearch.js';
import { turbopuffer } from './drivers/turbopuffer.js';
import { typesense } from './drivers/typesense.js';
import { vespa } from './drivers/vespa.js';
import { weaviate } from './drivers/weaviate.js';

/**
 * Every vector driver by its configuration value. To add a back end, add a file or folder in drivers/ and list it here.
 */
export const vectorDrivers = {
  lancedb,
  chromadb,
  qdrant,
  milvus,
  weaviate,
  pgvector,
  mongodb_atlas: mongodbAtlas,
  elasticsearch,
  opensearch,
  redis,
  pinecone,
  turbopuffer,
  vespa,
  typesense,
  memory,
} as const satisfies Record<string, VectorDriver>;

export type VectorDriverName = keyof typeof vectorDrivers;

/** The configuration values that can be opened. */
export const openableVectorDrivers = Object.keys(vectorDrivers) as readonly VectorDriverName[];
