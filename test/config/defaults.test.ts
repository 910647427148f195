import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { valueAt } from '../../src/config/layers.js';
import { describeKeys, inFileSpelling } from '../../src/config/tree.js';
import { aFolder, load } from './workspace.js';

const absent = undefined;

/** Every key outside the provider blocks with its default. Paths are relative to the working directory. */
const defaults: Record<string, unknown> = {
  'providers.embeddings': 'local',
  'providers.embedding_model': 'threadkeep-static-256',
  'providers.embedding_dimension': 256,
  'providers.metadata_db': 'sqlite',
  'providers.vector_db': 'lancedb',
  'embeddings.endpoint': absent,
  'embeddings.batch_size': 64,
  'embeddings.concurrency': 2,
  'embeddings.timeout_ms': 30_000,
  'embeddings.max_retries': 4,
  'embedding_endpoint.base_url': absent,
  'embedding_endpoint.api_key': '',
  'storage.dry_run': false,
  'storage.allow_trusted_appends': false,
  'storage.metadata_schema_versions': [1],
  'storage.timeout_ms': 30_000,
  'storage.max_retries': 2,
  'circuit.failures': 5,
  'circuit.pause_ms': 5_000,
  'storage.vector.allow_fallback': true,
  'storage.vector.distance': 'cosine',
  'memory.insert_policy': 'permissive',
  'memory.secret_policy': 'off',
  'chunking.strategy': 'message',
  'chunking.max_tokens': 800,
  'chunking.overlap_tokens': 80,
  'tokenizer.enabled': false,
  'tokenizer.encoding': 'cl100k_base',
  'ask.max_context_tokens': 2000,
  'ask.model.base_url': absent,
  'ask.model.model': '',
  'ask.model.api_key': '',
  'ask.model.timeout_ms': 45_000,
  'ask.model.max_tokens': 600,
  'facts.model.base_url': absent,
  'facts.model.model': '',
  'facts.model.api_key': '',
  'facts.model.timeout_ms': 60_000,
  'facts.model.max_tokens': 800,
  'models.reader': true,
  'models.tagger': true,
  'models.deep_index': true,
  'retrieval.vector_score_threshold': 7.5,
  'retrieval.keyword_enabled': true,
  'retrieval.keyword_candidate_limit': 50,
  'retrieval.keyword_weight': 0.25,
  'retrieval.metadata_weight': 0.15,
  'retrieval.candidate_multiplier': 3,
  'retrieval.rerank': false,
  'interfaces.mcp': true,
  'interfaces.api': true,
  'paths.data_dir': 'data',
  'paths.logs_dir': 'logs',
  'schema.file': absent,
  'limits.max_messages': 10_000,
  'limits.max_message_bytes': 1_000_000,
  'limits.max_body_bytes': 25_000_000,
  'limits.max_import_bytes': 4_000_000_000,
  'limits.max_metadata_bytes': 1_000_000,
  'limits.max_source_length': 128,
  'limits.max_title_length': 1024,
  'limits.max_summary_length': 2000,
  'limits.max_top_k': 100,
  'limits.max_depth': 64,
  'limits.max_concurrent_requests': 256,
  'limits.max_public_requests': 128,
  'limits.max_public_requests_per_address': 32,
  'limits.public_body_timeout_ms': 10_000,
  'limits.max_connections': 2_048,
  'limits.max_header_bytes': 16_384,
  'limits.header_timeout_ms': 10_000,
  'limits.request_timeout_ms': 300_000,
  'limits.response_timeout_ms': 60_000,
  'mcp.list_page_size': 100,
  'mcp.max_sessions': 1000,
  'mcp.max_sessions_per_user': 200,
  'mcp.session_idle_seconds': 3600,
  'api.host': '127.0.0.1',
  'api.port': 8000,
  'api.auth': 'none',
  'api.public_base_url': absent,
  'api.cors_allow_origins': [],
  'api.trust_forwarded_for': false,
  'api.rate_limits.enabled': 'auto',
  'api.rate_limits.per_token': 1_200,
  'api.rate_limits.per_address': 2_400,
  'api.oauth.authorization_servers': [],
  'api.oauth.resource': absent,
  'api.oauth.audience': absent,
  'api.oauth.scopes_supported': ['memory:read', 'memory:write'],
  'api.connect.enabled': true,
  'api.connect.providers.<name>.enabled': absent,
  'api.connect.providers.<name>.issuer': absent,
  'api.connect.providers.<name>.client_id': absent,
  'api.connect.providers.<name>.client_secret': absent,
  'api.connect.providers.<name>.allowed_emails': absent,
  'api.connect.providers.<name>.allowed_domains': absent,
  'observability.service_name': 'threadkeep',
  'observability.environment': 'local',
  'observability.log_level': 'info',
  'observability.log_format': 'text',
  'observability.access_logs': true,
  'observability.request_id_header': 'x-request-id',
  'observability.include_stack_traces': true,
  'observability.debug_payloads': false,
  'observability.embedding_readiness_probe': false,
  'observability.tracing.enabled': false,
  'observability.tracing.endpoint': 'http://127.0.0.1:4318',
  'observability.tracing.protocol': 'http/protobuf',
  'observability.tracing.sample_ratio': 1,
  'observability.metrics.enabled': false,
  'observability.metrics.endpoint': 'http://127.0.0.1:4318',
  'observability.metrics.protocol': 'http/protobuf',
  'observability.metrics.interval_seconds': 60,
};

/** The settings of each provider in the order of the specification. */
const blocks: Record<string, string[]> = {
  'storage.vector_providers.lancedb': ['path'],
  'storage.vector_providers.chromadb': ['url', 'collection'],
  'storage.vector_providers.qdrant': ['url', 'api_key', 'collection'],
  'storage.vector_providers.milvus': ['uri', 'token', 'collection'],
  'storage.vector_providers.weaviate': ['url', 'api_key', 'collection'],
  'storage.vector_providers.pgvector': ['url', 'table_name'],
  'storage.vector_providers.mongodb_atlas': ['uri', 'database', 'collection', 'index'],
  'storage.vector_providers.elasticsearch': ['url', 'username', 'password', 'index'],
  'storage.vector_providers.opensearch': ['url', 'username', 'password', 'index'],
  'storage.vector_providers.redis': ['url', 'index', 'key_prefix'],
  'storage.vector_providers.pinecone': ['api_key', 'index', 'namespace', 'cloud', 'region', 'create_index'],
  'storage.vector_providers.turbopuffer': ['api_key', 'namespace', 'region'],
  'storage.vector_providers.vespa': ['url', 'token', 'namespace', 'schema', 'rank_profile'],
  'storage.vector_providers.typesense': ['url', 'api_key', 'collection'],
  'storage.metadata_providers.sqlite': ['path'],
  'storage.metadata_providers.postgres': ['url'],
  'storage.metadata_providers.mongodb': ['uri', 'database', 'conversations_collection'],
};

describe('the built-in defaults', () => {
  it.each(Object.entries(defaults))('gives %s its default', async (key, expected) => {
    const { config, cwd } = await load();
    const found = valueAt(inFileSpelling(config), key.split('.'));
    expect(found).toEqual(key.startsWith('paths.') ? join(cwd, String(expected)) : expected);
  });

  it('knows exactly the keys of these tables', () => {
    const fromBlocks = Object.entries(blocks).flatMap(([block, names]) => names.map((name) => `${block}.${name}`));
    expect(
      describeKeys()
        .map((key) => key.path)
        .sort(),
    ).toEqual([...Object.keys(defaults), ...fromBlocks].sort());
  });

  it('describes every key in a sentence', () => {
    for (const key of describeKeys()) expect(key.description, key.path).toMatch(/^[A-Z].*\.$/);
  });

  it('puts the files of the local stores into the data folder', async () => {
    const { config, cwd } = await load({ flags: { paths: { data_dir: 'elsewhere' } } });
    expect(config.storage.vectorProviders).toEqual({ lancedb: { path: join(cwd, 'elsewhere', 'vectors') } });
    expect(config.storage.metadataProviders).toEqual({
      sqlite: { path: join(cwd, 'elsewhere', 'metadata.sqlite3') },
    });
  });

  it('equals what the shipped config.yaml says', async () => {
    const cwd = await aFolder();
    const shipped = await load({ cwd, file: join(import.meta.dirname, '..', '..', 'config.yaml') });
    expect(shipped.config).toEqual((await load({ cwd })).config);
  });

  it('is frozen to the last list', async () => {
    const { config } = await load({ yaml: 'storage: { vector_providers: { qdrant: { hosts: [{ a: 1 }] } } }' });
    const open: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) open.push(path);
      for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`);
    };
    visit(config, 'config');
    expect(open).toEqual([]);
  });
});
