import { describe, expect, it } from 'vitest';
import { openEmbedder } from '../../src/embeddings/open.js';

const limits = { batchSize: 16, concurrency: 2, timeoutMs: 1000, maxRetries: 0 };

describe('openEmbedder', () => {
  it('opens the local model in the configured dimension', async () => {
    const embedder = await openEmbedder({ provider: 'local', model: 'local-hash', dimension: 48, ...limits });
    expect(embedder.describe()).toEqual({ provider: 'local', model: 'local-hash', dimension: 48, options: {} });
  });

  it('opens an endpoint without asking it anything', async () => {
    const endpoint = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'secret' };
    const embedder = await openEmbedder({ provider: 'http', model: 'nomic', dimension: 768, endpoint, ...limits });
    expect(embedder.describe()).toEqual({
      provider: 'http',
      model: 'nomic',
      dimension: 768,
      options: {},
    });
  });

  it.each([{}, { endpoint: { baseUrl: '' } }])('refuses http with the endpoint in %j', async (missing) => {
    const opening = openEmbedder({ provider: 'http', model: 'nomic', dimension: 768, ...limits, ...missing });
    await expect(opening).rejects.toMatchObject({
      code: 'config_invalid',
      hint: expect.stringContaining('embedding_endpoint.base_url'),
    });
  });

  it('rejects for a local model that does not exist', async () => {
    const opening = openEmbedder({ provider: 'local', model: 'other', dimension: 32, ...limits });
    await expect(opening).rejects.toMatchObject({ code: 'driver_unavailable' });
  });
});
