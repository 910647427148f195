import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkVectorStore } from '../../src/app/vector-check.js';
import { startQdrant } from '../fakes/qdrant.js';
import type { Wire } from '../fakes/wire.js';
import { aConversation } from '../support/conversation.js';
import { startPglite } from '../support/pglite-server.js';
import { aFolder, aService, configIn } from '../support/service.js';
import { describeServiceOn } from '../support/service-on-store.js';
import { type StandIn, standIns } from '../support/stand-ins.js';

let next = 0;
const aName = () => `vectors${next++}`;

for (const [name, standIn] of Object.entries(standIns)) describeOn(name as keyof typeof standIns, standIn);

describe('in one PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startPglite>>;
  beforeAll(async () => {
    postgres = await startPglite();
  });
  afterAll(() => postgres.stop());
  describeServiceOn('pgvector', { settings: () => ({ url: postgres.url, table_name: aName() }) });
});

/** The service on a stand-in, which must have had nothing to complain about. A new one for each test. */
function describeOn(provider: keyof typeof standIns, { start, settings, address, dimension }: StandIn): void {
  describeServiceOn(provider, {
    async settings() {
      const wire = await start();
      if (address !== undefined) vi.stubEnv(address.variable, address.of(wire));
      onTestFinished(async () => {
        vi.unstubAllEnvs();
        await wire.stop();
        expect(wire.complaints).toEqual([]);
      });
      return settings(wire, aName());
    },
    ...(dimension === undefined ? {} : { dimension }),
    atVendor: address !== undefined,
  });
}

describe('a vector service that is not well', () => {
  const apiKey = 'key-of-the-stand-in';
  let qdrant: Wire;
  beforeAll(async () => {
    qdrant = await startQdrant({ apiKey });
  });
  afterAll(async () => {
    await qdrant.stop();
    expect(qdrant.complaints).toEqual([]);
  });
  const on = (block: object) => ({
    providers: { vector_db: 'qdrant' as const },
    storage: { vector_providers: { qdrant: { collection: 'vectors', ...block } } },
  });

  it('is replaced by memory, and health reports it', async () => {
    const service = await aService(on({ url: 'http://127.0.0.1:1' }));
    await service.insert(aConversation());
    expect((await service.send('/health')).body).toMatchObject({
      mode: 'degraded',
      vector_provider: 'memory',
      health: { requested_vector_provider: 'qdrant', vector_fallback_active: true },
    });
  });

  it('is distinguished from one that refuses the key, and the key is not shown', async () => {
    const config = await configIn(await aFolder(), on({ url: qdrant.url, api_key: 'wrong-key' }));
    const steps = await checkVectorStore(config);
    expect(steps.filter(({ outcome }) => outcome === 'failed')).toMatchObject([{ step: 'authenticate' }]);
    expect(JSON.stringify(steps)).not.toContain('wrong-key');
  });

  it('is distinguished from one whose collection has vectors of another shape', async () => {
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
