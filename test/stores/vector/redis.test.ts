import { describe, expect, it } from 'vitest';
import { redis } from '../../../src/stores/vector/drivers/redis/redis.js';
import { startRedisWithSearch } from '../../fakes/redis.js';
import { describeWiredStore } from '../../support/wired-store.js';

describeWiredStore('redis with the query engine', {
  driver: redis,
  start: startRedisWithSearch,
  settings: ({ url }, name) => ({ url, index: name, keyPrefix: `${name}:` }),
});

describe('the redis store', () => {
  it('says which kind of index it uses', async () => {
    const wire = await startRedisWithSearch();
    const store = redis.create({ settings: { url: wire.url, index: 'vectors', keyPrefix: 'v:' }, path: '' });
    await store.open({ dimension: 8, distance: 'cosine' });
    expect(store.details?.()).toEqual({ index: 'query engine' });
    await store.close();
    await wire.stop();
  });

  it('fails at once when there is no server', async () => {
    const store = redis.create({ settings: { url: 'redis://127.0.0.1:1/0', index: 'v', keyPrefix: 'v:' }, path: '' });
    await expect(store.open({ dimension: 8, distance: 'cosine' })).rejects.toThrow();
    await store.close();
  });
});
