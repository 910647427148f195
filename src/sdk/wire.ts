// Written by `npm run docs` from the schemas of the operations. Do not edit.

export interface MessageInput {
  /** user or assistant; human, ai, bot and model are understood too */
  role: string;
  /** The turn; `content` is accepted as an alias */
  text?: string | undefined;
  content?: string | undefined;
  /** When it was said: RFC 3339 or a plain date; leave it out where only the conversation has a time */
  timestamp?: string | undefined;
}

export interface Message {
  role: 'user' | 'assistant';
  text: string;
  /** When it was said; absent where only the conversation's time is known */
  timestamp?: string;
}

export interface Conversation {
  id: string;
  source: string;
  title?: string;
  timestamp: string;
  messages?: Message[];
  /** There was no room for its messages in this answer: retrieve it by its id */
  messages_omitted?: true;
  /** What later captures of the same words said about them; filters find it by these too */
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
  /** strong, or weak: only the nearest there is */
  match: 'strong' | 'weak';
  /** The parts of the relevance, with `explain` */
  explanation?: Record<string, number>;
  chunk_index: number;
  /** Which message of the conversation it is from, counted from 0 */
  message_index: number;
  role: 'user' | 'assistant';
  text: string;
  /** When it was said: the message's own time, else the conversation's */
  timestamp: string;
  /** Where words of the query are, in UTF-16 code units from the beginning */
  highlights: {
    start: number;
    end: number;
  }[];
  /** The part of the text that matches best, at most 240 characters */
  excerpt: {
    start: number;
    end: number;
  };
  conversation: Conversation;
  /** Best score of the conversation among the retrieved chunks */
  conversation_score: number;
  /** Retrieved chunks of the conversation */
  conversation_match_count: number;
  chunks: {
    chunk_index: number;
    /** Which message of the conversation it is from, counted from 0 */
    message_index: number;
    role: 'user' | 'assistant';
    text: string;
    /** When it was said: the message's own time, else the conversation's */
    timestamp: string;
    /** Where words of the query are, in UTF-16 code units from the beginning */
    highlights: {
      start: number;
      end: number;
    }[];
    /** The part of the text that matches best, at most 240 characters */
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
  /** strong, or weak: only the nearest there is */
  match: 'strong' | 'weak';
  /** The parts of the relevance, with `explain` */
  explanation?: Record<string, number>;
  chunk_index: number;
  /** Which message of the conversation it is from, counted from 0 */
  message_index: number;
  role: 'user' | 'assistant';
  text: string;
  /** When it was said: the message's own time, else the conversation's */
  timestamp: string;
  /** Where words of the query are, in UTF-16 code units from the beginning */
  highlights: {
    start: number;
    end: number;
  }[];
  /** The part of the text that matches best, at most 240 characters */
  excerpt: {
    start: number;
    end: number;
  };
  conversation: Conversation;
  /** Best score of the conversation among the retrieved chunks */
  conversation_score: number;
  /** Retrieved chunks of the conversation */
  conversation_match_count: number;
}

export interface CompactResult {
  /** Canonical conversation id */
  id: string;
  /** Vector distance, lower is better */
  score: number;
  /** The fused score that orders the results, higher is better */
  relevance: number;
  /** strong, or weak: only the nearest there is */
  match: 'strong' | 'weak';
  /** The parts of the relevance, with `explain` */
  explanation?: Record<string, number>;
  title?: string;
  source: string;
  /** When it was said: the message's own time, else the conversation's */
  timestamp: string;
  chunk_index: number;
  /** Which message of the conversation it is from, counted from 0 */
  message_index: number;
  snippet: string;
  /** Where words of the query are, in UTF-16 code units from the beginning */
  highlights: {
    start: number;
    end: number;
  }[];
  /** Best score of the conversation among the retrieved chunks */
  conversation_score: number;
  /** Retrieved chunks of the conversation */
  conversation_match_count: number;
}

export interface ThreadResult {
  /** Canonical conversation id */
  id: string;
  /** Vector distance, lower is better */
  score: number;
  /** The fused score that orders the results, higher is better */
  relevance: number;
  /** strong, or weak: only the nearest there is */
  match: 'strong' | 'weak';
  /** The parts of the relevance, with `explain` */
  explanation?: Record<string, number>;
  thread_id: string;
  chunk_index: number;
  /** Which message of the conversation it is from, counted from 0 */
  message_index: number;
  role: 'user' | 'assistant';
  text: string;
  /** When it was said: the message's own time, else the conversation's */
  timestamp: string;
  /** Where words of the query are, in UTF-16 code units from the beginning */
  highlights: {
    start: number;
    end: number;
  }[];
  /** The part of the text that matches best, at most 240 characters */
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
    /** strong, or weak: only the nearest there is */
    match: 'strong' | 'weak';
    /** The parts of the relevance, with `explain` */
    explanation?: Record<string, number>;
    title?: string;
    source: string;
    /** When it was said: the message's own time, else the conversation's */
    timestamp: string;
    chunk_index: number;
    /** Which message of the conversation it is from, counted from 0 */
    message_index: number;
    role: 'user' | 'assistant';
    text: string;
    /** Where words of the query are, in UTF-16 code units from the beginning */
    highlights: {
      start: number;
      end: number;
    }[];
    /** The part of the text that matches best, at most 240 characters */
    excerpt: {
      start: number;
      end: number;
    };
    /** Best score of the conversation among the retrieved chunks */
    conversation_score: number;
    /** Retrieved chunks of the conversation */
    conversation_match_count: number;
  }[];
}

export interface ListedConversation {
  id: string;
  source: string;
  title?: string;
  timestamp: string;
  /** There was no room for its messages in this answer: retrieve it by its id */
  messages_omitted?: true;
  /** What later captures of the same words said about them; filters find it by these too */
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
  /** The client's own hint, else the generated summary */
  summary?: string;
  message_count: number;
}

export interface Fact {
  /** For superseding it */
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
  /** The newest message that states it */
  stated_at: string;
  /** The oldest message that states it */
  created_at: string;
  updated_at: string;
  last_confirmed_at: string;
  /** When it stopped being so; null while it is active */
  superseded_at: string | null;
  /** The fact that took its place; absent when it just ended */
  superseded_by?: string;
  /** A caller decided so, and can restore it */
  superseded_by_hand?: true;
  /** Since when it is pinned; absent when it is not */
  pinned_at?: string;
  /** What was changed by hand, oldest first; undo takes back the last */
  changes?: {
    kind: 'added' | 'corrected' | 'retracted' | 'pinned' | 'unpinned' | 'detached';
    at: string;
    /** Of `added`: the fact whose value was wrong */
    corrects?: string;
    /** Of `corrected`: the fact with the right value */
    by?: string;
    /** Of `retracted`: until when it was so; absent when it never was */
    until?: string;
    /** Of `detached`: the sentences that do not state it after all */
    sources?: {
      conversation_id: string;
      message_index: number;
      chunk_index: number;
      /** Where the sentence begins in the message */
      start: number;
      end: number;
      source: string;
      /** When the message was said, in UTC */
      stated_at: string;
      role: 'user' | 'assistant';
      /** The sentence says that it is over */
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
    /** Where the sentence begins in the message */
    start: number;
    end: number;
    source: string;
    /** When the message was said, in UTC */
    stated_at: string;
    role: 'user' | 'assistant';
    /** The sentence says that it is over */
    ends?: true;
  }[];
}

export interface Person {
  id: string;
  kind: 'person' | 'pet';
  /** Absent for one who is only known by a relation */
  name?: string;
  other_names: string[];
  /** What they are to the user: sister, boss, dog */
  relations: string[];
  confidence: 'high' | 'medium' | 'low';
  /** The oldest message that tells of them */
  since: string;
  last_confirmed_at: string;
  /** The conversations that tell of them */
  conversation_ids: string[];
  /** The facts that tell of them */
  fact_ids: string[];
  /** The UTC months whose messages tell of them, in the order of time */
  months: {
    month: string;
    mentions: number;
  }[];
  /** How facts about them name them, for a fact search by subject */
  subjects: string[];
  /** What else is known about them */
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
  /** Which message of the conversation is quoted, counted from 0 */
  message_index: number;
  /** Vector distance, lower is better; absent for a turn quoted for context */
  score?: number;
  /** The words that are quoted */
  text: string;
  role: 'user' | 'assistant';
  title?: string;
  source: string;
  /** When it was said: the message's own time, else the conversation's */
  timestamp: string;
  /** What the times in it mean on the day it was said */
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
  /** When that sentence was said, in UTC */
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
  /** The message's own time; absent where only the conversation's is known */
  timestamp?: string;
  score?: number;
  used_in_answer: boolean;
  /** Cut to fit the token budget */
  truncated?: true;
}

export interface FactEvidence {
  type: 'fact';
  fact_id: string;
  /** For superseding it */
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
  /** The newest message that states it */
  stated_at: string;
  /** The oldest message that states it */
  created_at: string;
  updated_at: string;
  last_confirmed_at: string;
  /** When it stopped being so; null while it is active */
  superseded_at: string | null;
  /** The fact that took its place; absent when it just ended */
  superseded_by?: string;
  /** A caller decided so, and can restore it */
  superseded_by_hand?: true;
  /** Since when it is pinned; absent when it is not */
  pinned_at?: string;
  /** What was changed by hand, oldest first; undo takes back the last */
  changes?: {
    kind: 'added' | 'corrected' | 'retracted' | 'pinned' | 'unpinned' | 'detached';
    at: string;
    /** Of `added`: the fact whose value was wrong */
    corrects?: string;
    /** Of `corrected`: the fact with the right value */
    by?: string;
    /** Of `retracted`: until when it was so; absent when it never was */
    until?: string;
    /** Of `detached`: the sentences that do not state it after all */
    sources?: {
      conversation_id: string;
      message_index: number;
      chunk_index: number;
      /** Where the sentence begins in the message */
      start: number;
      end: number;
      source: string;
      /** When the message was said, in UTC */
      stated_at: string;
      role: 'user' | 'assistant';
      /** The sentence says that it is over */
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
    /** Where the sentence begins in the message */
    start: number;
    end: number;
    source: string;
    /** When the message was said, in UTC */
    stated_at: string;
    role: 'user' | 'assistant';
    /** The sentence says that it is over */
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
  /** What it cites */
  evidence: (CitedMessage | CitedFact)[];
}

export interface ImportJob {
  id: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** As it was asked for; auto recognises it by the content */
  format: string;
  /** What the sender called the file; without memory:read only in jobs of the same token */
  filename?: string;
  /** How large the file is */
  bytes: number;
  /** How much of it this run has read, while it runs */
  read_bytes?: number;
  /** Where everything goes, if one was named */
  project_id?: string;
  since?: string;
  source?: string;
  dry_run: boolean;
  created_at: string;
  started_at?: string;
  ended_at?: string;
  /** How often it went on after the service had stopped */
  resumed: number;
  /** Conversations in the file, once they are counted; `report.read` goes up to it */
  total?: number;
  /** What it did so far; at the end all of it */
  report: {
    status: 'ok';
    /** Conversations found in the export */
    read: number;
    /** Stored as new memories */
    imported: number;
    /** Conversations that were known and have grown */
    appended: number;
    /** Known already: nothing was added */
    duplicates: number;
    /** Left out: see `reasons` */
    skipped: number;
    /** Messages that were stored */
    messages: number;
    /** Messages that were known already */
    known_messages: number;
    /** Messages that are not kept: how often each reason occurred */
    left_out: Record<string, number>;
    /** How often each reason occurred */
    reasons: Record<string, number>;
    /** The first of the places that were left out */
    examples: {
      place: string;
      reason: string;
    }[];
    dry_run?: true;
    /** It was stopped before the end; run it again for the rest */
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
  /** The private project that a call without project_id is about */
  is_default: boolean;
  /** What you may do in it */
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
    /** Manual tags, kept as they are */
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
  /** The same content was stored before */
  deduplicated: boolean;
  /** Messages added to a stored conversation of the same thread */
  appended_messages: number;
  /** Chunks embedded and indexed by this call */
  embedded_chunks: number;
  /** Chunks of the whole conversation */
  chunks: number;
  /** Saved, but not in the vector index yet; it will be without a further call */
  indexing?: 'pending';
  /** Of a duplicate: why its source, thread, title, tags and time are not kept beside the first. review: the capture would have waited for review; limit: there are a hundred already */
  alias_left_out?: 'review' | 'limit';
  /** Why it waits for review */
  review_reason?: 'secret_detected';
  /** Secrets that were replaced before storing */
  redacted_secrets?: number;
}

export interface ValidateOutput {
  status: 'ok';
  valid: true;
  /** What an insert would make of it */
  memory_status: 'active' | 'pending_review' | 'rejected';
}

/** Ranked matches for a query, with their conversations. */
export interface SearchInput {
  /** What to look for, in plain words; understands "exact phrase", -word and operators such as source:claude */
  query: string;
  /** How many results, at most limits.max_top_k (100) */
  top_k?: number | undefined;
  /** Results per page, at most limits.max_top_k (100); default top_k */
  limit?: number | undefined;
  /** The cursor of the page before, or how many results to pass over, as in "10" */
  cursor?: string | undefined;
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only what was said from this time on; a plain date means its whole UTC day */
  date_from?: string | undefined;
  /** Only what was said up to and including this time */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, as a result or a conversation names it */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  result_mode?: 'chunks' | 'compact' | 'conversations' | 'threads' | undefined;
  project_id?: string | undefined;
  /** newest and oldest order the strong matches by time, or the weak ones when there are no others */
  sort?: 'relevance' | 'newest' | 'oldest' | undefined;
  /** true lets the reading model order the best results by how well they answer, which takes longer; default true for MCP tools, else retrieval.rerank */
  rerank?: boolean | undefined;
  /** strong leaves out what only happens to be nearest */
  match?: 'any' | 'strong' | undefined;
  /** What "last week" in the query is counted from; default now */
  reference_date?: string | undefined;
  /** true adds to each result what its relevance is made of */
  explain?: boolean | undefined;
  /** true adds `current_facts`: what the messages that are shown state and is still so */
  include_facts?: boolean | undefined;
  /** false leaves the messages out of the conversations */
  include_messages?: boolean | undefined;
}

export interface SearchOutput {
  status: 'ok';
  results: (ConversationResult | ChunkResult | CompactResult | ThreadResult)[];
  /** Pass it back to get the next page; null at the end */
  cursor: string | null;
  /** About how many results there are; grows where a later page looks further */
  total: number;
  /** With `include_facts`: what the messages that are shown state and is still so */
  current_facts?: {
    fact_id: string;
    subject: string;
    predicate: string;
    /** The value for display */
    value: string;
    /** When it was first said, in UTC */
    valid_from: string;
    /** When it was last said, in UTC */
    confirmed_at: string;
    confidence: 'high' | 'medium' | 'low';
    /** The conversation of the newest shown message that states it */
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
  /** Only in this project; default every project you may read, your own first */
  project_id?: string | undefined;
}

export interface RetrieveOutput {
  status: 'ok';
  id: string;
  memory: Conversation;
}

/** One message of a conversation with those around it. */
export interface ContextInput {
  /** Canonical id of the conversation, as in a search result */
  id: string;
  /** Which message to look around, counted from 0, as in a search result or a citation */
  message_index: number;
  /** How many messages before it */
  before?: number | undefined;
  /** How many messages after it */
  after?: number | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  /** Only in this project; default every project you may read, your own first */
  project_id?: string | undefined;
}

export interface ContextOutput {
  status: 'ok';
  id: string;
  title?: string;
  source: string;
  timestamp: string;
  /** The message that was asked about */
  message_index: number;
  /** How many messages the conversation has */
  message_count: number;
  /** That message and those around it, in order */
  results: {
    message_index: number;
    role: 'user' | 'assistant';
    text: string;
    /** When it was said: the message's own time, else the conversation's */
    timestamp: string;
  }[];
}

/** An answer from memory, with its evidence, or that there is none. */
export interface AskInput {
  /** A question in plain words */
  question: string;
  /** How many hits an answer is made from, at most limits.max_top_k (100) */
  top_k?: number | undefined;
  /** How many tokens of memory the answer may use; default ask.max_context_tokens where that is set or the tokenizer is enabled */
  max_context_tokens?: number | undefined;
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only what was said from this time on; a plain date means its whole UTC day */
  date_from?: string | undefined;
  /** Only what was said up to and including this time */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, as a result or a conversation names it */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  result_mode?: 'chunks' | 'compact' | 'conversations' | 'threads' | undefined;
  project_id?: string | undefined;
  /** What was known at this time: nothing said or changed later is read. A plain date means its whole UTC day */
  as_of?: string | undefined;
  /** What "last week" in the question is counted from; default as_of, else now */
  reference_date?: string | undefined;
  /** false reads the first hits as the search found them instead of choosing from more, which is quicker */
  rerank?: boolean | undefined;
  /** true adds what the confidence and each relevance are made of */
  explain?: boolean | undefined;
  /** true adds `current_facts`: what the messages that are shown state and is still so */
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
  /** How likely the answer is right, 0 to 1; absent where no model has read the messages */
  confidence_score?: number;
  /** The answers to the parts of a question with two; the confidence above is that of the least sure one */
  parts?: {
    question: string;
    answer: string;
    answer_basis: 'direct_memory' | 'fact_layer' | 'mixed' | 'conflict' | 'not_found';
    confidence: 'high' | 'medium' | 'low' | 'none';
  }[];
  /** The chunks and facts the answer is made from */
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
  /** With `include_facts`: what the messages that are shown state and is still so */
  current_facts?: {
    fact_id: string;
    subject: string;
    predicate: string;
    /** The value for display */
    value: string;
    /** When it was first said, in UTC */
    valid_from: string;
    /** When it was last said, in UTC */
    confirmed_at: string;
    confidence: 'high' | 'medium' | 'low';
    /** The conversation of the newest shown message that states it */
    conversation_id: string;
    message_index: number;
  }[];
  /** Who put the answer into words; absent without `ask.model` */
  composition?: {
    /** `extraction`: the answer is the one that is made without a model */
    by: 'model' | 'extraction';
    /** Why the model did not write it; `not_found` and `conflict` were not sent to it */
    reason?: 'timeout' | 'unreachable' | 'failed' | 'malformed' | 'refused' | 'left_alone' | 'cancelled' | 'unsupported' | 'not_found' | 'conflict';
    model?: string;
    sentences?: AnswerSentence[];
    /** Sentences of the model that its evidence does not support */
    sentences_dropped: number;
    /** What the answer would be without the model */
    extractive_answer?: string;
  };
  /** The hits the answer was made from, or the closest ones when there is none */
  results: (ConversationResult | ChunkResult | CompactResult | ThreadResult)[];
  /** With a token budget: tokens of the texts and facts used */
  context_tokens_used?: number;
  chunks_selected?: number;
  chunks_dropped?: number;
  tokenizer_used?: string;
  /** What the confidence is made of, with `explain` */
  explanation?: Record<string, number>;
  /** What was not available for this answer */
  diagnostics?: Record<string, string>;
}

/** The stored conversations in the order of time, without their messages. */
export interface ConversationListInput {
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only conversations from this time on; a plain date means its whole UTC day */
  date_from?: string | undefined;
  /** Only conversations up to and including this time */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, as a result or a conversation names it */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  project_id?: string | undefined;
  order?: 'newest' | 'oldest' | undefined;
  /** Conversations per page */
  limit?: number | undefined;
  /** The cursor of the page before */
  cursor?: string | undefined;
}

export interface ConversationListOutput {
  status: 'ok';
  results: ListedConversation[];
  /** How many conversations pass the filters, on all pages */
  total: number;
  /** Pass it back to get the next page; null at the end */
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
  /** The conversation as it is now; only for tokens that may read */
  memory?: {
    id: string;
    source: string;
    title?: string;
    timestamp: string;
    /** There was no room for its messages in this answer: retrieve it by its id */
    messages_omitted?: true;
    /** What later captures of the same words said about them; filters find it by these too */
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

/** How many conversations and messages each day and source has, and with `labels` each tag, topic and thread. */
export interface ActivityInput {
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only conversations from this time on; a plain date means its whole UTC day */
  date_from?: string | undefined;
  /** Only conversations up to and including this time */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, as a result or a conversation names it */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  project_id?: string | undefined;
  /** true also counts sources, tags, topics and threads: the 500 most frequent of each */
  labels?: boolean | undefined;
}

export interface ActivityOutput {
  status: 'ok';
  /** One entry per day and source that has conversations, in the order of time */
  days: {
    /** A UTC day */
    day: string;
    source: string;
    conversations: number;
    messages: number;
  }[];
  /** Only if asked for; the most frequent of each kind first */
  labels?: {
    kind: 'source' | 'tag' | 'topic' | 'thread';
    /** As the filters take it */
    name: string;
    /** Of a thread: the title of its newest conversation */
    title?: string;
    conversations: number;
    messages: number;
    /** Passages in the index */
    chunks: number;
    /** The UTC day of the oldest conversation */
    first: string;
    /** The UTC day of the newest conversation */
    last: string;
    /** The months that have conversations, in the order of time */
    months: {
      month: string;
      conversations: number;
    }[];
  }[];
}

/** The conversations of one UTC day, in order: those that began on it, and those that were continued on it. */
export interface TimelineInput {
  /** A UTC day, such as 2026-11-15 */
  day: string;
  limit?: number | undefined;
  /** The cursor of the page before */
  cursor?: string | undefined;
  project_id?: string | undefined;
}

export interface TimelineOutput {
  status: 'ok';
  results: TimelineEntry[];
  cursor: string | null;
}

/** Facts the memory holds, newest statement first. */
export interface FactSearchInput {
  /** Words to look for in subject, predicate and value */
  query?: string | undefined;
  /** Only facts about this subject; `user` is the speaker */
  subject?: string | undefined;
  /** Only this predicate, such as profile_location */
  predicate?: string | undefined;
  /** true shows what is no longer so as well */
  include_superseded?: boolean | undefined;
  /** Only facts with a source conversation of this source */
  source?: string | undefined;
  /** Only facts stated from this time on; a plain date means its whole UTC day */
  date_from?: string | undefined;
  /** Only facts stated up to and including this time */
  date_to?: string | undefined;
  confidence?: 'high' | 'medium' | 'low' | undefined;
  /** Default active; all with include_superseded */
  status?: 'active' | 'superseded' | 'all' | undefined;
  source_quality?: 'direct_user_statement' | 'corrected_by_user' | 'assistant_statement' | 'inferred_from_conversation' | undefined;
  save_intent?: 'explicit_user_request' | 'user_confirmed' | 'client_auto_save' | undefined;
  save_intent_source?: string | undefined;
  /** Only facts confirmed from this time on */
  freshness_from?: string | undefined;
  /** Only facts confirmed up to and including this time */
  freshness_to?: string | undefined;
  /** What was known at this time: nothing said or changed later is read. A plain date means its whole UTC day */
  as_of?: string | undefined;
  project_id?: string | undefined;
  /** The cursor of the page before */
  cursor?: string | undefined;
  /** Facts per page, at most limits.max_top_k (100) */
  limit?: number | undefined;
}

export interface FactSearchOutput {
  status: 'ok';
  results: Fact[];
  /** Pass it back to get the next page; null at the end */
  cursor: string | null;
}

/** Mark a fact as superseded by another one. */
export interface FactSupersedeInput {
  /** The fact that no longer holds */
  fact_id: string;
  /** The fact that took its place */
  superseded_by: string;
  project_id?: string | undefined;
}

export interface FactSupersedeOutput {
  status: 'ok';
  id: string;
  superseded_by: string;
  /** The fact as it is now; only for tokens that may read */
  fact?: Fact;
}

/** Take back that a fact was superseded by hand. */
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
  /** Whom or what it is about; `user` is the speaker */
  subject?: string | undefined;
  /** Such as profile_location; one that the manual does not list takes any number of values */
  predicate: string;
  /** In the words it is to be shown in */
  value: string;
  project_id?: string | undefined;
}

export interface FactAddOutput {
  status: 'ok';
  id: string;
  /** The fact as it is now; only for tokens that may read */
  fact?: Fact;
}

/** Correct the value of a fact. */
export interface FactCorrectInput {
  /** The fact whose value is wrong */
  fact_id: string;
  project_id?: string | undefined;
  /** The right value */
  value: string;
}

export interface FactCorrectOutput {
  status: 'ok';
  /** The fact with the right value; for tokens that may not read, the one that was named */
  id: string;
  /** The fact as it is now; only for tokens that may read */
  fact?: Fact;
  /** The fact with the old value, which stays as history; absent where only the wording changed */
  superseded?: Fact;
}

/** Say that a fact is not so, or no longer. */
export interface FactRetractInput {
  fact_id: string;
  project_id?: string | undefined;
  /** Until when it was so: it then stays in answers as history. A plain date includes its whole UTC day */
  until?: string | undefined;
}

export interface FactRetractOutput {
  status: 'ok';
  id: string;
  /** The fact as it is now; only for tokens that may read */
  fact?: Fact;
}

/** Pin a fact: it stays current whatever is said, and is listed first. */
export interface FactPinInput {
  fact_id: string;
  project_id?: string | undefined;
}

export interface FactPinOutput {
  status: 'ok';
  id: string;
  /** The fact as it is now; only for tokens that may read */
  fact?: Fact;
}

/** Unpin a fact: newer statements may take its place again. */
export interface FactUnpinInput {
  fact_id: string;
  project_id?: string | undefined;
}

export interface FactUnpinOutput {
  status: 'ok';
  id: string;
  /** The fact as it is now; only for tokens that may read */
  fact?: Fact;
}

/** Say that a conversation does not state a fact: the fact no longer rests on it. */
export interface FactDetachInput {
  fact_id: string;
  project_id?: string | undefined;
  /** The conversation that does not state the fact */
  conversation_id: string;
  /** Only this message of it; default all of them */
  message_index?: number | undefined;
}

export interface FactDetachOutput {
  status: 'ok';
  id: string;
  /** The fact as it is now; only for tokens that may read */
  fact?: Fact;
}

/** Take back the last change made to a fact by hand. */
export interface FactUndoInput {
  fact_id: string;
  project_id?: string | undefined;
}

export interface FactUndoOutput {
  status: 'ok';
  id: string;
  /** The fact as it is now; absent when nothing but the change stated it */
  fact?: Fact;
  /** What was taken back; only for tokens that may read */
  undone?: 'added' | 'corrected' | 'retracted' | 'pinned' | 'unpinned' | 'detached' | 'superseded';
}

/** What the memory knows about a subject, with a summary. */
export interface ProfileInput {
  /** Whose facts; `user` is the speaker */
  subject?: string | undefined;
  /** Only this predicate, such as profile_location */
  predicate?: string | undefined;
  /** true shows what is no longer so as well */
  include_superseded?: boolean | undefined;
  /** Only facts with a source conversation of this source */
  source?: string | undefined;
  /** Only facts stated from this time on; a plain date means its whole UTC day */
  date_from?: string | undefined;
  /** Only facts stated up to and including this time */
  date_to?: string | undefined;
  confidence?: 'high' | 'medium' | 'low' | undefined;
  /** Default active; all with include_superseded */
  status?: 'active' | 'superseded' | 'all' | undefined;
  source_quality?: 'direct_user_statement' | 'corrected_by_user' | 'assistant_statement' | 'inferred_from_conversation' | undefined;
  save_intent?: 'explicit_user_request' | 'user_confirmed' | 'client_auto_save' | undefined;
  save_intent_source?: string | undefined;
  /** Only facts confirmed from this time on */
  freshness_from?: string | undefined;
  /** Only facts confirmed up to and including this time */
  freshness_to?: string | undefined;
  /** What was known at this time: nothing said or changed later is read. A plain date means its whole UTC day */
  as_of?: string | undefined;
  project_id?: string | undefined;
  /** The cursor of the page before */
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
  /** Pass it back to get the next page; null at the end */
  cursor: string | null;
}

/** Who is known, and what they are to the user; the last mentioned first. */
export interface PeopleInput {
  /** What was known at this time: nothing said or changed later is read. A plain date means its whole UTC day */
  as_of?: string | undefined;
  project_id?: string | undefined;
}

export interface PeopleOutput {
  status: 'ok';
  results: Person[];
}

/** Approve a memory that waits for review: it becomes visible. */
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
  /** The same content was stored before */
  deduplicated: boolean;
  /** Messages added to a stored conversation of the same thread */
  appended_messages: number;
  /** Chunks embedded and indexed by this call */
  embedded_chunks: number;
  /** Chunks of the whole conversation */
  chunks: number;
  /** Saved, but not in the vector index yet; it will be without a further call */
  indexing?: 'pending';
  /** Of a duplicate: why its source, thread, title, tags and time are not kept beside the first. review: the capture would have waited for review; limit: there are a hundred already */
  alias_left_out?: 'review' | 'limit';
  /** Why it waits for review */
  review_reason?: 'secret_detected';
  /** Secrets that were replaced before storing */
  redacted_secrets?: number;
}

/** Reject a memory that waits for review: it stays hidden. */
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

/** Forget conversations for good; counts them first unless told otherwise. */
export interface ForgetInput {
  /** These conversations */
  ids?: readonly string[] | undefined;
  /** Only conversations of this source */
  source?: string | undefined;
  /** Only conversations from this time on; a plain date means its whole UTC day */
  date_from?: string | undefined;
  /** Only conversations up to and including this time */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, as a result or a conversation names it */
  thread_id?: string | undefined;
  /** Only conversations before this time; a plain date means before that UTC day */
  before?: string | undefined;
  /** Only conversations that this token wrote */
  token_id?: string | undefined;
  /** Only conversations that this import of yours stored and that were not there before */
  import_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  project_id?: string | undefined;
  /** true (the default) counts what would go and changes nothing */
  dry_run?: boolean | undefined;
  /** true leaves no mark behind, and lifts the mark of ids forgotten before: they may be stored again */
  allow_return?: boolean | undefined;
  /** How many of the conversations the answer names */
  examples?: number | undefined;
  /** The `selection` of a dry run: nothing is forgotten when other conversations are meant by now */
  selection?: string | undefined;
  /** true adds a certificate of what was forgotten: ids and counts, when and by whom, no text */
  certificate?: boolean | undefined;
}

export interface ForgetOutput {
  status: 'ok';
  dry_run: boolean;
  conversations: number;
  messages: number;
  chunks: number;
  /** Facts that go, because nothing else states them */
  facts: number;
  /** Some of them, newest first */
  examples: {
    id: string;
    title?: string;
    source: string;
    timestamp: string;
  }[];
  /** Marks of earlier forgetting that were lifted */
  lifted: number;
  /** Of a dry run: names exactly these conversations, as they are now */
  selection?: string;
  /** Only if asked for, and only when something was to be erased for good */
  certificate?: {
    forgotten_at: string;
    /** Who forgot them */
    user_id: string;
    /** With which token */
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

/** Who is in a project, with which role. */
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

/** Remove a member from a project you manage; what they saved stays. */
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
  /** Only conversations from this time on; a plain date means its whole UTC day */
  date_from?: string | undefined;
  /** Only conversations up to and including this time */
  date_to?: string | undefined;
  /** Only conversations with all of these manual tags */
  tags?: readonly string[] | undefined;
  /** Only conversations of this thread, as a result or a conversation names it */
  thread_id?: string | undefined;
  memory_status?: 'active' | 'pending_review' | 'rejected' | 'all' | undefined;
  /** Only this project; default all of yours */
  project_id?: string | undefined;
  format?: 'jsonl' | 'markdown' | 'html' | undefined;
}

/** Store every conversation of an export that another program wrote. */
export interface ImportInput {
  /** Which program the export is from; auto recognises it by its content */
  format: 'auto' | 'chatgpt' | 'claude' | 'gemini-takeout' | 'claude-code' | 'codex' | 'gemini-cli' | 'cursor' | 'cursor-agent' | 'copilot-chat' | 'copilot-cli' | 'opencode' | 'cline' | 'continue' | 'aider' | 'zed' | 'windsurf' | 'goose' | 'amp' | 'jetbrains' | 'open-webui' | 'librechat' | 'lm-studio' | 'grok' | 'deepseek' | 'perplexity' | 'microsoft-copilot' | 'le-chat' | 'slack' | 'whatsapp' | 'telegram' | 'discord' | 'threadkeep' | 'json';
  /** Only conversations from this time on */
  since?: string | undefined;
  /** true counts and stores nothing */
  dry_run?: string | boolean | undefined;
  /** Where they took place, for the format json */
  source?: string | undefined;
  project_id?: string | undefined;
}

export interface ImportOutput {
  status: 'ok';
  /** Conversations found in the export */
  read: number;
  /** Stored as new memories */
  imported: number;
  /** Conversations that were known and have grown */
  appended: number;
  /** Known already: nothing was added */
  duplicates: number;
  /** Left out: see `reasons` */
  skipped: number;
  /** Messages that were stored */
  messages: number;
  /** Messages that were known already */
  known_messages: number;
  /** Messages that are not kept: how often each reason occurred */
  left_out: Record<string, number>;
  /** How often each reason occurred */
  reasons: Record<string, number>;
  /** The first of the places that were left out */
  examples: {
    place: string;
    reason: string;
  }[];
  dry_run?: true;
  /** It was stopped before the end; run it again for the rest */
  interrupted?: true;
}

/** Store an export in the background; the answer is the job. */
export interface ImportsCreateInput {
  /** Which program the export is from; auto recognises it by its content */
  format?: 'auto' | 'chatgpt' | 'claude' | 'gemini-takeout' | 'claude-code' | 'codex' | 'gemini-cli' | 'cursor' | 'cursor-agent' | 'copilot-chat' | 'copilot-cli' | 'opencode' | 'cline' | 'continue' | 'aider' | 'zed' | 'windsurf' | 'goose' | 'amp' | 'jetbrains' | 'open-webui' | 'librechat' | 'lm-studio' | 'grok' | 'deepseek' | 'perplexity' | 'microsoft-copilot' | 'le-chat' | 'slack' | 'whatsapp' | 'telegram' | 'discord' | 'threadkeep' | 'json' | undefined;
  /** Only conversations from this time on */
  since?: string | undefined;
  /** true counts and stores nothing */
  dry_run?: string | boolean | undefined;
  /** Where they took place, for the format json */
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

/** One of your imports: its state and what it did so far. */
export interface ImportsGetInput {
  /** The id of the job */
  import_id: string;
}

export interface ImportsGetOutput {
  status: 'ok';
  job: ImportJob;
}

/** Stop one of your imports; what it has stored stays. */
export interface ImportsCancelInput {
  /** The id of the job */
  import_id: string;
}

export interface ImportsCancelOutput {
  status: 'ok';
  job: ImportJob;
}
