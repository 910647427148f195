import { describe, expect, it } from 'vitest';
import { activeMetadataSettings, activeVectorSettings } from '../../src/config/active.js';
import { load, problemsOf } from './workspace.js';

describe('unknown keys', () => {
  it.each([
    ['storage: { vector: { distence: l2 } }', 'storage.vector.distence', 'storage.vector.distance'],
    ['strorage: { dry_run: true }', 'strorage', 'storage'],
    ['distance: l2', 'distance', 'storage.vector.distance'],
    [
      'storage: { vector_providers: { qdrnt: {} } }',
      'storage.vector_providers.qdrnt',
      'storage.vector_providers.qdrant',
    ],
    [
      'api: { connect: { providers: { g: { enabled: false, isuer: x } } } }',
      'api.connect.providers.g.isuer',
      'api.connect.providers.g.issuer',
    ],
  ])('names the nearest key for %s', async (yaml, path, nearest) => {
    expect(await problemsOf({ yaml })).toEqual([`${path} is not a known key (did you mean ${nearest}?)`]);
  });

  it('suggests nothing when nothing is near', async () => {
    expect(await problemsOf({ yaml: 'zzzzzz: 1\n__proto__: { a: 1 }' })).toEqual([
      '__proto__ is not a known key',
      'zzzzzz is not a known key',
    ]);
  });
});

describe('wrong values', () => {
  it('are listed all together, each with what is allowed, none with its value', async () => {
    const yaml = `
providers: { vector_db: pgvector, embeddings: http, embedding_dimension: 5000 }
storage:
  dry_run: "yes please hunter2"
  vector: { distence: l2 }
  vector_providers: { pgvector: { tabel_name: x } }
chunking: { max_tokens: 80 }
api: { auth: hunter2, cors_allow_origins: ["*"] }
mcp: hunter2
paths: { data_dir: "\${UNSET}" }
`;
    expect(await problemsOf({ yaml, environment: { THREADKEEP_APY__PORT: '1' } })).toEqual([
      'THREADKEEP_APY__PORT matches no key (did you mean THREADKEEP_API__PORT?)',
      'api.auth must be one of none, bearer_token, oauth_resource_server',
      'api.cors_allow_origins.0 must be an exact origin such as http://127.0.0.1:5173 or chrome-extension://<id> (http, https or the scheme of an extension; no path, no *)',
      'chunking.overlap_tokens must be less than chunking.max_tokens',
      'embedding_endpoint.base_url (or embeddings.endpoint) is required when providers.embeddings is http',
      'mcp must be a mapping of keys',
      'paths.data_dir refers to the variable UNSET, which is not set',
      'providers.embedding_dimension must be a whole number from 1 to 4096',
      'storage.dry_run must be true or false',
      'storage.vector.distence is not a known key (did you mean storage.vector.distance?)',
      'storage.vector_providers.pgvector.tabel_name is not a known key (did you mean storage.vector_providers.pgvector.table_name?)',
      'storage.vector_providers.pgvector.url is required: a postgres:// or postgresql:// URL',
    ]);
  });

  it.each([
    ['retrieval: { keyword_candidate_limit: 501 }', 'retrieval.keyword_candidate_limit'],
    ['retrieval: { candidate_multiplier: 0 }', 'retrieval.candidate_multiplier'],
    ['retrieval: { vector_score_threshold: -1 }', 'retrieval.vector_score_threshold'],
    ['retrieval: { keyword_weight: .nan }', 'retrieval.keyword_weight'],
    ['observability: { tracing: { sample_ratio: 1.5 } }', 'observability.tracing.sample_ratio'],
    ['observability: { log_level: loud }', 'observability.log_level'],
    ['observability: { request_id_header: "x id" }', 'observability.request_id_header'],
    ['api: { port: 65536 }', 'api.port'],
    ['api: { port: "8000" }', 'api.port'],
    ['api: { public_base_url: "ftp://x" }', 'api.public_base_url'],
    ['api: { oauth: { resource: "https://x/#part" } }', 'api.oauth.resource'],
    ['api: { oauth: { scopes_supported: [] } }', 'api.oauth.scopes_supported'],
    ['storage: { metadata_schema_versions: [] }', 'storage.metadata_schema_versions'],
    ['storage: { metadata_schema_versions: [one] }', 'storage.metadata_schema_versions.0'],
    ['storage: { vector_providers: { qdrant: [] } }', 'storage.vector_providers.qdrant'],
    ['ask: { max_context_tokens: 0 }', 'ask.max_context_tokens'],
    ['limits: { max_depth: 1.5 }', 'limits.max_depth'],
    ['limits: { max_summary_length: 2001 }', 'limits.max_summary_length'],
  ])('are refused: %s', async (yaml, path) => {
    const problems = await problemsOf({ yaml });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${path.replaceAll('.', '\\.')} must be `));
  });
});

describe('cors_allow_origins', () => {
  it('keeps exact origins in the form browsers send, each once', async () => {
    const given = [
      'http://127.0.0.1:5173/',
      'HTTPS://Example.com:443',
      'chrome-extension://abc',
      'moz-extension://a-1/',
      'Chrome-Extension://DEF',
      'Safari-Web-Extension://4F2A-b1/',
    ];
    const { config } = await load({ flags: { api: { cors_allow_origins: [...given, 'http://127.0.0.1:5173'] } } });
    expect(config.api.corsAllowOrigins).toEqual([
      'http://127.0.0.1:5173',
      'https://example.com',
      'chrome-extension://abc',
      'moz-extension://a-1',
      'chrome-extension://def',
      'safari-web-extension://4F2A-b1',
    ]);
  });

  it.each([
    '*',
    'http://*',
    'http://*.example.com',
    'http://a/b',
    'http://a?b',
    'http://a#b',
    'http://u:p@a',
    'null',
    'file:///x',
    'safari-web-extension://',
    'safari-web-extension://a/b',
    'app://a',
    'a.example',
    '',
  ])('refuses %j', async (origin) => {
    expect(await problemsOf({ flags: { api: { cors_allow_origins: [origin] } } })).toHaveLength(1);
  });
});

describe('the embedding address', () => {
  const http = 'providers: { embeddings: http }\n';

  it.each(['embeddings: { endpoint: "http://h:1/v1/" }', 'embedding_endpoint: { base_url: "http://h:1/v1" }'])(
    'has two names and one value: %s',
    async (yaml) => {
      const { config } = await load({ yaml: http + yaml });
      expect(config.embeddingEndpoint.baseUrl).toBe('http://h:1/v1');
      expect(config.embeddings.endpoint).toBe('http://h:1/v1');
    },
  );

  it('may be given under both names when they agree', async () => {
    const yaml = `${http}embeddings: { endpoint: "http://h/v1/" }\nembedding_endpoint: { base_url: "http://h/v1" }`;
    expect((await load({ yaml })).config.embeddingEndpoint.baseUrl).toBe('http://h/v1');
  });

  it('is refused when the two names disagree', async () => {
    const yaml = `${http}embeddings: { endpoint: "http://a/v1" }\nembedding_endpoint: { base_url: "http://b/v1" }`;
    expect(await problemsOf({ yaml })).toEqual([
      'embeddings.endpoint and embedding_endpoint.base_url are the same setting but have different values: give one of them',
    ]);
  });

  it('is overridden by a variable whichever name the file uses', async () => {
    const yaml = `${http}embeddings: { endpoint: "http://a/v1" }`;
    const { config } = await load({ yaml, environment: { THREADKEEP_EMBEDDING_ENDPOINT__BASE_URL: 'http://b/v1' } });
    expect(config.embeddingEndpoint.baseUrl).toBe('http://b/v1');
    expect(config.embeddings.endpoint).toBe('http://b/v1');
  });
});

describe('provider blocks', () => {
  it('are held to their schema only when active', async () => {
    const block = `storage: { vector_providers: { qdrant: { surprise: 1, api_key: "\${UNSET}" } } }`;
    const { config } = await load({ yaml: block });
    expect(config.storage.vectorProviders.qdrant).toEqual({ surprise: 1, api_key: `\${UNSET}` });
    expect(await problemsOf({ yaml: `${block}\nproviders: { vector_db: qdrant }` })).toEqual([
      'storage.vector_providers.qdrant.api_key refers to the variable UNSET, which is not set',
      'storage.vector_providers.qdrant.surprise is not a known key',
    ]);
  });

  it('come complete and typed for the active providers', async () => {
    const yaml = `
providers: { vector_db: Qdrant, metadata_db: postgres }
storage:
  vector_providers: { qdrant: { api_key: k } }
  metadata_providers: { postgres: { url: "postgres://u:p@h1:1,h2:2/db" } }
`;
    const { config } = await load({ yaml });
    expect(activeVectorSettings(config)).toEqual({
      name: 'qdrant',
      settings: { url: 'http://127.0.0.1:6333', apiKey: 'k', collection: 'memory_vectors' },
    });
    expect(activeMetadataSettings(config)).toEqual({
      name: 'postgres',
      settings: { url: 'postgres://u:p@h1:1,h2:2/db' },
    });
  });

  it.each(['pgvector', 'mongodb_atlas', 'pinecone', 'turbopuffer'])('requires the credentials of %s', async (name) => {
    const problems = await problemsOf({ flags: { providers: { vector_db: name } } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^storage\\.vector_providers\\.${name}\\.\\w+ is required: `));
  });

  it.each([
    'lancedb',
    'chromadb',
    'qdrant',
    'milvus',
    'weaviate',
    'elasticsearch',
    'opensearch',
    'redis',
    'vespa',
    'typesense',
    'memory',
  ])('has working defaults for %s', async (name) => {
    const { config } = await load({ flags: { providers: { vector_db: name } } });
    expect(activeVectorSettings(config).name).toBe(name);
  });
});

describe('sign-in providers', () => {
  it('need an issuer and a client id unless they are switched off', async () => {
    const yaml =
      'api: { connect: { providers: { google: {}, other: { enabled: false }, "Bad Name": { enabled: false } } } }';
    expect(await problemsOf({ yaml })).toEqual([
      'api.connect.providers.Bad Name must be a name of lower-case letters, digits, "_" or "-" that begins with a letter',
      'api.connect.providers.google.client_id is required unless enabled is false',
      'api.connect.providers.google.issuer is required unless enabled is false',
    ]);
  });
});
