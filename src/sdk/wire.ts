// Written by `npm run docs` from the schemas of the operations. Do not edit.

export interface MessageInput {
  /** user or assistant; human, ai, bot and model are accepted too */
  role: string;
  /** The text of the message; `content` is accepted as an alias */
  text?: string | undefined;
  content?: string | undefined;
  /** When it was sent: RFC 3339 or a plain date; leave it out if only the conversation has a time */
  timestamp?: string | undefined;
}

export interface Message {
  role: 'user' | 'assistant';
  text: string;
  /** When it was sent; absent if only the conversation's time is known */
  timestamp?: string;
}

export interface Conversation {
  id: string;
  source: string;
  title?: string;
  timestamp: string;
  messages?: Message[];
  /** Its messages did not fit into this response: retrieve it by its id */
  messages_omitted?: true;
  /** Metadata of later captures of the same messages; filters match these too */
  aliases?: {
    source: string;
    title?: string;
    timestamp?: string;
    thread_id?: string;
    upstream_thread_id?: string;
    tags?: string[];
    added_at: string;
  }[];
  metadata: {
    project_id: string;
    memory_status: 'active' | 'pending_review' | 'rejected';
    [key: string]: unknown;
  };
}

export interface ConversationResult {
  /** Canonical conversation id */
  id: string;
  /** Vector distance, lower is better */
  score: number;
  /** The fused score that orders the results, higher is better */
  relevance: number;
  /** strong, or weak if it is merely the nearest */
  match: 'strong' | 'weak';
  /** The components of the relevance, with `explain` */
  explanation?: Record<string, number>;
  chunk_index: number;
  /** The message of the conversation it is from, counted from 0 */
  message_index: number;
  role: 'user' | 'assistant';
  text: string;
  /** When it was sent: the message's own time, else the conversation's */
  timestamp: string;
  /** The positions of the query's words, as offsets in UTF-16 code units */
  highlights: {
    start: number;
    end: number;
  }[];
  /** The best matching part of the text, at most 240 characters */
  excerpt: {
    start: number;
    end: number;
  };
  conversation: Conversation;
  /** The best score among the retrieved chunks of the conversation */
  conversation_score: number;
  /** The number of retrieved chunks of the conversation */
  conversation_match_count: number;
  chunks: {
    chunk_index: number;
    /** The message of the conversation it is from, counted from 0 */
    message_index: number;
    role: 'user' | 'assistant';
    text: string;
    /** When it was sent: the message's own time, else the conversation's */
    timestamp: string;
    /** The positions of the query's words, as offsets in UTF-16 code units */
    highlights: {
      start: number;
      end: number;
    }[];
    /** The best matching part of the text, at most 240 characters */
    excerpt: {
      start: number;
      end: number;
    };
    score: number;
    relevance: number;
  }[];
}

export interface ChunkResult {
  /** Canonical conversation id */
  id: string;
  /** Vector distance, lower is better */
  score: number;
  /** The fused score that orders the results, higher is better */
  relevance: number;
  /** strong, or weak if it is merely the nearest */
  match: 'strong' | 'weak';
  /** The components of the relevance, with `explain` */
  explanation?: Record<string, number>;
  chunk_index: number;
  /** The message of the conversation it is from, counted from 0 */
  message_index: number;
  role: 'user' | 'assistant';
  text: string;
  /** When it was sent: the message's own time, else the conversation's */
  timestamp: string;
  /** The positions of the query's words, as offsets in UTF-16 code units */
  highlights: {
    start: number;
    end: number;
  }[];
  /** The best matching part of the text, at most 240 characters */
  excerpt: {
    start: number;
    end: number;
  };
  conversation: Conversation;
  /** The best score among the retrieved chunks of the conversation */
  conversation_score: number;
  /** The number of retrieved chunks of the conversation */
  conversation_match_count: number;
}

export interface CompactResult {
  /** Canonical conversation id */
  id: string;
  /** Vector distance, lower is better */
  score: number;
  /** The fused score that orders the results, higher is better */
  relevance: number;
  /** strong, or weak if it is merely the nearest */
  match: 'strong' | 'weak';
  /** The components of the relevance, with `explain` */
  explanation?: Record<string, number>;
  title?: string;
  source: string;
  /** When it was sent: the message's own time, else the conversation's */
  timestamp: string;
  chunk_index: number;
  /** The message of the conversation it is from, counted from 0 */
  message_index: number;
  snippet: string;
  /** The positions of the query's words, as offsets in UTF-16 code units */
  highlights: {
    start: number;
    end: number;
  }[];
  /** The best score among the retrieved chunks of the conversation */
  conversation_score: number;
  /** The number of retrieved chunks of the conversation */
  conversation_match_count: number;
}

export interface ThreadResult {
  /** Canonical conversation id */
  id: string;
  /** Vector distance, lower is better */
  score: number;
  /** The fused score that orders the results, higher is better */
  relevance: number;
  /** strong, or weak if it is merely the nearest */
  match: 'strong' | 'weak';
  /** The components of the relevance, with `explain` */
  explanation?: Record<string, number>;
  thread_id: string;
  chunk_index: number;
  /** The message of the conversation it is from, counted from 0 */
  message_index: number;
  role: 'user' | 'assistant';
  text: string;
  /** When it was sent: the message's own time, else the conversation's */
  timestamp: string;
  /** The positions of the query's words, as offsets in UTF-16 code units */
  highlights: {
    start: number;
    end: number;
  }[];
  /** The best matching part of the text, at most 240 characters */
  excerpt: {
    start: number;
    end: number;
  };
  conversation_count: number;
  match_count: number;
  conversations: {
    /** Canonical conversation id */
    id: string;
    /** Vector distance, lower is better */
    score: number;
    /** The fused score that orders the results, higher is better */
    relevance: number;
    /** strong, or weak if it is merely the nearest */
    match: 'strong' | 'weak';
    /** The components of the relevance, with `explain` */
    explanation?: Record<string, number>;
    title?: string;
    source: string;
    /** When it was sent: the message's own time, else the conversation's */
    timestamp: string;
    chunk_index: number;
    /** The message of the conversation it is from, counted from 0 */
    message_index: number;
    role: 'user' | 'assistant';
    text: string;
    /** The positions of the query's words, as offsets in UTF-16 code units */
    highlights: {
      start: number;
      end: number;
    }[];
    /** The best matching part of the text, at most 240 characters */
    excerpt: {
      start: number;
      end: number;
    };
    /** The best score among the retrieved chunks of the conversation */
    conversation_score: number;
    /** The number of retrieved chunks of the conversation */
    conversation_match_count: number;
  }[];
}

export interface ListedConversation {
  id: string;
  source: string;
  title?: string;
  timestamp: string;
  /** Its messages did not fit into this response: retrieve it by its id */
  messages_omitted?: true;
  /** Metadata of later captures of the same messages; filters match these too */
  aliases?: {
    source: string;
    title?: string;
    timestamp?: string;
    thread_id?: string;
    upstream_thread_id?: string;
    tags?: string[];
    added_at: string;
  }[];
  metadata: {
    project_id: string;
    memory_status: 'active' | 'pending_review' | 'rejected';
    [key: string]: unknown;
  };
  message_count: number;
}

export interface TimelineEntry {
  id: string;
  source: string;
  title?: string;
  timestamp: string;
  thread_id?: string;
  tags?: string[];
  /** The summary sent by the client, else the generated one */
  summary?: string;
  message_count: number;
}

export interface Fact {
  /** The id, for example to change or supersede it */
  id: string;
  project_id: string;
  subject: string;
  predicate: string;
  /** The value in the words of the newest statement */
  object_raw: string;
  /** The value for display */
  object_normalized: string;
  qualifiers: Record<string, unknown>;
  source_quality: 'direct_user_statement' | 'corrected_by_user' | 'assistant_statement' | 'inferred_from_conversation';
  confidence: 'high' | 'medium' | 'low';
  confidence_reason: string;
  status: 'active' | 'superseded';
  /** The time of the newest message that states it */
  stated_at: string;
  /** The time of the oldest message that states it */
  created_at: string;
  updated_at: string;
  last_confirmed_at: string;
  /** When it stopped being true; null while it is active */
  superseded_at: string | null;
  /** The fact that replaced it; absent if it ended without a successor */
  superseded_by?: string;
  /** It was superseded by hand, and can be restored */
  superseded_by_hand?: true;
  /** When it was pinned; absent if it is not pinned */
  pinned_at?: string;
  /** Changes made by hand, oldest first; undo reverts the last one */
  changes?: {
    kind: 'added' | 'corrected' | 'retracted' | 'pinned' | 'unpinned' | 'detached';
    at: string;
    /** Of `added`: the fact whose value was wrong */
    corrects?: string;
    /** Of `corrected`: the fact with the correct value */
    by?: string;
    /** Of `retracted`: until when it was true; absent if it never was */
    until?: string;
    /** Of `detached`: the sentences that do not state it */
    sources?: {
      conversation_id: string;
      message_index: number;
      chunk_index: number;
      /** The offset of the sentence in the message */
      start: number;
      end: number;
      source: string;
      /** When the message was sent, in UTC */
      stated_at: string;
      role: 'user' | 'assistant';
      /** The sentence says that the fact has ended */
      ends?: true;
    }[];
  }[];
  save_intent?: 'explicit_user_request' | 'user_confirmed' | 'client_auto_save';
  save_intent_source?: string;
  /** The sentences that state it */
  sources: {
    conversation_id: string;
    message_index: number;
    chunk_index: number;
    /** The offset of the sentence in the message */
    start: number;
    end: number;
    source: string;
    /** When the message was sent, in UTC */
    stated_at: string;
    role: 'user' | 'assistant';
    /** The sentence says that the fact has ended */
    ends?: true;
  }[];
}

export interface Person {
  id: string;
  kind: 'person' | 'pet';
  /** Absent for a person who is known only by relation */
  name?: string;
  other_names: string[];
  /** Their relation to the user: sister, boss, dog */
  relations: string[];
  confidence: 'high' | 'medium' | 'low';
  /** The time of the oldest message that mentions them */
  since: string;
  last_confirmed_at: string;
  /** The conversations that mention them */
  conversation_ids: string[];
  /** The facts that mention them */
  fact_ids: string[];
  /** The UTC months in which messages mention them, oldest first */
  months: {
    month: string;
    mentions: number;
  }[];
  /** The names that facts about them use as subject, for a fact search */
  subjects: string[];
  /** Other facts about them */
  facts: {
    fact_id: string;
    predicate: string;
    value: string;
  }[];
}

export interface ChunkCitation {
  type: 'chunk';
  /** Conversation id */
  id: string;
  chunk_index: number;
  /** The quoted message of the conversation, counted from 0 */
  message_index: number;
  /** Vector distance, lower is better; absent for a message quoted for context */
  score?: number;
  /** The quoted text */
  text: string;
  role: 'user' | 'assistant';
  title?: string;
  source: string;
  /** When it was sent: the message's own time, else the conversation's */
  timestamp: string;
  /** The dates that its time expressions mean, relative to the day it was sent */
  times?: {
    phrase: string;
    /** First day */
    from: string;
    /** Last day */
    to: string;
    display: string;
  }[];
}

export interface FactCitation {
  type: 'fact';
  /** The conversation that states it */
  id: string;
  fact_id: string;
  predicate: string;
  /** The normalized value */
  text: string;
  /** The sentence that states it */
  quote: string;
  /** When the message with that sentence was sent, in UTC */
  stated_at?: string;
  source_quality: string;
  confidence_reason: string;
  last_confirmed_at: string;
  save_intent?: string;
  save_intent_source?: string;
}

export interface ChunkEvidence {
  type: 'chunk';
  conversation_id: string;
  chunk_index: number;
  message_index: number;
  role: 'user' | 'assistant';
  text: string;
  /** The message's own time; absent if only the conversation's is known */
  timestamp?: string;
  score?: number;
  used_in_answer: boolean;
  /** Cut to fit the token budget */
  truncated?: true;
}

export interface FactEvidence {
  type: 'fact';
  fact_id: string;
  /** The id, for example to change or supersede it */
  id: string;
  project_id: string;
  subject: string;
  predicate: string;
  /** The value in the words of the newest statement */
  object_raw: string;
  /** The value for display */
  object_normalized: string;
  qualifiers: Record<string, unknown>;
  source_quality: 'direct_user_statement' | 'corrected_by_user' | 'assistant_statement' | 'inferred_from_conversation';
  confidence: 'high' | 'medium' | 'low';
  confidence_reason: string;
  status: 'active' | 'superseded';
  /** The time of the newest message that states it */
  stated_at: string;
  /** The time of the oldest message that states it */
  created_at: string;
  updated_at: string;
  last_confirmed_at: string;
  /** When it stopped being true; null while it is active */
  superseded_at: string | null;
  /** The fact that replaced it; absent if it ended without a successor */
  superseded_by?: string;
  /** It was superseded by hand, and can be restored */
  superseded_by_hand?: true;
  /** When it was pinned; absent if it is not pinned */
  pinned_at?: string;
  /** Changes made by hand, oldest first; undo reverts the last one */
  changes?: {
    kind: 'added' | 'corrected' | 'retracted' | 'pinned' | 'unpinned' | 'detached';
    at: string;
    /** Of `added`: the fact whose value was wrong */
    corrects?: string;
    /** Of `corrected`: the fact with the correct value */
    by?: string;
    /** Of `retracted`: until when it was true; absent if it never was */
    until?: string;
    /** Of `detached`: the sentences that do not state it */
    sources?: {
      conversation_id: string;
      message_index: number;
      chunk_index: number;
      /** The offset of the sentence in the message */
      start: number;
      end: number;
      source: string;
      /** When the message was sent, in UTC */
      stated_at: string;
      role: 'user' | 'assistant';
      /** The sentence says that the fact has ended */
      ends?: true;
    }[];
  }[];
  save_intent?: 'explicit_user_request' | 'user_confirmed' | 'client_auto_save';
  save_intent_source?: string;
  /** The sentences that state it */
  sources: {
    conversation_id: string;
    message_index: number;
    chunk_index: number;
    /** The offset of the sentence in the message */
    start: number;
    end: number;
    source: string;
    /** When the message was sent, in UTC */
    stated_at: string;
    role: 'user' | 'assistant';
    /** The sentence says that the fact has ended */
    ends?: true;
  }[];
  used_in_answer: boolean;
}

export interface CitedMessage {
  /** The number in brackets */
  id: number;
  type: 'chunk';
  conversation_id: string;
  message_index: number;
}

export interface CitedFact {
  id: number;
  type: 'fact';
  fact_id: string;
  conversation_id: string;
}

export interface AnswerSentence {
  /** With the numbers of its evidence in brackets */
  text: string;
  /** The evidence that it cites */
  evidence: (CitedMessage | CitedFact)[];
}

export interface ImportJob {
  id: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** As requested; auto detects it by the content */
  format: string;
  /** The name of the uploaded file; without memory:read only in jobs of the same token */
  filename?: string;
  /** The size of the file */
  bytes: number;
  /** The number of bytes this run has read, while it runs */
  read_bytes?: number;
  /** The project that all conversations go to, if one was named */
  project_id?: string;
  since?: string;
  source?: string;
  dry_run: boolean;
  created_at: string;
  started_at?: string;
  ended_at?: string;
  /** How often it was resumed after the service had stopped */
  resumed: number;
  /** The number of conversations in the file, once it is known; `report.read` counts up to it */
  total?: number;
  /** The result so far; at the end the whole result */
  report: {
    status: 'ok';
    /** Conversations found in the export */
    read: number;
    /** Stored as new conversations */
    imported: number;
    /** Stored conversations that have grown */
    appended: number;
    /** Already stored: nothing was added */
    duplicates: number;
    /** Skipped: see `reasons` */
    skipped: number;
    /** Messages that were stored */
    messages: number;
    /** Messages that were already stored */
    known_messages: number;
    /** Messages that were not stored, counted by reason */
    left_out: Record<string, number>;
    /** Skipped conversations, counted by reason */
    reasons: Record<string, number>;
    /** The first places that were skipped */
    examples: {
      place: string;
      reason: string;
    }[];
    dry_run?: true;
    /** It was stopped before the end; run it again to import the rest */
    interrupted?: true;
  };
  /** Why it failed */
  error?: {
    error_code: string;
    error_message: string;
  };
}

export interface Project {
  id: string;
  name: string;
  description?: string;
  owner_id: string;
  /** The private project, used when a call has no project_id */
  is_default: boolean;
  /** Your role in it */
  role: 'reader' | 'writer' | 'admin';
  created_at?: string;
  updated_at?: string;
}

export interface Member {
  user: string;
  role: 'reader' | 'writer' | 'admin';
  created_at?: string;
  updated_at?: string;
}

/** Validate and store one conversation. */
export interface InsertInput {
  /** Leave it out: the server assigns one */
  id?: string | undefined;
  /** The capturing client, such as chatgpt, claude, gemini */
  source?: string | undefined;
  title?: string | undefined;
  /** RFC 3339 or a plain date; default now */
  timestamp?: string | undefined;
  metadata?: {
    /** A short retrieval hint; never replaces messages */
    summary?: string | undefined;
    /** Manual tags, kept unchanged */
    tags?: readonly string[] | undefined;
    /** The client's own thread id */
    upstream_thread_id?: string | undefined;
    thread_id?: string | undefined;
    parent_conversation_id?: string | undefined;
    related_conversation_ids?: readonly string[] | undefined;
    save_intent?: 'explicit_user_request' | 'user_confirmed' | 'client_auto_save' | undefined;
    save_intent_source?: string | undefined;
    platform?: string | undefined;
    capture_client?: string | undefined;
    capture_client_version?: string | undefined;
    model?: string | undefined;
    timezone?: string | undefined;
    [key: string]: unknown;
  } | undefined;
  /** Same as metadata.tags */
  tags?: readonly string[] | undefined;
  project_id?: string | undefined;
  messages: readonly MessageInput[];
}

export interface InsertOutput {
  /** pending_review: stored, but hidden until it is approved */
  status: 'ok' | 'pending_review';
  /** The canonical id of the conversation */
  id: string;
  memory_status: 'active' | 'pending_review' | 'rejected';
  /** The same content was already stored */
  deduplicated: boolean;
  /** Messages added to a stored conversation of the same thread */
  appended_messages: number;
  /** Chunks embedded and indexed by this call */
  embedded_chunks: number;
  /** Chunks of the whole conversation */
  chunks: number;
  /** Saved, but not in the vector index yet; it is indexed without another call */
  indexing?: 'pending';
  /** Of a duplicate: why its source, thread, title, tags and time were not kept as an alias. review: the capture would have been held for review; limit: the conversation already has a hundred */
  alias_left_out?: 'review' | 'limit';
  /** Why it is held for review */
  review_reason?: 'secret_detected';
  /** The number of secrets that were redacted before storing */
  redacted_secrets?: number;
}

export interface ValidateOutput {
  status: 'ok';
  valid: true;
  /** The status it would get from an insert */
  memory_status: 'active' | 'pending_review' | 'rejected';
}

/** Ranked matches for a query, with their conversations. */
export interface SearchInput {
  /** What to look for, in plain words; understands "exact phrase", -word and operators such as source:claude */
  query: string;
  /** Number of results, at most limits.max_top_k (100) */
  top_k?: number | undefined;
  /** Results per page, at most limits.max_top_k (100); default top_k */
  limit?: number | undefined;
  /** The cursor of the previous page, or the number of results to skip, as in "10" */
  cursor?: string | undefined;
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only messages sent at or after this time; a plain date means the whole UTC day */
  date_from?: string | undefined;
  /** Only messages sent at or before this time */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, by the thread_id of a result or conversation */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  result_mode?: 'chunks' | 'compact' | 'conversations' | 'threads' | undefined;
  project_id?: string | undefined;
  /** newest and oldest order the strong matches by time, or the weak ones if there are no strong ones */
  sort?: 'relevance' | 'newest' | 'oldest' | undefined;
  /** true lets the reading model reorder the best results by how well they answer, which takes longer; default true for MCP tools, else retrieval.rerank */
  rerank?: boolean | undefined;
  /** strong leaves out weak matches */
  match?: 'any' | 'strong' | undefined;
  /** The date that "last week" in the query is relative to; default now */
  reference_date?: string | undefined;
  /** true adds the components of its relevance to each result */
  explain?: boolean | undefined;
  /** true adds `current_facts`: facts stated by the messages shown that are still current */
  include_facts?: boolean | undefined;
  /** false leaves the messages out of the conversations */
  include_messages?: boolean | undefined;
}

export interface SearchOutput {
  status: 'ok';
  results: (ConversationResult | ChunkResult | CompactResult | ThreadResult)[];
  /** Send it to get the next page; null on the last page */
  cursor: string | null;
  /** The approximate number of results; may grow when a later page searches deeper */
  total: number;
  /** With `include_facts`: facts stated by the messages shown that are still current */
  current_facts?: {
    fact_id: string;
    subject: string;
    predicate: string;
    /** The value for display */
    value: string;
    /** When it was first stated, in UTC */
    valid_from: string;
    /** When it was last stated, in UTC */
    confirmed_at: string;
    confidence: 'high' | 'medium' | 'low';
    /** The conversation of the newest message shown that states it */
    conversation_id: string;
    message_index: number;
  }[];
  /** What was not available for this search */
  diagnostics?: Record<string, string>;
}

/** One stored conversation by id. */
export interface RetrieveInput {
  /** Canonical id of the memory */
  id: string;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  /** Search only this project; default all projects you may read, your own first */
  project_id?: string | undefined;
}

export interface RetrieveOutput {
  status: 'ok';
  id: string;
  memory: Conversation;
}

/** One message of a conversation with the messages around it. */
export interface ContextInput {
  /** Canonical id of the conversation, as in a search result */
  id: string;
  /** The message whose context you want, counted from 0, as in a search result or a citation */
  message_index: number;
  /** The number of messages before it */
  before?: number | undefined;
  /** The number of messages after it */
  after?: number | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  /** Search only this project; default all projects you may read, your own first */
  project_id?: string | undefined;
}

export interface ContextOutput {
  status: 'ok';
  id: string;
  title?: string;
  source: string;
  timestamp: string;
  /** The requested message */
  message_index: number;
  /** The number of messages in the conversation */
  message_count: number;
  /** That message and the messages around it, in order */
  results: {
    message_index: number;
    role: 'user' | 'assistant';
    text: string;
    /** When it was sent: the message's own time, else the conversation's */
    timestamp: string;
  }[];
}

/** Answer a question from memory, with evidence, or say that the memory has no answer. */
export interface AskInput {
  /** A question in plain words */
  question: string;
  /** Number of hits that an answer is based on, at most limits.max_top_k (100) */
  top_k?: number | undefined;
  /** How many tokens of memory the answer may use; default ask.max_context_tokens if that is set or the tokenizer is enabled */
  max_context_tokens?: number | undefined;
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only messages sent at or after this time; a plain date means the whole UTC day */
  date_from?: string | undefined;
  /** Only messages sent at or before this time */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, by the thread_id of a result or conversation */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  result_mode?: 'chunks' | 'compact' | 'conversations' | 'threads' | undefined;
  project_id?: string | undefined;
  /** The state at this time: later messages and changes are ignored. A plain date means the whole UTC day */
  as_of?: string | undefined;
  /** The date that "last week" in the question is relative to; default as_of, else now */
  reference_date?: string | undefined;
  /** false reads the first hits in the order of the search instead of choosing from more, which is faster */
  rerank?: boolean | undefined;
  /** true adds the components of the confidence and of each relevance */
  explain?: boolean | undefined;
  /** true adds `current_facts`: facts stated by the messages shown that are still current */
  include_facts?: boolean | undefined;
  /** false leaves the messages out of the conversations */
  include_messages?: boolean | undefined;
}

export interface AskOutput {
  status: 'ok';
  answer: string;
  answer_basis: 'direct_memory' | 'fact_layer' | 'mixed' | 'conflict' | 'not_found';
  confidence: 'high' | 'medium' | 'low' | 'none';
  confidence_reason: string;
  /** The probability that the answer is right, 0 to 1; absent if no model has read the messages */
  confidence_score?: number;
  /** The answers to the parts of a compound question; the overall confidence is that of the least certain part */
  parts?: {
    question: string;
    answer: string;
    answer_basis: 'direct_memory' | 'fact_layer' | 'mixed' | 'conflict' | 'not_found';
    confidence: 'high' | 'medium' | 'low' | 'none';
  }[];
  /** The chunks and facts that the answer is based on */
  citations: (ChunkCitation | FactCitation)[];
  provenance: {
    conversations: {
      id: string;
      source: string;
      title?: string;
      timestamp: string;
      thread_id?: string;
      chunk_indexes: number[];
      fact_ids: string[];
    }[];
  };
  evidence: (ChunkEvidence | FactEvidence)[];
  structured_evidence: {
    facts: FactEvidence[];
    results: (ConversationResult | ChunkResult | CompactResult | ThreadResult)[];
  };
  /** The active facts the answer states */
  facts: Fact[];
  /** With `include_facts`: facts stated by the messages shown that are still current */
  current_facts?: {
    fact_id: string;
    subject: string;
    predicate: string;
    /** The value for display */
    value: string;
    /** When it was first stated, in UTC */
    valid_from: string;
    /** When it was last stated, in UTC */
    confirmed_at: string;
    confidence: 'high' | 'medium' | 'low';
    /** The conversation of the newest message shown that states it */
    conversation_id: string;
    message_index: number;
  }[];
  /** Who phrased the answer; absent without `ask.model` */
  composition?: {
    /** `extraction`: the answer was made without a language model */
    by: 'model' | 'extraction';
    /** Why the model did not write it; `not_found` and `conflict` were not sent to it */
    reason?: 'timeout' | 'unreachable' | 'failed' | 'malformed' | 'refused' | 'left_alone' | 'cancelled' | 'unsupported' | 'not_found' | 'conflict';
    model?: string;
    sentences?: AnswerSentence[];
    /** Number of sentences by the model that the evidence does not support */
    sentences_dropped: number;
    /** The answer without the model */
    extractive_answer?: string;
  };
  /** The hits that the answer is based on, or the closest ones if there is no answer */
  results: (ConversationResult | ChunkResult | CompactResult | ThreadResult)[];
  /** With a token budget: tokens of the texts and facts used */
  context_tokens_used?: number;
  chunks_selected?: number;
  chunks_dropped?: number;
  tokenizer_used?: string;
  /** The components of the confidence, with `explain` */
  explanation?: Record<string, number>;
  /** The messages that the reading model read, the likeliest answer first, with `explain` */
  read?: {
    conversation_id: string;
    message_index: number;
    /** How likely the message answers the question */
    probability: number;
    /** The components of the probability */
    components: Record<string, number>;
  }[];
  /** What was not available for this answer */
  diagnostics?: Record<string, string>;
}

/** The stored conversations in time order, without their messages. */
export interface ConversationListInput {
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only conversations from this time or later; a plain date means the whole UTC day */
  date_from?: string | undefined;
  /** Only conversations from this time or earlier */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, by the thread_id of a result or conversation */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  project_id?: string | undefined;
  order?: 'newest' | 'oldest' | undefined;
  /** Conversations per page */
  limit?: number | undefined;
  /** The cursor of the previous page */
  cursor?: string | undefined;
}

export interface ConversationListOutput {
  status: 'ok';
  results: ListedConversation[];
  /** The number of conversations that match the filters, on all pages */
  total: number;
  /** Send it to get the next page; null on the last page */
  cursor: string | null;
}

/** Rename a conversation, or add and remove its tags. */
export interface ConversationUpdateInput {
  /** Canonical id of the memory */
  id: string;
  /** The new title */
  title?: string | undefined;
  add_tags?: readonly string[] | undefined;
  remove_tags?: readonly string[] | undefined;
  project_id?: string | undefined;
}

export interface ConversationUpdateOutput {
  status: 'ok';
  id: string;
  /** The conversation after the change; only for tokens that may read */
  memory?: {
    id: string;
    source: string;
    title?: string;
    timestamp: string;
    /** Its messages did not fit into this response: retrieve it by its id */
    messages_omitted?: true;
    /** Metadata of later captures of the same messages; filters match these too */
    aliases?: {
      source: string;
      title?: string;
      timestamp?: string;
      thread_id?: string;
      upstream_thread_id?: string;
      tags?: string[];
      added_at: string;
    }[];
    metadata: {
      project_id: string;
      memory_status: 'active' | 'pending_review' | 'rejected';
      [key: string]: unknown;
    };
  };
}

/** The number of conversations and messages per day and source, and with `labels` per tag, topic and thread. */
export interface ActivityInput {
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only conversations from this time or later; a plain date means the whole UTC day */
  date_from?: string | undefined;
  /** Only conversations from this time or earlier */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, by the thread_id of a result or conversation */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  project_id?: string | undefined;
  /** true also counts sources, tags, topics and threads: the 500 most frequent of each */
  labels?: boolean | undefined;
}

export interface ActivityOutput {
  status: 'ok';
  /** One entry per day and source with conversations, oldest first */
  days: {
    /** A UTC day */
    day: string;
    source: string;
    conversations: number;
    messages: number;
  }[];
  /** Only if requested; the most frequent of each kind first */
  labels?: {
    kind: 'source' | 'tag' | 'topic' | 'thread';
    /** The name, as used in filters */
    name: string;
    /** Of a thread: the title of its newest conversation */
    title?: string;
    conversations: number;
    messages: number;
    /** Chunks in the index */
    chunks: number;
    /** The UTC day of the oldest conversation */
    first: string;
    /** The UTC day of the newest conversation */
    last: string;
    /** The months with conversations, oldest first */
    months: {
      month: string;
      conversations: number;
    }[];
  }[];
}

/** The conversations that began or were continued on a UTC day, in order. */
export interface TimelineInput {
  /** A UTC day, such as 2026-11-15 */
  day: string;
  limit?: number | undefined;
  /** The cursor of the previous page */
  cursor?: string | undefined;
  project_id?: string | undefined;
}

export interface TimelineOutput {
  status: 'ok';
  results: TimelineEntry[];
  cursor: string | null;
}

/** Search the stored facts, newest statement first. */
export interface FactSearchInput {
  /** Words to search for in subject, predicate and value */
  query?: string | undefined;
  /** Only facts about this subject; `user` is the speaker */
  subject?: string | undefined;
  /** Only this predicate, such as profile_location */
  predicate?: string | undefined;
  /** true includes facts that are no longer true */
  include_superseded?: boolean | undefined;
  /** Only facts stated in a conversation of this source */
  source?: string | undefined;
  /** Only facts stated at or after this time; a plain date means the whole UTC day */
  date_from?: string | undefined;
  /** Only facts stated at or before this time */
  date_to?: string | undefined;
  confidence?: 'high' | 'medium' | 'low' | undefined;
  /** Default active; all if include_superseded is true */
  status?: 'active' | 'superseded' | 'all' | undefined;
  source_quality?: 'direct_user_statement' | 'corrected_by_user' | 'assistant_statement' | 'inferred_from_conversation' | undefined;
  save_intent?: 'explicit_user_request' | 'user_confirmed' | 'client_auto_save' | undefined;
  save_intent_source?: string | undefined;
  /** Only facts confirmed at or after this time */
  freshness_from?: string | undefined;
  /** Only facts confirmed at or before this time */
  freshness_to?: string | undefined;
  /** The state at this time: later messages and changes are ignored. A plain date means the whole UTC day */
  as_of?: string | undefined;
  project_id?: string | undefined;
  /** The cursor of the previous page */
  cursor?: string | undefined;
  /** Facts per page, at most limits.max_top_k (100) */
  limit?: number | undefined;
}

export interface FactSearchOutput {
  status: 'ok';
  results: Fact[];
  /** Send it to get the next page; null on the last page */
  cursor: string | null;
}

/** Mark a fact as superseded by another one. */
export interface FactSupersedeInput {
  /** The fact that no longer holds */
  fact_id: string;
  /** The fact that replaces it */
  superseded_by: string;
  project_id?: string | undefined;
}

export interface FactSupersedeOutput {
  status: 'ok';
  id: string;
  superseded_by: string;
  /** The fact after the change; only for tokens that may read */
  fact?: Fact;
}

/** Undo superseding a fact by hand. */
export interface FactRestoreInput {
  /** The fact that was superseded by hand */
  fact_id: string;
  project_id?: string | undefined;
}

export interface FactRestoreOutput {
  status: 'ok';
  id: string;
  fact?: Fact;
}

/** Add a fact by hand. */
export interface FactAddInput {
  /** The person or thing it is about; `user` is the speaker */
  subject?: string | undefined;
  /** A name such as profile_location; a predicate that is not documented accepts any number of values */
  predicate: string;
  /** The value, as it will be shown */
  value: string;
  project_id?: string | undefined;
}

export interface FactAddOutput {
  status: 'ok';
  id: string;
  /** The fact after the change; only for tokens that may read */
  fact?: Fact;
}

/** Correct the value of a fact. */
export interface FactCorrectInput {
  /** The fact whose value is wrong */
  fact_id: string;
  project_id?: string | undefined;
  /** The correct value */
  value: string;
}

export interface FactCorrectOutput {
  status: 'ok';
  /** The fact with the correct value; for tokens that may not read, the fact that was named */
  id: string;
  /** The fact after the change; only for tokens that may read */
  fact?: Fact;
  /** The fact with the old value, which stays as history; absent if only the wording changed */
  superseded?: Fact;
}

/** Mark a fact as wrong or no longer true. */
export interface FactRetractInput {
  fact_id: string;
  project_id?: string | undefined;
  /** Until when it was true; it then stays in answers as history. A plain date includes the whole UTC day */
  until?: string | undefined;
}

export interface FactRetractOutput {
  status: 'ok';
  id: string;
  /** The fact after the change; only for tokens that may read */
  fact?: Fact;
}

/** Pin a fact: it stays current regardless of later statements, and is listed first. */
export interface FactPinInput {
  fact_id: string;
  project_id?: string | undefined;
}

export interface FactPinOutput {
  status: 'ok';
  id: string;
  /** The fact after the change; only for tokens that may read */
  fact?: Fact;
}

/** Unpin a fact: newer statements may replace it again. */
export interface FactUnpinInput {
  fact_id: string;
  project_id?: string | undefined;
}

export interface FactUnpinOutput {
  status: 'ok';
  id: string;
  /** The fact after the change; only for tokens that may read */
  fact?: Fact;
}

/** Detach a fact from a conversation that does not state it. */
export interface FactDetachInput {
  fact_id: string;
  project_id?: string | undefined;
  /** The conversation that does not state the fact */
  conversation_id: string;
  /** Only this message of it; default all messages */
  message_index?: number | undefined;
}

export interface FactDetachOutput {
  status: 'ok';
  id: string;
  /** The fact after the change; only for tokens that may read */
  fact?: Fact;
}

/** Undo the last change made to a fact by hand. */
export interface FactUndoInput {
  fact_id: string;
  project_id?: string | undefined;
}

export interface FactUndoOutput {
  status: 'ok';
  id: string;
  /** The fact after the change; absent if only the undone change stated it */
  fact?: Fact;
  /** The change that was undone; only for tokens that may read */
  undone?: 'added' | 'corrected' | 'retracted' | 'pinned' | 'unpinned' | 'detached' | 'superseded';
}

/** The facts about a subject, with a summary. */
export interface ProfileInput {
  /** The subject of the facts; `user` is the speaker */
  subject?: string | undefined;
  /** Only this predicate, such as profile_location */
  predicate?: string | undefined;
  /** true includes facts that are no longer true */
  include_superseded?: boolean | undefined;
  /** Only facts stated in a conversation of this source */
  source?: string | undefined;
  /** Only facts stated at or after this time; a plain date means the whole UTC day */
  date_from?: string | undefined;
  /** Only facts stated at or before this time */
  date_to?: string | undefined;
  confidence?: 'high' | 'medium' | 'low' | undefined;
  /** Default active; all if include_superseded is true */
  status?: 'active' | 'superseded' | 'all' | undefined;
  source_quality?: 'direct_user_statement' | 'corrected_by_user' | 'assistant_statement' | 'inferred_from_conversation' | undefined;
  save_intent?: 'explicit_user_request' | 'user_confirmed' | 'client_auto_save' | undefined;
  save_intent_source?: string | undefined;
  /** Only facts confirmed at or after this time */
  freshness_from?: string | undefined;
  /** Only facts confirmed at or before this time */
  freshness_to?: string | undefined;
  /** The state at this time: later messages and changes are ignored. A plain date means the whole UTC day */
  as_of?: string | undefined;
  project_id?: string | undefined;
  /** The cursor of the previous page */
  cursor?: string | undefined;
  /** Facts per page, at most limits.max_top_k (100) */
  limit?: number | undefined;
}

export interface ProfileOutput {
  status: 'ok';
  subject: string;
  summary: {
    id: string;
    type: 'profile';
    /** The subject */
    target_id: string;
    project_id: string;
    text: string;
    basis: 'active_facts';
    provenance_status: 'fact_ids';
    /** Facts that match the filters */
    fact_count: number;
    active_fact_count: number;
    /** The newest confirmation among the active facts */
    freshest_at: string | null;
    source_quality_counts: Record<string, number>;
    confidence_counts: Record<string, number>;
    filters: Record<string, string>;
    save_intent_filters: Record<string, string>;
    provenance: {
      fact_id: string;
      predicate: string;
      source_conversation_id: string;
      source_message_indexes: number[];
      source: string;
      last_confirmed_at: string;
    }[];
    generated_at: string;
  };
  facts: Fact[];
  /** Send it to get the next page; null on the last page */
  cursor: string | null;
}

/** The people the user mentioned and their relation to the user, most recently mentioned first. */
export interface PeopleInput {
  /** The state at this time: later messages and changes are ignored. A plain date means the whole UTC day */
  as_of?: string | undefined;
  project_id?: string | undefined;
}

export interface PeopleOutput {
  status: 'ok';
  results: Person[];
}

/** Approve a conversation that is held for review: it becomes visible. */
export interface PendingApproveInput {
  /** Canonical id of the memory */
  id: string;
  project_id?: string | undefined;
}

export interface PendingApproveOutput {
  /** pending_review: stored, but hidden until it is approved */
  status: 'ok' | 'pending_review';
  /** The canonical id of the conversation */
  id: string;
  memory_status: 'active' | 'pending_review' | 'rejected';
  /** The same content was already stored */
  deduplicated: boolean;
  /** Messages added to a stored conversation of the same thread */
  appended_messages: number;
  /** Chunks embedded and indexed by this call */
  embedded_chunks: number;
  /** Chunks of the whole conversation */
  chunks: number;
  /** Saved, but not in the vector index yet; it is indexed without another call */
  indexing?: 'pending';
  /** Of a duplicate: why its source, thread, title, tags and time were not kept as an alias. review: the capture would have been held for review; limit: the conversation already has a hundred */
  alias_left_out?: 'review' | 'limit';
  /** Why it is held for review */
  review_reason?: 'secret_detected';
  /** The number of secrets that were redacted before storing */
  redacted_secrets?: number;
}

/** Reject a conversation that is held for review: it stays hidden. */
export interface PendingRejectInput {
  /** Canonical id of the memory */
  id: string;
  project_id?: string | undefined;
}

export interface PendingRejectOutput {
  status: 'ok';
  id: string;
  memory_status: 'rejected';
}

/** Forget conversations permanently; by default only counts them. */
export interface ForgetInput {
  /** These conversations */
  ids?: readonly string[] | undefined;
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only conversations from this time or later; a plain date means the whole UTC day */
  date_from?: string | undefined;
  /** Only conversations from this time or earlier */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, by the thread_id of a result or conversation */
  thread_id?: string | undefined;
  /** Only conversations before this time; a plain date means before that UTC day */
  before?: string | undefined;
  /** Only conversations that this token wrote */
  token_id?: string | undefined;
  /** Only conversations that this import of yours stored and that did not exist before */
  import_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  project_id?: string | undefined;
  /** true (the default) counts what would be forgotten and changes nothing */
  dry_run?: boolean | undefined;
  /** true writes no tombstone, and removes that of ids forgotten earlier: they may be stored again */
  allow_return?: boolean | undefined;
  /** The number of conversations that the response lists as examples */
  examples?: number | undefined;
  /** The `selection` of a dry run: nothing is forgotten if the request now selects other conversations */
  selection?: string | undefined;
  /** true adds a certificate of what was forgotten: ids and counts, when and by whom, without text */
  certificate?: boolean | undefined;
}

export interface ForgetOutput {
  status: 'ok';
  dry_run: boolean;
  conversations: number;
  messages: number;
  chunks: number;
  /** Facts that are removed because nothing else states them */
  facts: number;
  /** Some of them, newest first */
  examples: {
    id: string;
    title?: string;
    source: string;
    timestamp: string;
  }[];
  /** Tombstones that were removed */
  lifted: number;
  /** Of a dry run: identifies exactly these conversations in their current version */
  selection?: string;
  /** Only if requested, and only if `dry_run` is false */
  certificate?: {
    forgotten_at: string;
    /** The user who forgot them */
    user_id: string;
    /** The token that was used */
    token_id?: string;
    project_id: string;
    conversations: number;
    messages: number;
    chunks: number;
    facts: number;
    /** The conversations that were erased */
    ids: string[];
  };
}

export interface ProjectListOutput {
  status: 'ok';
  results: Project[];
}

/** One project you are a member of. */
export interface ProjectGetInput {
  project_id: string;
}

export interface ProjectGetOutput {
  status: 'ok';
  project: Project;
}

/** The members of a project and their roles. */
export interface ProjectMembersInput {
  project_id: string;
}

export interface ProjectMembersOutput {
  status: 'ok';
  project_id: string;
  results: Member[];
  /** Whether you may add, change and remove members */
  may_manage: boolean;
}

/** Add a member to a project you manage, or change their role. */
export interface ProjectMemberSetInput {
  project_id: string;
  user: string;
  role: 'reader' | 'writer' | 'admin';
}

export interface ProjectMemberSetOutput {
  status: 'ok';
  project_id: string;
  member: Member;
}

/** Remove a member from a project you manage; the conversations they saved stay. */
export interface ProjectMemberRemoveInput {
  project_id: string;
  user: string;
}

export interface ProjectMemberRemoveOutput {
  status: 'ok';
  project_id: string;
  member: Member;
}

/** Conversations, facts with their sources and projects, as JSON lines, Markdown or one HTML page. */
export interface ExportInput {
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only conversations from this time or later; a plain date means the whole UTC day */
  date_from?: string | undefined;
  /** Only conversations from this time or earlier */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, by the thread_id of a result or conversation */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  /** Only this project; default all of yours */
  project_id?: string | undefined;
  format?: 'jsonl' | 'markdown' | 'html' | undefined;
}

/** Store every conversation in an export of another program. */
export interface ImportInput {
  /** The program the export is from; auto detects it by the content */
  format: 'auto' | 'chatgpt' | 'claude' | 'gemini-takeout' | 'claude-code' | 'codex' | 'gemini-cli' | 'cursor' | 'cursor-agent' | 'copilot-chat' | 'copilot-cli' | 'opencode' | 'cline' | 'continue' | 'aider' | 'zed' | 'windsurf' | 'goose' | 'amp' | 'jetbrains' | 'open-webui' | 'librechat' | 'lm-studio' | 'grok' | 'deepseek' | 'perplexity' | 'microsoft-copilot' | 'le-chat' | 'slack' | 'whatsapp' | 'telegram' | 'discord' | 'threadkeep' | 'json';
  /** Only conversations from this time or later */
  since?: string | undefined;
  /** true only counts and stores nothing */
  dry_run?: string | boolean | undefined;
  /** The source of the conversations, for the format json */
  source?: string | undefined;
  project_id?: string | undefined;
}

export interface ImportOutput {
  status: 'ok';
  /** Conversations found in the export */
  read: number;
  /** Stored as new conversations */
  imported: number;
  /** Stored conversations that have grown */
  appended: number;
  /** Already stored: nothing was added */
  duplicates: number;
  /** Skipped: see `reasons` */
  skipped: number;
  /** Messages that were stored */
  messages: number;
  /** Messages that were already stored */
  known_messages: number;
  /** Messages that were not stored, counted by reason */
  left_out: Record<string, number>;
  /** Skipped conversations, counted by reason */
  reasons: Record<string, number>;
  /** The first places that were skipped */
  examples: {
    place: string;
    reason: string;
  }[];
  dry_run?: true;
  /** It was stopped before the end; run it again to import the rest */
  interrupted?: true;
}

/** Store an export in the background; returns the job. */
export interface ImportsCreateInput {
  /** The program the export is from; auto detects it by the content */
  format?: 'auto' | 'chatgpt' | 'claude' | 'gemini-takeout' | 'claude-code' | 'codex' | 'gemini-cli' | 'cursor' | 'cursor-agent' | 'copilot-chat' | 'copilot-cli' | 'opencode' | 'cline' | 'continue' | 'aider' | 'zed' | 'windsurf' | 'goose' | 'amp' | 'jetbrains' | 'open-webui' | 'librechat' | 'lm-studio' | 'grok' | 'deepseek' | 'perplexity' | 'microsoft-copilot' | 'le-chat' | 'slack' | 'whatsapp' | 'telegram' | 'discord' | 'threadkeep' | 'json' | undefined;
  /** Only conversations from this time or later */
  since?: string | undefined;
  /** true only counts and stores nothing */
  dry_run?: string | boolean | undefined;
  /** The source of the conversations, for the format json */
  source?: string | undefined;
  project_id?: string | undefined;
}

export interface ImportsCreateOutput {
  status: 'ok';
  job: ImportJob;
}

export interface ImportsListOutput {
  status: 'ok';
  results: ImportJob[];
}

/** One of your imports: its state and its report so far. */
export interface ImportsGetInput {
  /** The id of the job */
  import_id: string;
}

export interface ImportsGetOutput {
  status: 'ok';
  job: ImportJob;
}

/** Cancel one of your imports; conversations it has stored stay. */
export interface ImportsCancelInput {
  /** The id of the job */
  import_id: string;
}

export interface ImportsCancelOutput {
  status: 'ok';
  job: ImportJob;
}
