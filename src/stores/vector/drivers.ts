import type { VectorDriver } from './driver.js';
import { chromadb } from './drivers/chromadb/chromadb.js';
import { lancedb } from './drivers/lancedb/lancedb.js';
import { memory } from './drivers/memory.js';
import { milvus } from './drivers/milvus/milvus.js';
import { mongodbAtlas } from './drivers/mongodb-atlas/mongodb-atlas.js';
import { pgvector } from './drivers/pgvector/pgvector.js';
import { pinecone } from './drivers/pinecone/pinecone.js';
import { qdrant } from './drivers/qdrant/qdrant.js';
import { redis } from './drivers/redis/redis.js';
import { elasticsearch } from './drivers/search-cluster/elasticsearch.js';
import { opensearch } from './drivers/search-cluster/opensearch.js';
import { turbopuffer } from './drivers/turbopuffer/turbopuffer.js';
import { typesense } from './drivers/typesense/typesense.js';
import { vespa } from './drivers/vespa/vespa.js';
import { weaviate } from './drivers/weaviate/weaviate.js';

/** Every vector driver by its configuration value. A new back end is one file or folder in drivers/ and one line here. */
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
