import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import type { VectorDriverName } from '../../src/stores/vector/drivers.js';
import { describeService } from '../scenarios/service.js';
import { describeServiceOn } from '../support/service-on-store.js';

// The whole service on each real server that the ring has started.
const { REAL_CHROMADB_URL, REAL_REDIS_URL, REAL_MILVUS_URL, REAL_WEAVIATE_URL, REAL_PGVECTOR_URL } = process.env;
const { REAL_ELASTICSEARCH_URL, REAL_OPENSEARCH_URL } = process.env;
const aName = () => `c${randomUUID().replaceAll('-', '')}`;

if (REAL_PGVECTOR_URL) describeBoth('pgvector', () => ({ url: REAL_PGVECTOR_URL, table_name: aName() }));
if (REAL_CHROMADB_URL) describeBoth('chromadb', () => ({ url: REAL_CHROMADB_URL, collection: aName() }));
if (REAL_REDIS_URL) {
  describeBoth('redis', () => {
    const name = aName();
    return { url: REAL_REDIS_URL, index: name, key_prefix: `${name}:` };
  });
}
if (REAL_MILVUS_URL) describeBoth('milvus', () => ({ uri: REAL_MILVUS_URL, collection: aName() }));
if (REAL_WEAVIATE_URL) describeBoth('weaviate', () => ({ url: REAL_WEAVIATE_URL, collection: `C${aName()}` }));
if (REAL_ELASTICSEARCH_URL) describeBoth('elasticsearch', () => ({ url: REAL_ELASTICSEARCH_URL, index: aName() }));
if (REAL_OPENSEARCH_URL) describeBoth('opensearch', () => ({ url: REAL_OPENSEARCH_URL, index: aName() }));

describe.skip('the service on servers that were not started', () => {});

/** What concerns the vector store, and the scenarios that every pair of stores passes. */
function describeBoth(provider: VectorDriverName, settings: () => Record<string, unknown>): void {
  describeServiceOn(provider, { settings });
  describeService(`sqlite and ${provider}`, {
    empty: async () => ({
      providers: { vector_db: provider },
      storage: { vector: { allow_fallback: false }, vector_providers: { [provider]: settings() } },
    }),
  });
}
