import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { describeServiceOn } from '../support/service-on-store.js';

// The whole service on each real server that the ring has started.
const { REAL_CHROMADB_URL, REAL_REDIS_URL, REAL_MILVUS_URL, REAL_WEAVIATE_URL, REAL_PGVECTOR_URL } = process.env;
const aName = () => `c${randomUUID().replaceAll('-', '')}`;

if (REAL_PGVECTOR_URL) describeServiceOn('pgvector', () => ({ url: REAL_PGVECTOR_URL, table_name: aName() }));
if (REAL_CHROMADB_URL) describeServiceOn('chromadb', () => ({ url: REAL_CHROMADB_URL, collection: aName() }));
if (REAL_REDIS_URL) {
  describeServiceOn('redis', () => {
    const name = aName();
    return { url: REAL_REDIS_URL, index: name, key_prefix: `${name}:` };
  });
}
if (REAL_MILVUS_URL) describeServiceOn('milvus', () => ({ uri: REAL_MILVUS_URL, collection: aName() }));
if (REAL_WEAVIATE_URL) describeServiceOn('weaviate', () => ({ url: REAL_WEAVIATE_URL, collection: `C${aName()}` }));

describe.skip('the service on servers that were not started', () => {});
