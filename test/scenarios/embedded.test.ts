import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { startPglite } from '../support/pglite-server.js';
import { describeService } from './service.js';

describeService('sqlite and lancedb', { empty: async () => ({ providers: { vector_db: 'lancedb' } }) });
describeService('sqlite and memory', { empty: async () => ({}), vectorsInMemory: true });

describe('with PostgreSQL in this process', () => {
  let postgres: Awaited<ReturnType<typeof startPglite>>;
  beforeAll(async () => {
    postgres = await startPglite();
  });
  afterAll(() => postgres.stop());

  describeService('sqlite and pgvector', {
    empty: async () => {
      const block = { url: postgres.url, table_name: `t${randomUUID().replaceAll('-', '')}` };
      return {
        providers: { vector_db: 'pgvector' },
        storage: { vector: { allow_fallback: false }, vector_providers: { pgvector: block } },
      };
    },
  });
});
