import { describe, expect, it } from 'vitest';
import { withValue } from '../../src/config/layers.js';
import { redactConfig, redactText, secretsOf } from '../../src/config/redact.js';
import { describeKeys } from '../../src/config/tree.js';
import fc from '../support/properties.js';
import { load } from './workspace.js';

const providers = ['pgvector', 'mongodb_atlas', 'redis', 'elasticsearch', 'lancedb'];
const secretKeys = describeKeys()
  .filter((key) => key.secret)
  .map((key) => key.path.replace('<name>', 'google'));

/** A valid value for a secret key that holds a word found nowhere else. */
function secretValue(key: string): string {
  const word = `hunter2-${secretKeys.indexOf(key)}`;
  if (key.includes('mongodb')) return `mongodb://user:${word}@host/db`;
  if (key.endsWith('.url')) return `${key.includes('redis') ? 'redis' : 'postgres'}://user:${word}@host/db`;
  return word;
}

async function loadWithSecrets(vectorProvider: string) {
  const given = [
    ['providers.vector_db', vectorProvider],
    ['api.connect.providers.google.issuer', 'https://accounts.google.com'],
    ['api.connect.providers.google.client_id', 'visible'],
    ['embedding_endpoint.base_url', 'http://user:hunter2-url@host/v1'],
    ['storage.vector_providers.typesense.unknown', [{ deep: 'hunter2-unknown', count: 3 }]],
    ['storage.vector_providers.typesense.collection', { nested: 'hunter2-nested' }],
    ['storage.vector_providers.vespa.url', 'https://vespa.example/?api_key=hunter2-query&x=1'],
    ...secretKeys.map((key) => [key, secretValue(key)] as const),
  ] as const;
  const flags = given.reduce((values, [key, value]) => withValue(values, key.split('.'), value), {});
  return (await load({ flags })).config;
}

describe('redactConfig', () => {
  it.each(providers)('lets no secret survive while %s is active', async (provider) => {
    const shown = JSON.stringify(redactConfig(await loadWithSecrets(provider)));
    expect(shown).not.toContain('hunter2');
    expect(shown).toContain('***');
  });

  it('shows everything else', async () => {
    const shown = redactConfig(await loadWithSecrets('lancedb'));
    expect(shown).toMatchObject({
      embedding_endpoint: { base_url: 'http://user:***@host/v1', api_key: '***' },
      api: { port: 8000, connect: { providers: { google: { client_id: 'visible', client_secret: '***' } } } },
      storage: {
        vector_providers: {
          typesense: { unknown: [{ deep: '***', count: 3 }], collection: { nested: '***' } },
          vespa: { url: 'https://vespa.example/?api_key=***&x=1' },
          redis: { url: '***' },
        },
      },
    });
  });

  it('leaves an empty secret empty', async () => {
    expect(redactConfig((await load()).config)).toMatchObject({ embedding_endpoint: { api_key: '' } });
  });

  it('masks a secret that is not a text', async () => {
    const yaml = 'storage: { vector_providers: { elasticsearch: { password: 12345678 } } }';
    const shown = redactConfig((await load({ yaml })).config);
    expect(shown).toMatchObject({ storage: { vector_providers: { elasticsearch: { password: '***' } } } });
  });
});

describe('the secrets of the schema', () => {
  it('are these', () => {
    expect(secretKeys).toEqual([
      'embedding_endpoint.api_key',
      'storage.vector_providers.qdrant.api_key',
      'storage.vector_providers.milvus.token',
      'storage.vector_providers.weaviate.api_key',
      'storage.vector_providers.pgvector.url',
      'storage.vector_providers.mongodb_atlas.uri',
      'storage.vector_providers.elasticsearch.username',
      'storage.vector_providers.elasticsearch.password',
      'storage.vector_providers.opensearch.username',
      'storage.vector_providers.opensearch.password',
      'storage.vector_providers.redis.url',
      'storage.vector_providers.pinecone.api_key',
      'storage.vector_providers.turbopuffer.api_key',
      'storage.vector_providers.vespa.token',
      'storage.vector_providers.typesense.api_key',
      'storage.metadata_providers.postgres.url',
      'storage.metadata_providers.mongodb.uri',
      'ask.model.api_key',
      'facts.model.api_key',
      'api.connect.providers.google.client_secret',
    ]);
  });

  it('give the redactor whole connection strings and the passwords in them', async () => {
    const yaml = `
providers: { metadata_db: postgres }
storage: { metadata_providers: { postgres: { url: "postgres://user:p%40ss-word@host/db" } } }
`;
    const secrets = secretsOf((await load({ yaml })).config);
    expect(secrets.sort()).toEqual(['p%40ss-word', 'p@ss-word', 'postgres://user:p%40ss-word@host/db']);
    expect(redactText('login failed for user with p@ss-word', secrets)).toBe('login failed for user with ***');
  });
});

describe('redactText', () => {
  it.each([
    ['cannot reach postgres://user:secret@host:5432/db now', 'cannot reach postgres://user:***@host:5432/db now'],
    ['redis://:secret@host', 'redis://:***@host'],
    ['https://sometoken@host/x', 'https://***@host/x'],
    ['mongodb://user:p@ss/w:rd@a,b/db', 'mongodb://user:***@a,b/db'],
    [
      'at call (file:///srv/node_modules/@qdrant/js/x.js:1:2)',
      'at call (file:///srv/node_modules/@qdrant/js/x.js:1:2)',
    ],
    ['file://user:secret@host/x', 'file://user:***@host/x'],
    ['file:///srv/@a/x.js,https://user:secret@host/x', 'file:///srv/@a/x.js,https://user:***@host/x'],
    ['profile:///user:secret@host', 'profile:///user:***@host'],
    ['GET /x?access_token=abc&y=1', 'GET /x?access_token=***&y=1'],
    ['Authorization: Bearer abc.def.123456', 'Authorization: Bearer ***'],
    ['{"api_key":"abc","port":1}', '{"api_key":"***","port":1}'],
    ['OPENAI_API_KEY=abc', 'OPENAI_API_KEY=***'],
    ['key sk-abcdefgh12345678 refused', 'key *** refused'],
    ['nothing to hide: 3 of 4 at http://127.0.0.1:8000/mcp', 'nothing to hide: 3 of 4 at http://127.0.0.1:8000/mcp'],
    ['Bearer authentication is required', 'Bearer authentication is required'],
  ])('turns %j into %j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  const urlPart = fc.string({ minLength: 1, unit: 'binary' }).map(encodeUnit);

  it('removes the password of any URI', () => {
    fc.assert(
      fc.property(fc.lorem(), urlPart, urlPart, (text, user, password) => {
        const uri = `redis://${user}:PW${password}WP@host.example/0`;
        expect(redactText(`${text} ${uri} ${text}`)).not.toContain(`PW${password}WP`);
      }),
    );
  });

  it('removes any known secret, as it is, encoded or inside JSON', () => {
    const secret = fc.string({ minLength: 4, unit: 'binary' }).filter((value) => !value.includes('*'));
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1 }), fc.string(), fc.string(), (secrets, before, after) => {
        const plain = redactText(before + secrets.join(after) + after, secrets);
        const json = redactText(JSON.stringify({ before, secrets }), secrets);
        for (const value of secrets) {
          expect(plain).not.toContain(value);
          expect(json).not.toContain(JSON.stringify(value).slice(1, -1));
        }
      }),
    );
  });

  it('takes time in proportion to the text', () => {
    const long = ['a://b', 'token', 'token:', 'bearer 1', 'sk-', 'bearer ']
      .map((part) => part.repeat(100_000))
      .join(' ');
    const started = performance.now();
    redactText(long);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

/** Percent-encoding that also takes lone surrogates, which encodeURIComponent refuses. */
function encodeUnit(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
