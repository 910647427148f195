import { chromadb } from './chromadb.js';
import type { VectorDriver } from './driver.js';
import { elasticsearch } from './elasticsearch.js';
import { lancedb } from './lancedb.js';
import { memory } from './memory.js';
import { milvus } from './milvus.js';
import { mongodbAtlas } from './mongodb-atlas.js';
import { opensearch } from './opensearch.js';
import { pgvector } from './pgvector.js';
import { pinecone } from './pinecone.js';
import { qdrant } from './qdrant.js';
import { redis } from './redis.js';
import { turbopuffer } from './turbopuffer.js';
import { typesense } from './typesense.js';
import { vespa } from './vespa.js';
import { weaviate } from './weaviate.js';

/** Every vector driver by its configuration value. A new back end is one file and one line here. */
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
