import { z } from 'zod';
import {
  anyText,
  flag,
  identity,
  integer,
  key,
  listOf,
  mongoAddress,
  oneOf,
  optionalKey,
  path,
  postgresAddress,
  redisAddress,
  requiredKey,
  secret,
  serviceName,
  sqlIdentifier,
  text,
  webAddress,
} from './keys.js';

/**
 * The settings of each provider (`storage.vector_providers.<name>`, `storage.metadata_providers.<name>`). Only the
 * active provider's block is validated.
 */

const service = (url: string, name: string) => key(webAddress, url, `The address of ${name}.`);

const collection = () => key(serviceName, 'memory_vectors', 'The collection that holds the vectors.');

const apiKey = (service: string) => secret(key(anyText, '', `The API key of ${service}; empty sends none.`));

const searchCluster = (name: string) =>
  z
    .strictObject({
      url: service('http://127.0.0.1:9200', name),
      username: identity(key(anyText, '', 'The user name; empty sends none.')),
      password: secret(key(anyText, '', 'The password of that user.')),
      index: key(serviceName, 'memory_vectors', 'The index that holds the vectors.'),
    })
    .describe(`Vectors in ${name}.`);

export const vectorSettings = {
  lancedb: z
    .strictObject({ path: optionalKey(path, '<paths.data_dir>/vectors', 'The folder of the vector files.') })
    .describe('Vectors in files of this machine.'),
  chromadb: z
    .strictObject({
      url: service('http://127.0.0.1:8000', 'Chroma'),
      collection: collection(),
    })
    .describe('Vectors in a Chroma server.'),
  qdrant: z
    .strictObject({
      url: service('http://127.0.0.1:6333', 'Qdrant'),
      api_key: apiKey('Qdrant'),
      collection: collection(),
    })
    .describe('Vectors in Qdrant.'),
  milvus: z
    .strictObject({
      uri: service('http://127.0.0.1:19530', 'Milvus'),
      token: secret(key(anyText, '', 'The token, or user:password; empty sends none.')),
      collection: collection(),
    })
    .describe('Vectors in Milvus.'),
  weaviate: z
    .strictObject({
      url: service('http://127.0.0.1:8080', 'Weaviate'),
      api_key: apiKey('Weaviate'),
      collection: key(serviceName, 'MemoryVector', 'The collection that holds the vectors.'),
    })
    .describe('Vectors in Weaviate.'),
  pgvector: z
    .strictObject({
      url: secret(requiredKey(postgresAddress, 'The connection string of the database.')),
      table_name: key(sqlIdentifier, 'memory_vectors', 'The table that holds the vectors.'),
    })
    .describe('Vectors in PostgreSQL with the vector extension.'),
  mongodb_atlas: z
    .strictObject({
      uri: secret(requiredKey(mongoAddress, 'The connection string of the cluster.')),
      database: key(serviceName, 'threadkeep', 'The database.'),
      collection: collection(),
      index: key(serviceName, 'memory_vector_index', 'The vector search index of that collection.'),
    })
    .describe('Vectors in MongoDB Atlas.'),
  elasticsearch: searchCluster('Elasticsearch'),
  opensearch: searchCluster('OpenSearch'),
  redis: z
    .strictObject({
      url: secret(key(redisAddress, 'redis://127.0.0.1:6379/0', 'The connection string of the server.')),
      index: key(serviceName, 'memory_vectors', 'The search index.'),
      key_prefix: key(text, 'memory_vectors:', 'The prefix of every vector key.'),
    })
    .describe('Vectors in Redis with its search module.'),
  pinecone: z
    .strictObject({
      api_key: secret(requiredKey(text, 'The API key of Pinecone.')),
      index: key(serviceName, 'memory-vectors', 'The index that holds the vectors.'),
      namespace: key(text, 'default', 'The namespace inside the index.'),
      cloud: key(serviceName, 'aws', 'The cloud in which a new index is created.'),
      region: key(serviceName, 'us-east-1', 'The region in which a new index is created.'),
      create_index: key(flag, false, 'Create the index when it does not exist.'),
    })
    .describe('Vectors in Pinecone.'),
  turbopuffer: z
    .strictObject({
      api_key: secret(requiredKey(text, 'The API key of turbopuffer.')),
      namespace: key(serviceName, 'memory-vectors', 'The namespace that holds the vectors.'),
      region: key(serviceName, 'gcp-us-central1', 'The region of the namespace.'),
    })
    .describe('Vectors in turbopuffer.'),
  vespa: z
    .strictObject({
      url: service('http://127.0.0.1:8080', 'Vespa'),
      token: secret(key(anyText, '', 'The access token; empty sends none.')),
      namespace: key(serviceName, 'memory', 'The document namespace.'),
      schema: key(serviceName, 'memory_vector', 'The document type.'),
      rank_profile: key(serviceName, 'vector_similarity', 'The rank profile used by searches.'),
    })
    .describe('Vectors in Vespa.'),
  typesense: z
    .strictObject({
      url: service('http://127.0.0.1:8108', 'Typesense'),
      api_key: apiKey('Typesense'),
      collection: collection(),
    })
    .describe('Vectors in Typesense.'),
  memory: z.strictObject({}).describe('Vectors in the memory of the process, lost when it ends; it has no settings.'),
};

export const metadataSettings = {
  sqlite: z
    .strictObject({ path: optionalKey(path, '<paths.data_dir>/metadata.sqlite3', 'The database file.') })
    .describe('Metadata in one file of this machine.'),
  postgres: z
    .strictObject({ url: secret(requiredKey(postgresAddress, 'The connection string of the database.')) })
    .describe('Metadata in PostgreSQL.'),
  mongodb: z
    .strictObject({
      uri: secret(requiredKey(mongoAddress, 'The connection string of the server.')),
      database: key(serviceName, 'threadkeep', 'The database.'),
      conversations_collection: key(serviceName, 'conversations', 'The collection of conversations.'),
    })
    .describe('Metadata in MongoDB.'),
};

type Block = z.ZodExactOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;

const settingsOfBlocks = new WeakMap<z.ZodType, z.ZodObject>();

/** The schema of a provider block, applied when its provider is active. */
export function blockSettings(schema: z.ZodType): z.ZodObject | undefined {
  return settingsOfBlocks.get(schema);
}

export const storage = z
  .strictObject({
    dry_run: key(flag, false, 'Answer as usual but write nothing.'),
    allow_trusted_appends: key(
      flag,
      false,
      'Append to the stored conversation when a client sends a longer capture of the same thread.',
    ),
    metadata_schema_versions: key(
      listOf(integer(1), 1),
      [1],
      'The versions of the metadata schema that may be opened; any other stops the start.',
    ),
    timeout_ms: key(
      integer(10, 600_000),
      30_000,
      'Time limit for a call to a store, in milliseconds; a large write has more.',
    ),
    max_retries: key(
      integer(0, 20),
      2,
      'How often an idempotent call to a remote store is retried when the store is down.',
    ),
    vector: z
      .strictObject({
        allow_fallback: key(
          flag,
          true,
          'Use the in-memory vector store, with health `degraded`, when the vector provider fails to start.',
        ),
        distance: key(oneOf('cosine', 'l2', 'inner_product'), 'cosine', 'How the distance of two vectors is measured.'),
      })
      .prefault({}),
    vector_providers: z.strictObject(blocks(vectorSettings)).prefault({}),
    metadata_providers: z.strictObject(blocks(metadataSettings)).prefault({}),
  })
  .prefault({})
  .describe('How and where data is stored.');

function blocks<Name extends string>(settings: Record<Name, z.ZodObject>): Record<Name, Block> {
  const names = Object.keys(settings) as Name[];
  return Object.fromEntries(names.map((name) => [name, block(settings[name])])) as Record<Name, Block>;
}

/** Any mapping: it is validated only when its provider is active. */
function block(settings: z.ZodObject): Block {
  const schema = z.exactOptional(z.record(z.string(), z.unknown()));
  settingsOfBlocks.set(schema, settings);
  return schema;
}

export type VectorProvider = keyof typeof vectorSettings;
export type MetadataProvider = keyof typeof metadataSettings;
