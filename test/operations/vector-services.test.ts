import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVectorStore } from '../../src/app/vector-check.js';
import { startQdrant } from '../fakes/qdrant.js';
import { startCluster } from '../fakes/search-cluster.js';
import type { Wire } from '../fakes/wire.js';
import { aConversation } from '../support/conversation.js';
import { startPglite } from '../support/pglite-server.js';
import { aFolder, aService, configIn } from '../support/service.js';
import { describeServiceOn } from '../support/service-on-store.js';

const apiKey = 'key-of-the-stand-in';
let qdrant: Wire;
let opensearch: Wire;
let postgres: Awaited<ReturnType<typeof startPglite>>;
let next = 0;

beforeAll(async () => {
  qdrant = await startQdrant({ apiKey });
  opensearch = await startCluster('opensearch', { authorization: `Basic ${btoa('keeper:password')}` });
  postgres = await startPglite();
});

afterAll(async () => {
  await qdrant.stop();
  await opensearch.stop();
  await postgres.stop();
  expect([...qdrant.complaints, ...opensearch.complaints]).toEqual([]);
});

const aName = () => `vectors${next++}`;

describeServiceOn('qdrant', () => ({ url: qdrant.url, api_key: apiKey, collection: aName() }));
describeServiceOn('pgvector', () => ({ url: postgres.url, table_name: aName() }));
describeServiceOn('opensearch', () => ({
  url: opensearch.url,
  username: 'keeper',
  password: 'password',
  index: aName(),
}));

describe('a vector service that is not well', () => {
  const on = (block: object) => ({
    providers: { vector_db: 'qdrant' as const },
    storage: { vector_providers: { qdrant: { collection: 'vectors', ...block } } },
  });

  it('is stood in for by memory, and health says so', async () => {
    const service = await aService(on({ url: 'http://127.0.0.1:1' }));
    await service.insert(aConversation());
    expect((await service.send('/health')).body).toMatchObject({
      mode: 'degraded',
      vector_provider: 'memory',
      health: { requested_vector_provider: 'qdrant', vector_fallback_active: true },
    });
  });

  it('is told from one that refuses the key, and the key is not shown', async () => {
    const config = await configIn(await aFolder(), on({ url: qdrant.url, api_key: 'wrong-key' }));
    const steps = await checkVectorStore(config);
    expect(steps.filter(({ outcome }) => outcome === 'failed')).toMatchObject([{ step: 'authenticate' }]);
    expect(JSON.stringify(steps)).not.toContain('wrong-key');
  });

  it('is told from one whose collection holds other vectors', async () => {
    const block = { url: qdrant.url, api_key: apiKey, collection: aName() };
    const folder = await aFolder();
    await checkVectorStore(await configIn(folder, on(block)));
    const other = { ...on(block), providers: { vector_db: 'qdrant' as const, embedding_model: 'local-hash' } };
    const config = await configIn(folder, {
      ...other,
      providers: { ...other.providers, embedding_dimension: 64 },
    });
    const failed = (await checkVectorStore(config)).filter(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject([{ step: 'dimension', problem: expect.stringContaining('reindex') }]);
  });
});
