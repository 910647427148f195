import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { describeServiceOn } from '../support/service-on-store.js';

// The whole service on each real server that the ring has started.
const { CHROMADB_URL, REDIS_URL, MILVUS_URL, WEAVIATE_URL, PGVECTOR_URL } = process.env;
const aName = () => `c${randomUUID().replaceAll('-', '')}`;

if (PGVECTOR_URL) describeServiceOn('pgvector', () => ({ url: PGVECTOR_URL, table_name: aName() }));
if (CHROMADB_URL) describeServiceOn('chromadb', () => ({ url: CHROMADB_URL, collection: aName() }));
if (REDIS_URL) {
  describeServiceOn('redis', () => {
    const name = aName();
    return { url: REDIS_URL, index: name, key_prefix: `${name}:` };
  });
}
if (MILVUS_URL) describeServiceOn('milvus', () => ({ uri: MILVUS_URL, collection: aName() }));
if (WEAVIATE_URL) describeServiceOn('weaviate', () => ({ url: WEAVIATE_URL, collection: `C${aName()}` }));

describe.skip('the service on servers that were not started', () => {});
