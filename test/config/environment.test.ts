import { describe, expect, it } from 'vitest';
import { valueAt } from '../../src/config/layers.js';
import { inFileSpelling } from '../../src/config/tree.js';
import { load, problemsOf } from './workspace.js';

describe('environment variables', () => {
  it.each([
    ['THREADKEEP_STORAGE__DRY_RUN', 'true', 'storage.dry_run', true],
    ['THREADKEEP_STORAGE__DRY_RUN', '1', 'storage.dry_run', true],
    ['THREADKEEP_INTERFACES__MCP', 'OFF', 'interfaces.mcp', false],
    ['threadkeep_api__port', ' 0 ', 'api.port', 0],
    ['THREADKEEP_RETRIEVAL__KEYWORD_WEIGHT', '0.5', 'retrieval.keyword_weight', 0.5],
    ['THREADKEEP_PROVIDERS__EMBEDDING_MODEL', '123', 'providers.embedding_model', '123'],
    ['THREADKEEP_STORAGE__VECTOR__DISTANCE', 'L2', 'storage.vector.distance', 'l2'],
    ['THREADKEEP_API__AUTH', 'Bearer_Token', 'api.auth', 'bearer_token'],
    ['THREADKEEP_STORAGE__METADATA_SCHEMA_VERSIONS', '1, 2', 'storage.metadata_schema_versions', [1, 2]],
    ['THREADKEEP_STORAGE__METADATA_SCHEMA_VERSIONS', '[1,2]', 'storage.metadata_schema_versions', [1, 2]],
    [
      'THREADKEEP_API__CORS_ALLOW_ORIGINS',
      'http://a:1/,http://b:2',
      'api.cors_allow_origins',
      ['http://a:1', 'http://b:2'],
    ],
    ['THREADKEEP_API__CORS_ALLOW_ORIGINS', '', 'api.cors_allow_origins', []],
    ['THREADKEEP_STORAGE__VECTOR_PROVIDERS__QDRANT__API_KEY', 'k', 'storage.vector_providers.qdrant.api_key', 'k'],
    ['THREADKEEP_OBSERVABILITY__REQUEST_ID_HEADER', 'X-Trace', 'observability.request_id_header', 'x-trace'],
  ])('reads %s=%s', async (name, text, key, expected) => {
    const { config } = await load({ environment: { [name]: text } });
    expect(valueAt(inFileSpelling(config), key.split('.'))).toEqual(expected);
  });

  it('reaches the providers of the connect page', async () => {
    const { config } = await load({
      environment: {
        THREADKEEP_API__CONNECT__PROVIDERS__GOOGLE__ISSUER: 'https://accounts.google.com/',
        THREADKEEP_API__CONNECT__PROVIDERS__GOOGLE__CLIENT_ID: 'id',
      },
    });
    expect(config.api.connect.providers).toEqual({
      google: {
        enabled: true,
        issuer: 'https://accounts.google.com',
        clientId: 'id',
        clientSecret: '',
        allowedEmails: [],
        allowedDomains: [],
      },
    });
  });

  it('takes back an optional value of the file with an empty text', async () => {
    const yaml = 'api: { public_base_url: "https://memory.example" }';
    const { config } = await load({ yaml, environment: { THREADKEEP_API__PUBLIC_BASE_URL: '' } });
    expect('publicBaseUrl' in config.api).toBe(false);
  });

  it('ignores variables of other programs', async () => {
    expect((await load({ environment: { API__PORT: '1', PATH: '/bin' } })).config.api.port).toBe(8000);
  });

  it('reports variables that match no key with the nearest one', async () => {
    const environment = {
      THREADKEEP_STORAGE__DRYRUN: 'true',
      THREADKEEP_STORAGE_DRY_RUN: 'true',
      THREADKEEP_API: 'x',
      THREADKEEP_UTTERLY_ELSEWHERE: 'x',
    };
    expect(await problemsOf({ environment })).toEqual([
      'THREADKEEP_API names a section: set the keys inside it',
      'THREADKEEP_STORAGE_DRY_RUN matches no key (did you mean THREADKEEP_STORAGE__DRY_RUN?)',
      'THREADKEEP_STORAGE__DRYRUN matches no key (did you mean THREADKEEP_STORAGE__DRY_RUN?)',
      'THREADKEEP_UTTERLY_ELSEWHERE matches no key',
    ]);
  });

  it('reports a wrong value with the variable that set it, never the value', async () => {
    const environment = { THREADKEEP_API__PORT: 'hunter2', THREADKEEP_STORAGE__DRY_RUN: '' };
    expect(await problemsOf({ environment })).toEqual([
      'api.port must be a whole number from 0 to 65535 (set by THREADKEEP_API__PORT)',
      'storage.dry_run must be true or false (set by THREADKEEP_STORAGE__DRY_RUN)',
    ]);
  });

  it('reports two spellings of one variable', async () => {
    const environment = { THREADKEEP_API__PORT: '1', threadkeep_api__port: '2' };
    expect(await problemsOf({ environment })).toEqual([
      'threadkeep_api__port sets the same key as THREADKEEP_API__PORT',
    ]);
  });
});
