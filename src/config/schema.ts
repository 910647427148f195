import { z } from 'zod';
import { api } from './api-schema.js';
import {
  anyText,
  flag,
  headerName,
  integer,
  key,
  number,
  oneOf,
  optionalKey,
  path,
  secret,
  text,
  webAddress,
} from './keys.js';
import {
  type MetadataProvider,
  metadataSettings,
  storage,
  type VectorProvider,
  vectorSettings,
} from './storage-schema.js';

const telemetry = (what: string) => ({
  enabled: key(flag, false, `Send ${what} to a collector.`),
  endpoint: key(webAddress, 'http://127.0.0.1:4318', 'The collector; one that speaks grpc usually listens on 4317.'),
  protocol: key(oneOf('grpc', 'http/protobuf'), 'http/protobuf', 'The protocol of the collector.'),
});

export const observability = z
  .strictObject({
    service_name: key(text, 'threadkeep', 'The name under which this service reports.'),
    environment: key(text, 'local', 'The environment under which this service reports.'),
    log_level: key(oneOf('debug', 'info', 'warn', 'error'), 'info', 'The lowest level that is logged.'),
    log_format: key(oneOf('text', 'json'), 'text', 'The format of log lines.'),
    access_logs: key(flag, true, 'Log one line for each request.'),
    request_id_header: key(headerName, 'x-request-id', 'The header that carries the request id, in lower case.'),
    include_stack_traces: key(flag, true, 'Log the stack of an unexpected error; responses never contain one.'),
    debug_payloads: key(
      flag,
      false,
      'Log payloads too. They contain user text, including secrets: use it only for debugging on your own machine.',
    ),
    embedding_readiness_probe: key(flag, false, 'Let /ready make a real embedding call.'),
    tracing: z
      .strictObject({
        ...telemetry('traces'),
        sample_ratio: key(number(0, 1), 1, 'The share of requests that are traced.'),
      })
      .prefault({}),
    metrics: z
      .strictObject({
        ...telemetry('metrics'),
        interval_seconds: key(integer(1, 3_600), 60, 'How often the metrics are sent.'),
      })
      .prefault({}),
  })
  .prefault({})
  .describe('Logs, traces and metrics.');

/** The user's own chat endpoint; nothing is sent unless it has an address. */
const languageModel = (what: string, usual: { timeoutMs: number; maxTokens: number }) =>
  z
    .strictObject({
      base_url: optionalKey(
        webAddress,
        'none: no language model is used',
        `An OpenAI-compatible chat API that ${what}, of the form http://<host>:<port>/v1.`,
      ),
      model: key(anyText, '', 'The name of the model; required with `base_url`.'),
      api_key: secret(key(anyText, '', 'The API key of the service; empty sends none.')),
      timeout_ms: key(integer(1, 600_000), usual.timeoutMs, 'Time limit for one answer, in milliseconds.'),
      max_tokens: key(integer(1, 100_000), usual.maxTokens, 'Maximum number of tokens in one answer.'),
    })
    .prefault({})
    .describe(`Your own language model that ${what}. Off by default: nothing is sent unless it has an address.`);

const vectorProviders = Object.keys(vectorSettings) as VectorProvider[];
const metadataProviders = Object.keys(metadataSettings) as MetadataProvider[];

/** The default budget of an answer: it applies only if tokens are counted anyway. */
export const usualContextTokens = 2000;

/** Every key of the configuration with its default. Keys are spelled as in the specification. */
export const configSchema = z.strictObject({
  providers: z
    .strictObject({
      embeddings: key(oneOf('local', 'http'), 'local', 'What computes the vectors: this process or an HTTP service.'),
      embedding_model: key(
        text,
        'threadkeep-static-256',
        'The model that makes the vectors; `local` has `threadkeep-static-256`, `all-MiniLM-L6-v2` (packages of its own), ' +
          '`local-hash`, and any folder with a model in it, such as `./models/mine`.',
      ),
      embedding_dimension: key(
        integer(1, 4096),
        256,
        'The number of dimensions of a vector; `local-hash` supports any.',
      ),
      metadata_db: key(oneOf(...metadataProviders), 'sqlite', 'Where conversations and facts are stored.'),
      vector_db: key(
        oneOf(...vectorProviders),
        'lancedb',
        'Where vectors are stored; docs/providers.md compares them.',
      ),
    })
    .prefault({})
    .describe(
      'The back ends in use, one of each kind. Changing the embedding provider, model or dimension needs `threadkeep reindex`.',
    ),
  embeddings: z
    .strictObject({
      endpoint: optionalKey(webAddress, 'none', 'The same as `embedding_endpoint.base_url`; set one of the two.'),
      batch_size: key(integer(1, 2048), 64, 'Texts per request to the embedding service.'),
      concurrency: key(integer(1, 64), 2, 'Concurrent requests.'),
      timeout_ms: key(integer(1, 600_000), 30_000, 'Time limit for one request, in milliseconds.'),
      max_retries: key(integer(0, 20), 4, 'How often a failed request is retried.'),
    })
    .prefault({})
    .describe('How the embedding service is called.'),
  embedding_endpoint: z
    .strictObject({
      base_url: optionalKey(
        webAddress,
        'none; required when `providers.embeddings` is `http`',
        'An OpenAI-compatible embeddings API, of the form http://<host>:<port>/v1.',
      ),
      api_key: secret(key(anyText, '', 'The API key of the service; empty sends none.')),
    })
    .prefault({})
    .describe('The address of the embedding service.'),
  storage,
  circuit: z
    .strictObject({
      failures: key(integer(1, 1_000), 5, 'Consecutive failures after which calls to a service are paused.'),
      pause_ms: key(
        integer(1, 600_000),
        5_000,
        'How long they are paused, in milliseconds; then one call checks whether the service is back.',
      ),
    })
    .prefault({})
    .describe('What happens while a remote store or an embedding service is down.'),
  memory: z
    .strictObject({
      insert_policy: key(
        oneOf('permissive', 'require_save_intent', 'review_pending'),
        'permissive',
        'What happens to an insert, or an import over HTTP, without an accepted save intent: it is stored, rejected, or held for review.',
      ),
      secret_policy: key(
        oneOf('off', 'redact', 'quarantine'),
        'off',
        'What happens to API keys, tokens, private keys, passwords and card numbers in an insert: nothing, they are replaced before anything is stored, or the conversation is held for review. In a new title or tag they are replaced, or rejected under quarantine.',
      ),
    })
    .prefault({})
    .describe('What may be stored.'),
  chunking: z
    .strictObject({
      strategy: key(
        oneOf('message', 'token'),
        'message',
        'One chunk per message, or windows of tokens: exact ones if `js-tiktoken` is installed, whatever `tokenizer.enabled` says. A change applies to conversations stored from then on; `threadkeep reindex` applies it to the rest.',
      ),
      max_tokens: key(integer(1), 800, 'The length of a token window.'),
      overlap_tokens: key(integer(0), 80, 'How many tokens two windows share; less than `chunking.max_tokens`.'),
    })
    .prefault({})
    .describe('How conversations are split for search.'),
  tokenizer: z
    .strictObject({
      enabled: key(flag, false, 'Count the tokens of answers with the exact tokenizer instead of the heuristic.'),
      encoding: key(text, 'cl100k_base', 'The encoding of the exact tokenizer.'),
    })
    .prefault({})
    .describe('How tokens are counted.'),
  ask: z
    .strictObject({
      max_context_tokens: key(
        integer(1),
        usualContextTokens,
        'How many tokens of memory an answer may use. Any value other than the default applies to every question; the default applies only with `tokenizer.enabled`. A question may set its own.',
      ),
      // Many MCP clients cancel a call after a minute.
      model: languageModel('puts answers into words', { timeoutMs: 45_000, maxTokens: 600 }),
    })
    .prefault({})
    .describe('How questions are answered.'),
  facts: z
    .strictObject({
      model: languageModel('gives the tagger a second opinion', { timeoutMs: 60_000, maxTokens: 800 }),
    })
    .prefault({})
    .describe('How facts are found.'),
  models: z
    .strictObject({
      reader: key(
        flag,
        true,
        'Read the messages that a search finds with the model that ships with Threadkeep, so that an answer knows whether they answer.',
      ),
      tagger: key(
        flag,
        true,
        'Find facts in messages with the same model, in the background, in addition to the rules that find them at once. Nearly nine in ten are right.',
      ),
      deep_index: key(
        flag,
        true,
        'Keep vectors of all messages by the same model, made in the background, so that questions and searches with `rerank` also find what was said in other words. Needs `models.reader`.',
      ),
    })
    .prefault({})
    .describe('The language models that ship with Threadkeep. They run on this machine and send nothing anywhere.'),
  retrieval: z
    .strictObject({
      vector_score_threshold: key(number(0), 7.5, 'The largest vector distance that counts as a match.'),
      keyword_enabled: key(flag, true, 'Add exact keyword matches to the candidates.'),
      keyword_candidate_limit: key(
        integer(1, 500),
        50,
        'How many keyword matches are considered, times `candidate_multiplier`; the first of them bring their neighbouring turns along.',
      ),
      keyword_weight: key(number(0), 0.25, 'How much a keyword match counts in the ranking.'),
      metadata_weight: key(number(0), 0.15, 'How much a match in title, tags or topics counts in the ranking.'),
      candidate_multiplier: key(
        integer(1, 20),
        3,
        'How many candidates are gathered for each requested result, and for each keyword match considered.',
      ),
      rerank: key(
        flag,
        false,
        'Let the reading model re-rank the results of a search that does not set `rerank`. MCP tools and `ask` do so by default. Needs `models.reader`.',
      ),
    })
    .prefault({})
    .describe('How results are found and ranked.'),
  interfaces: z
    .strictObject({
      mcp: key(flag, true, 'Serve the MCP endpoint.'),
      api: key(flag, true, 'Serve the HTTP API.'),
    })
    .prefault({})
    .describe('Which interfaces are served.'),
  paths: z
    .strictObject({
      data_dir: key(
        path,
        './data',
        'The folder for all data on this machine. On the command line the default is your user folder on this system.',
      ),
      logs_dir: key(
        path,
        './logs',
        'The folder for log files. On the command line the default is your user folder on this system, or `logs` inside a data folder that you chose.',
      ),
    })
    .prefault({})
    .describe('Folders. Relative paths start at the working directory of the process.'),
  schema: z
    .strictObject({
      file: optionalKey(path, 'the schema shipped with the package', 'The JSON schema of a conversation.'),
    })
    .prefault({})
    .describe('What a valid conversation is.'),
  limits: z
    .strictObject({
      max_messages: key(integer(1), 10_000, 'Messages in one conversation.'),
      max_message_bytes: key(integer(1), 1_000_000, 'Bytes of one message.'),
      max_body_bytes: key(integer(1), 25_000_000, 'Bytes of one request body.'),
      max_import_bytes: key(integer(1), 4_000_000_000, 'Bytes of one uploaded export.'),
      max_metadata_bytes: key(integer(1), 1_000_000, 'Bytes of the metadata of one conversation.'),
      max_source_length: key(integer(1), 128, 'Characters of `source`.'),
      max_title_length: key(integer(1), 1024, 'Characters of `title`.'),
      max_summary_length: key(integer(1, 2000), 2000, 'Characters of `metadata.summary`.'),
      max_top_k: key(
        integer(1),
        100,
        'The largest `top_k` and `limit` of search, ask, facts and profile; larger defaults are capped.',
      ),
      max_depth: key(integer(1), 64, 'How deep a payload may be nested.'),
      max_concurrent_requests: key(integer(1, 100_000), 256, 'Concurrent requests; more are answered with 429.'),
      max_public_requests: key(
        integer(1, 100_000),
        128,
        'Concurrent requests to routes that need no token (sign-in, OAuth, the console); other requests do not wait for them.',
      ),
      max_public_requests_per_address: key(integer(1, 100_000), 32, 'Of those, concurrent requests from one address.'),
      public_body_timeout_ms: key(
        integer(100, 600_000),
        10_000,
        'How long a client without a token may take to send the body of a request; with `api.auth: none`, how long a body may stall.',
      ),
      max_connections: key(integer(1, 100_000), 2_048, 'Concurrent connections; more are closed at once.'),
      max_header_bytes: key(integer(1_024, 1_048_576), 16_384, 'Bytes of the headers of one request.'),
      header_timeout_ms: key(integer(100, 600_000), 10_000, 'How long a client may take to send the headers.'),
      request_timeout_ms: key(integer(100, 3_600_000), 300_000, 'How long a client may take to send a whole request.'),
      response_timeout_ms: key(
        integer(100, 3_600_000),
        60_000,
        'How long a client may leave an answer unread before its connection is closed.',
      ),
    })
    .prefault({})
    .describe('Limits on the size and number of requests.'),
  mcp: z
    .strictObject({
      list_page_size: key(integer(1), 100, 'Entries on one page of an MCP list.'),
      max_sessions: key(
        integer(1, 100_000),
        1_000,
        'Concurrent sessions; one more ends the least recently used session of the user who has the most.',
      ),
      max_sessions_per_user: key(
        integer(1, 100_000),
        200,
        'Concurrent sessions per user; one more ends their least recently used one. Without `api.auth` only `mcp.max_sessions` applies.',
      ),
      session_idle_seconds: key(integer(1, 604_800), 3_600, 'How long a session may stay unused before it ends.'),
    })
    .prefault({})
    .describe('The MCP endpoint.'),
  api,
  observability,
});

/** A key as code spells it: `data_dir` is `dataDir`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Read-only at every depth, with keys in camelCase; names that users choose stay as they are. */
export type InCode<Value> = Value extends (infer Item)[]
  ? readonly InCode<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value as Key extends string ? CamelCase<Key> : Key]: InCode<Value[Key]> }
    : Value;

/** The whole configuration as the file spells it: parsed and complete. */
export type ConfigValues = z.output<typeof configSchema>;

type Storage = ConfigValues['storage'];

/**
 * The whole configuration for code: parsed, complete, deeply frozen, keys in camelCase. The blocks of providers stay as
 * they were written; `activeVectorSettings` and `activeMetadataSettings` read the ones in use.
 * `embeddingEndpoint.baseUrl` holds the embedding address.
 */
export type Config = Omit<InCode<ConfigValues>, 'storage'> & {
  readonly storage: Omit<InCode<Storage>, 'vectorProviders' | 'metadataProviders'> & {
    readonly vectorProviders: Readonly<Storage['vector_providers']>;
    readonly metadataProviders: Readonly<Storage['metadata_providers']>;
  };
};

/** The part of the configuration that a caller may set: any key, spelled as in the file. */
export type ConfigInput = z.input<typeof configSchema>;
