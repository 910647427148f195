import { describe, expect, it } from 'vitest';
import { inFileSpelling } from '../../src/config/tree.js';
import { load } from './workspace.js';

describe('the spelling of keys', () => {
  it('is camelCase in code, at every depth', async () => {
    const { config } = await load({ yaml: 'api: { rate_limits: { per_token: 7 } }' });
    expect(config.api.rateLimits.perToken).toBe(7);
    expect(JSON.stringify({ ...config, storage: {} })).not.toMatch(/"[a-z]+_[a-z_]+":/);
  });

  it('leaves the names that people choose and the blocks of providers as they were written', async () => {
    const yaml = `
api: { connect: { providers: { my_company: { issuer: "https://id.example", client_id: c } } } }
storage: { vector_providers: { mongodb_atlas: { some_key: 1 } } }
`;
    const { config } = await load({ yaml });
    expect(config.api.connect.providers.my_company).toMatchObject({ clientId: 'c' });
    expect(config.storage.vectorProviders.mongodb_atlas).toEqual({ some_key: 1 });
  });

  it('is that of the file again where the configuration is shown', async () => {
    const yaml = `
api: { public_base_url: "https://memory.example", connect: { providers: { my_company: { enabled: false } } } }
storage: { max_retries: 9, vector_providers: { redis: { key_prefix: p } } }
`;
    const { config } = await load({ yaml });
    expect(inFileSpelling(config)).toMatchObject({
      api: { public_base_url: 'https://memory.example', connect: { providers: { my_company: { enabled: false } } } },
      storage: { max_retries: 9, vector_providers: { redis: { key_prefix: 'p' } } },
    });
  });
});
