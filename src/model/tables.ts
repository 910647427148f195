import { accountTables } from './account-tables.js';

/** The tables as data: every metadata store derives its schema from them, so none has one of its own. */
export const schemaVersion = 1;

export const tables = [
  {
    name: 'conversations',
    columns: {
      project_id: { type: 'text' },
      owner_id: { type: 'text' },
      /** The token that wrote it. */
      token_id: { type: 'text', optional: true },
      source: { type: 'text' },
      title: { type: 'text', optional: true },
      timestamp: { type: 'text' },
      /** The timestamp in UTC, so that times of any offset compare as text. */
      at: { type: 'text' },
      /** The first and the last time of its messages, in UTC, where messages have times of their own. */
      first_at: { type: 'text', optional: true },
      last_at: { type: 'text', optional: true },
      conversation_hash: { type: 'text' },
      thread_id: { type: 'text', optional: true },
      upstream_thread_id: { type: 'text', optional: true },
      memory_status: { type: 'text' },
      tags: { type: 'json', optional: true },
      metadata: { type: 'json' },
      message_count: { type: 'integer' },
      chunk_count: { type: 'integer' },
      /** How many of its messages the tagging model has read; absent: none yet. */
      tagged: { type: 'integer', optional: true },
      created_at: { type: 'text' },
      updated_at: { type: 'text' },
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
    /** The conversation that a thread began with. The id is made from the thread, so that it can begin only once. */
    name: 'threads',
    columns: { conversation_id: { type: 'text' } },
  },
  {
    name: 'messages',
    columns: {
      conversation_id: { type: 'text' },
      message_index: { type: 'integer' },
      role: { type: 'text' },
      text: { type: 'text' },
      /** When it was said, as sent; absent where only the conversation's time is known. */
      timestamp: { type: 'text', optional: true },
      hash: { type: 'text' },
    },
    indexes: [['conversation_id']],
  },
  {
    name: 'chunks',
    columns: {
      conversation_id: { type: 'text' },
      scope: { type: 'text' },
      chunk_index: { type: 'integer' },
      message_index: { type: 'integer' },
      role: { type: 'text' },
      /** The name in front of the turn, in a conversation between people. */
      speaker: { type: 'text', optional: true },
      /** The slice of the message's text: the text itself is kept once. */
      start: { type: 'integer' },
      end: { type: 'integer' },
      /** How many vectors it has; absent when it is one, as for all but long turns. */
      windows: { type: 'integer', optional: true },
      index_state: { type: 'text' },
    },
    indexes: [['conversation_id'], ['index_state'], ['windows'], ['speaker', 'scope'], ['scope']],
    terms: 'terms',
  },
  {
    /** What people called a conversation, to be found by it. The id is the conversation's; made from its row at any time. */
    name: 'headings',
    columns: { scope: { type: 'text' } },
    indexes: [['scope']],
    terms: 'terms',
  },
  {
    /** One row per topic of an active conversation, so that a topic's digest is a look-up and not a scan. */
    name: 'topics',
    columns: {
      project_id: { type: 'text' },
      topic: { type: 'text' },
      conversation_id: { type: 'text' },
      at: { type: 'text' },
    },
    indexes: [['project_id', 'topic', 'at'], ['conversation_id']],
  },
  {
    /** The words of speakers' names in a project: a query's name is matched with who spoke, not with what was said. */
    name: 'speakers',
    columns: { project_id: { type: 'text' }, term: { type: 'text' } },
    indexes: [['project_id', 'term']],
  },
  {
    name: 'summaries',
    columns: {
      project_id: { type: 'text' },
      kind: { type: 'text' },
      target_id: { type: 'text' },
      text: { type: 'text' },
      conversation_ids: { type: 'json' },
      generated_at: { type: 'text' },
    },
    indexes: [['project_id', 'kind']],
  },
  {
    /**
     * What was forgotten, as hashes: an import or a client that still has it does not bring it back. A conversation is known
     * by its first message and by all of them, so that one that has grown since is known too.
     */
    name: 'tombstones',
    columns: {
      project_id: { type: 'text' },
      opening: { type: 'text' },
      content: { type: 'text' },
      message_count: { type: 'integer' },
      source: { type: 'text', optional: true },
      thread: { type: 'text', optional: true },
      forgotten_at: { type: 'text' },
    },
    indexes: [
      ['project_id', 'opening'],
      ['project_id', 'thread'],
    ],
  },
  {
    name: 'facts',
    columns: {
      project_id: { type: 'text' },
      owner_id: { type: 'text' },
      subject: { type: 'text' },
      subject_key: { type: 'text' },
      predicate: { type: 'text' },
      object_raw: { type: 'text' },
      object_normalized: { type: 'text' },
      object_key: { type: 'text' },
      qualifiers: { type: 'json' },
      source_quality: { type: 'text' },
      confidence: { type: 'text' },
      confidence_reason: { type: 'text' },
      status: { type: 'text' },
      stated_at: { type: 'text' },
      created_at: { type: 'text' },
      updated_at: { type: 'text' },
      last_confirmed_at: { type: 'text' },
      superseded_at: { type: 'text', optional: true },
      superseded_by: { type: 'text', optional: true },
      ended_at: { type: 'text', optional: true },
      superseded_by_hand: { type: 'json', optional: true },
      save_intent: { type: 'text', optional: true },
      save_intent_source: { type: 'text', optional: true },
      sources: { type: 'json' },
      /** The sources' names and conversations once more, so that a filter need not read every source. */
      source_names: { type: 'json' },
      conversation_ids: { type: 'json' },
    },
    indexes: [
      ['project_id', 'subject_key', 'predicate', 'object_key'],
      ['project_id', 'status', 'stated_at'],
      ['project_id', 'stated_at'],
    ],
    terms: 'terms',
  },
  {
    /** One row per fact and conversation that states it, so that the facts of a conversation are a look-up. */
    name: 'fact_sources',
    columns: { conversation_id: { type: 'text' }, fact_id: { type: 'text' } },
    indexes: [['conversation_id']],
  },
  {
    /** One row per subject and predicate, whose id is made from them: its revision lets two writers notice each other. */
    name: 'fact_groups',
    columns: { project_id: { type: 'text' }, revision: { type: 'integer' } },
  },
  {
    /** Answers to requests with an Idempotency-Key, for a day. */
    name: 'idempotency',
    columns: { request_hash: { type: 'text' }, answer: { type: 'json' }, created_at: { type: 'text' } },
    indexes: [['created_at']],
  },
  {
    name: 'settings',
    columns: { value: { type: 'json' }, updated_at: { type: 'text' } },
  },
  ...accountTables,
] as const;
