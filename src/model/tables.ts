import type { ProjectRole, Scope } from './access.js';
import { integer, json, optional, type RowWith, text } from './columns.js';
import type { Alias, MemoryStatus, Role, SaveIntent } from './conversation.js';
import type { FactChange, FactConfidence, FactSource, FactStatus, SourceQuality } from './fact.js';
import type { Json, JsonObject } from './json.js';

/**
 * `pending`: still to be embedded and written to the vector store. `indexed`: done. `held`: its conversation awaits
 * review or was rejected, so it stays out of the vector store.
 */
export type IndexState = 'pending' | 'indexed' | 'held';

export type HandleKind = 'session' | 'sign_in' | 'consent' | 'code' | 'refresh';

/** The kinds of alias by which a conversation can be found. */
export type AliasKind = 'source' | 'thread' | 'tag' | 'time';

/** The tables as data: every metadata store derives its schema from them. */
export const schemaVersion = 1;

export const tables = [
  {
    name: 'conversations',
    columns: {
      project_id: text(),
      owner_id: text(),
      /** The token that wrote it. */
      token_id: optional(text()),
      source: text(),
      title: optional(text()),
      timestamp: text(),
      /** The timestamp in UTC, so that times of any offset compare as text. */
      at: text(),
      /** The first and last time of its messages, in UTC, if messages have their own times. */
      first_at: optional(text()),
      last_at: optional(text()),
      conversation_hash: text(),
      thread_id: optional(text()),
      upstream_thread_id: optional(text()),
      memory_status: text<MemoryStatus>(),
      tags: optional(json<string[]>()),
      /** Metadata of later captures of the same messages. */
      aliases: optional(json<Alias[]>()),
      metadata: json<JsonObject>(),
      message_count: integer(),
      chunk_count: integer(),
      /** How many of its messages the tagging model has read; absent: none yet. */
      tagged: optional(integer()),
      created_at: text(),
      updated_at: text(),
    },
    unique: [['project_id', 'conversation_hash']],
    indexes: [
      ['project_id', 'memory_status', 'at', 'id', 'source', 'message_count'],
      ['project_id', 'source', 'upstream_thread_id'],
      ['project_id', 'thread_id'],
      ['project_id', 'last_at', 'first_at'],
      ['token_id'],
    ],
  },
  {
    /**
     * The first conversation of each thread. The id is derived from the thread, so that a thread can start only once.
     */
    name: 'threads',
    columns: { conversation_id: text() },
  },
  {
    /** The keys by which aliases find a conversation: a time, or the hash of a source, a thread or a tag. */
    name: 'alias_keys',
    columns: { project_id: text(), conversation_id: text(), kind: text<AliasKind>(), value: text() },
    indexes: [['project_id', 'kind', 'value', 'conversation_id']],
  },
  {
    name: 'messages',
    columns: {
      conversation_id: text(),
      message_index: integer(),
      role: text<Role>(),
      text: text(),
      /** When it was said, as sent; absent if only the conversation's time is known. */
      timestamp: optional(text()),
      hash: text(),
    },
    indexes: [['conversation_id']],
  },
  {
    name: 'chunks',
    columns: {
      conversation_id: text(),
      scope: text(),
      chunk_index: integer(),
      message_index: integer(),
      role: text<Role>(),
      /** The speaker's name, in a conversation between people. */
      speaker: optional(text()),
      /** The chunk as a slice of the message's text, which is stored once. */
      start: integer(),
      end: integer(),
      /** How many vectors it has; absent: one, as for all but long messages. */
      windows: optional(integer()),
      index_state: text<IndexState>(),
    },
    indexes: [['conversation_id'], ['index_state'], ['windows'], ['speaker', 'scope'], ['scope']],
    terms: 'terms',
  },
  {
    /**
     * Searchable titles of a conversation. The id is the conversation's; the row can be rebuilt from it at any time.
     */
    name: 'headings',
    columns: { scope: text() },
    indexes: [['scope']],
    terms: 'terms',
  },
  {
    /**
     * The reading model's vectors for the messages of an active conversation. The id is the conversation's; the row can
     * be rebuilt from its chunks at any time.
     */
    name: 'message_vectors',
    columns: {
      scope: text(),
      /** The model that made them: vectors of different models cannot be compared. */
      model: text(),
      /** The conversation's time, as in its own row. */
      at: text(),
      /** How many of its chunks are covered, counted from the first. */
      chunk_count: integer(),
      vector_count: integer(),
      /** Base64; see `indexing/deep/shelf.ts`. */
      vectors: text(),
      written_at: text(),
    },
    indexes: [['scope', 'at'], ['scope', 'written_at'], ['model']],
  },
  {
    /** One row per topic of an active conversation, so that a topic's digest needs a look-up and not a scan. */
    name: 'topics',
    columns: {
      project_id: text(),
      topic: text(),
      conversation_id: text(),
      at: text(),
    },
    indexes: [['project_id', 'topic', 'at'], ['conversation_id']],
  },
  {
    /** The words of speakers' names in a project: a name in a query is matched with the speaker, not with the text. */
    name: 'speakers',
    columns: { project_id: text(), term: text() },
    indexes: [['project_id', 'term']],
  },
  {
    name: 'summaries',
    columns: {
      project_id: text(),
      kind: text<'conversation' | 'topic' | 'project'>(),
      target_id: text(),
      text: text(),
      conversation_ids: json<string[]>(),
      generated_at: text(),
    },
    indexes: [['project_id', 'kind']],
  },
  {
    /**
     * Hashes of forgotten conversations, so that an import or a client that still has one does not bring it back. A
     * conversation is recognised by its first message and by all of them, so one that has grown since is recognised
     * too.
     */
    name: 'tombstones',
    columns: {
      project_id: text(),
      opening: text(),
      content: text(),
      message_count: integer(),
      source: optional(text()),
      thread: optional(text()),
      /** The sources and threads under which it was captured again. */
      other_sources: optional(json<string[]>()),
      other_threads: optional(json<string[]>()),
      forgotten_at: text(),
    },
    indexes: [
      ['project_id', 'opening'],
      ['project_id', 'thread'],
    ],
  },
  {
    name: 'facts',
    columns: {
      project_id: text(),
      owner_id: text(),
      subject: text(),
      subject_key: text(),
      predicate: text(),
      object_raw: text(),
      object_normalized: text(),
      object_key: text(),
      qualifiers: json<JsonObject>(),
      source_quality: text<SourceQuality>(),
      confidence: text<FactConfidence>(),
      confidence_reason: text(),
      status: text<FactStatus>(),
      stated_at: text(),
      created_at: text(),
      updated_at: text(),
      last_confirmed_at: text(),
      superseded_at: optional(text()),
      superseded_by: optional(text()),
      ended_at: optional(text()),
      superseded_by_hand: optional(json<{ superseded_by: string; superseded_at: string }>()),
      changes: optional(json<FactChange[]>()),
      pinned_at: optional(text()),
      save_intent: optional(text<SaveIntent>()),
      save_intent_source: optional(text()),
      sources: json<FactSource[]>(),
      /** The names and conversations of the sources, repeated so that filters need not read every source. */
      source_names: json<string[]>(),
      conversation_ids: json<string[]>(),
    },
    indexes: [
      ['project_id', 'subject_key', 'predicate', 'object_key'],
      ['project_id', 'status', 'stated_at'],
      ['project_id', 'stated_at'],
      ['project_id', 'pinned_at'],
    ],
    terms: 'terms',
  },
  {
    /** One row per fact and conversation that states it, so that the facts of a conversation can be looked up. */
    name: 'fact_sources',
    columns: { conversation_id: text(), fact_id: text() },
    indexes: [['conversation_id']],
  },
  {
    /** One row per subject and predicate, with an id derived from them: its revision detects concurrent writers. */
    name: 'fact_groups',
    columns: { project_id: text(), revision: integer() },
  },
  {
    /** Responses to requests with an Idempotency-Key, kept for a day. */
    name: 'idempotency',
    columns: { request_hash: text(), answer: json<JsonObject>(), created_at: text() },
    indexes: [['created_at']],
  },
  {
    name: 'settings',
    columns: { value: json<Json>(), updated_at: text() },
  },
  // Accounts and security events.
  {
    /** The id is the user name. */
    name: 'users',
    columns: {
      display_name: optional(text()),
      default_project_id: text(),
      created_at: text(),
      disabled_at: optional(text()),
    },
    unique: [['default_project_id']],
  },
  {
    name: 'tokens',
    columns: {
      user_id: text(),
      display_name: optional(text()),
      /** SHA-256 of the token: the token itself is not stored. */
      hash: text(),
      /** Its first characters, so that people recognise it. */
      prefix: text(),
      scopes: json<Scope[]>(),
      /** The version of the rule that granted its scopes; absent in tokens older than `memory:manage`. */
      scope_rule: optional(integer()),
      created_at: text(),
      rotated_at: optional(text()),
      expires_at: optional(text()),
      revoked_at: optional(text()),
      last_used_at: optional(text()),
      /** The OAuth client it was issued to; its value changes with every refresh. */
      client_id: optional(text()),
    },
    unique: [['hash']],
    indexes: [['user_id']],
  },
  {
    name: 'projects',
    columns: {
      owner_id: text(),
      name: text(),
      description: optional(text()),
      created_at: text(),
      updated_at: text(),
    },
    indexes: [['owner_id']],
  },
  {
    name: 'members',
    columns: {
      project_id: text(),
      user_id: text(),
      role: text<ProjectRole>(),
      created_at: text(),
      updated_at: text(),
    },
    indexes: [['user_id'], ['project_id']],
  },
  {
    /** External identities; the id is a hash of issuer and subject. */
    name: 'identities',
    columns: {
      issuer: text(),
      subject: text(),
      user_id: text(),
      created_at: text(),
    },
    indexes: [['user_id']],
  },
  {
    /** OAuth clients: registered ones, and those described by a metadata document at their id. */
    name: 'clients',
    columns: {
      name: text(),
      redirect_uris: json<string[]>(),
      kind: text<'registered' | 'document'>(),
      created_at: text(),
      /** When a user first approved it. */
      trusted_at: optional(text()),
    },
    indexes: [['kind', 'created_at']],
  },
  {
    /**
     * Secrets that prove something when presented: a browser session, a pending sign-in, an authorization code, a
     * refresh token. The id is the hash of the secret.
     */
    name: 'handles',
    columns: {
      kind: text<HandleKind>(),
      state: text<'open' | 'used'>(),
      user_id: optional(text()),
      token_id: optional(text()),
      data: json<Record<string, string>>(),
      created_at: text(),
      expires_at: text(),
    },
    indexes: [['expires_at'], ['token_id'], ['user_id']],
  },
  {
    /** Security events. Equal events close together are one row with a count. */
    name: 'audit',
    columns: {
      at: text(),
      event: text(),
      user_id: optional(text()),
      token_id: optional(text()),
      project_id: optional(text()),
      client_id: optional(text()),
      /** A word from a closed list, such as why a token was rejected. */
      reason: optional(text()),
      /** The acting user, if not the user the event is about. */
      actor_id: optional(text()),
      /** Ids of conversations or facts. */
      targets: optional(json<string[]>()),
      count: integer(),
    },
    indexes: [['at'], ['user_id', 'at'], ['actor_id', 'at'], ['event', 'at']],
  },
] as const;

type Tables = (typeof tables)[number];
type TableNamed<Name extends TableName> = Extract<Tables, { name: Name }>;

export type TableName = Tables['name'];

/** A row of a table as it is read. */
export type RowOf<Name extends TableName> = RowWith<TableNamed<Name>['columns']>;

/** A row as written: with its search terms, which are indexed but not stored. */
export type WrittenRow<Name extends TableName> = RowOf<Name> &
  (TableNamed<Name> extends { terms: infer Terms extends string } ? { [Field in Terms]?: string } : unknown);
