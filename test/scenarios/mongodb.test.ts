import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import type { ConfigInput } from '../../src/config/schema.js';
import { describeService } from './service.js';

const uri = process.env.REAL_MONGODB_URL ?? '';

/** An empty database. */
async function empty(): Promise<ConfigInput> {
  const database = `t${randomUUID().replaceAll('-', '')}`;
  return {
    providers: { metadata_db: 'mongodb', vector_db: 'memory' },
    storage: { metadata_providers: { mongodb: { uri, database } } },
  };
}

describe.skipIf(uri === '')('with a server', () => {
  describeService('mongodb and memory', { empty, vectorsInMemory: true });
});
