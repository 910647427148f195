import type * as wire from './wire.js';

/** Options of one call. Aborting the signal cancels it: the call rejects with the signal's reason. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface AskOptions extends CallOptions {
  /**
   * Receives each sentence of a language model (`ask.model`) once it has passed the check. The returned answer is
   * authoritative: it is a different one if the model fails before it has finished.
   */
  onSentence?: ((sentence: wire.AnswerSentence) => void) | undefined;
}

export type ResultMode = 'chunks' | 'compact' | 'conversations' | 'threads';

/** The results of a search by its `result_mode`. */
export interface ResultsByMode {
  chunks: wire.ChunkResult;
  compact: wire.CompactResult;
  conversations: wire.ConversationResult;
  threads: wire.ThreadResult;
}

export type SearchRequest<Mode extends ResultMode> = wire.SearchInput & { result_mode?: Mode | undefined };
export type SearchAnswer<Mode extends ResultMode> = Omit<wire.SearchOutput, 'results'> & {
  results: ResultsByMode[Mode][];
};
export type AskRequest<Mode extends ResultMode> = wire.AskInput & { result_mode?: Mode | undefined };
export type AskAnswer<Mode extends ResultMode> = Omit<wire.AskOutput, 'results'> & { results: ResultsByMode[Mode][] };

/** A conversation, or only its messages. */
export type ConversationInput = wire.InsertInput | readonly wire.MessageInput[];

/** The content of an import, whole or in chunks as they arrive. */
export type ImportData =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>;

export type ImportRequest = wire.ImportInput & {
  /** The name of the file; its extension distinguishes a zip from JSON. */
  filename?: string | undefined;
};

export type ImportJobRequest = wire.ImportsCreateInput & Pick<ImportRequest, 'filename'>;

export interface ImportOptions extends CallOptions {
  /** Receives the number of conversations read so far. */
  onProgress?: ((progress: { read: number }) => void) | undefined;
}

/** The state of the service; contains no secrets. */
export interface HealthReport {
  status: 'ok' | 'unavailable';
  mode: 'ok' | 'degraded' | 'dry-run';
  metadata_provider: string;
  vector_provider: string;
  embedding_provider: string;
  telemetry_enabled: boolean;
  health: {
    mode: 'ok' | 'degraded' | 'dry-run';
    reasons: string[];
    /** Chunks that are saved but not in the vector index yet. */
    pending_chunks?: number;
  };
}

export interface Conversations {
  /** One page, newest first, without messages. */
  list(input?: wire.ConversationListInput, options?: CallOptions): Promise<wire.ConversationListOutput>;
  /** An iterator over all conversations, which reads page by page. */
  all(input?: wire.ConversationListInput, options?: CallOptions): AsyncIterableIterator<wire.ListedConversation>;
  /** Renames a conversation, adds and removes tags. */
  update(input: wire.ConversationUpdateInput, options?: CallOptions): Promise<wire.ConversationUpdateOutput>;
}

export interface Facts {
  search(input?: string | wire.FactSearchInput, options?: CallOptions): Promise<wire.FactSearchOutput>;
  /** An iterator over all matching facts, which reads page by page. */
  all(input?: string | wire.FactSearchInput, options?: CallOptions): AsyncIterableIterator<wire.Fact>;
  supersede(input: wire.FactSupersedeInput, options?: CallOptions): Promise<wire.FactSupersedeOutput>;
  restore(id: string | wire.FactRestoreInput, options?: CallOptions): Promise<wire.FactRestoreOutput>;
  add(input: wire.FactAddInput, options?: CallOptions): Promise<wire.FactAddOutput>;
  /** Replaces a wrong value, which stays as history. */
  correct(input: wire.FactCorrectInput, options?: CallOptions): Promise<wire.FactCorrectOutput>;
  /** Marks a fact as wrong or, with `until`, as no longer true. */
  retract(id: string | wire.FactRetractInput, options?: CallOptions): Promise<wire.FactRetractOutput>;
  /** A pinned fact stays current regardless of later statements, and is listed first. */
  pin(id: string | wire.FactPinInput, options?: CallOptions): Promise<wire.FactPinOutput>;
  unpin(id: string | wire.FactUnpinInput, options?: CallOptions): Promise<wire.FactUnpinOutput>;
  /** Detaches a fact from a conversation that does not state it. */
  detach(input: wire.FactDetachInput, options?: CallOptions): Promise<wire.FactDetachOutput>;
  /** Undoes the last change made to a fact by hand. */
  undo(id: string | wire.FactUndoInput, options?: CallOptions): Promise<wire.FactUndoOutput>;
}

/** Background imports, which continue when the connection is closed or the service was stopped. */
export interface Imports {
  /** Starts an import. The format is detected by the content unless `format` names it. */
  create(data: ImportData, input?: ImportJobRequest, options?: CallOptions): Promise<wire.ImportsCreateOutput>;
  /** Your own imports, newest first. */
  list(options?: CallOptions): Promise<wire.ImportsListOutput>;
  /** The state of an import, with its result so far. */
  get(id: string | wire.ImportsGetInput, options?: CallOptions): Promise<wire.ImportsGetOutput>;
  /** Conversations that it has stored stay. */
  cancel(id: string | wire.ImportsCancelInput, options?: CallOptions): Promise<wire.ImportsCancelOutput>;
}

export interface Pending {
  approve(id: string | wire.PendingApproveInput, options?: CallOptions): Promise<wire.PendingApproveOutput>;
  reject(id: string | wire.PendingRejectInput, options?: CallOptions): Promise<wire.PendingRejectOutput>;
}

export interface Projects {
  list(options?: CallOptions): Promise<wire.ProjectListOutput>;
  /** The private project, which is used when a call has no `project_id`. */
  default(options?: CallOptions): Promise<wire.ProjectGetOutput>;
  get(projectId: string, options?: CallOptions): Promise<wire.ProjectGetOutput>;
  members(projectId: string, options?: CallOptions): Promise<wire.ProjectMembersOutput>;
  setMember(input: wire.ProjectMemberSetInput, options?: CallOptions): Promise<wire.ProjectMemberSetOutput>;
  removeMember(input: wire.ProjectMemberRemoveInput, options?: CallOptions): Promise<wire.ProjectMemberRemoveOutput>;
}

/**
 * The memory, in this process (`openMemory`) or over HTTP (`connectMemory`). Fields and results are those of the HTTP
 * interface. Every call rejects with a `MemoryError` whose `code` is the interface's `error_code`.
 */
export interface Memory {
  /** Stores one conversation. Idempotent: storing it again changes nothing (`deduplicated`). */
  insert(conversation: ConversationInput, options?: CallOptions): Promise<wire.InsertOutput>;
  /** Checks a conversation as `insert` does and stores nothing. */
  validate(conversation: ConversationInput, options?: CallOptions): Promise<wire.ValidateOutput>;
  search<Mode extends ResultMode = 'chunks'>(
    query: string | SearchRequest<Mode>,
    options?: CallOptions,
  ): Promise<SearchAnswer<Mode>>;
  /** An iterator over all results, which reads page by page; stop when you have enough. */
  searchAll<Mode extends ResultMode = 'chunks'>(
    query: string | SearchRequest<Mode>,
    options?: CallOptions,
  ): AsyncIterableIterator<ResultsByMode[Mode]>;
  retrieve(id: string | wire.RetrieveInput, options?: CallOptions): Promise<wire.RetrieveOutput>;
  /** One message with the messages around it, to understand a hit. */
  context(input: wire.ContextInput, options?: CallOptions): Promise<wire.ContextOutput>;
  ask<Mode extends ResultMode = 'chunks'>(
    question: string | AskRequest<Mode>,
    options?: AskOptions,
  ): Promise<AskAnswer<Mode>>;
  /** The facts about a subject, by default the user. */
  profile(input?: string | wire.ProfileInput, options?: CallOptions): Promise<wire.ProfileOutput>;
  /** The people the user mentioned, and their relation to the user. */
  people(input?: wire.PeopleInput, options?: CallOptions): Promise<wire.PeopleOutput>;
  /** The conversations of a UTC day such as `2026-11-15`. */
  timeline(day: string | wire.TimelineInput, options?: CallOptions): Promise<wire.TimelineOutput>;
  timelineAll(day: string | wire.TimelineInput, options?: CallOptions): AsyncIterableIterator<wire.TimelineEntry>;
  /** The number of conversations and messages per day and source. */
  activity(input?: wire.ActivityInput, options?: CallOptions): Promise<wire.ActivityOutput>;
  readonly conversations: Conversations;
  readonly facts: Facts;
  readonly imports: Imports;
  readonly pending: Pending;
  readonly projects: Projects;
  /** Counts what would be forgotten; with `dry_run: false`, forgets it permanently. */
  forget(input: wire.ForgetInput, options?: CallOptions): Promise<wire.ForgetOutput>;
  /**
   * The export as a stream of text chunks, which together are the file. Nothing is read before you request the first.
   */
  export(input?: wire.ExportInput, options?: CallOptions): AsyncIterableIterator<string>;
  /** Stores every conversation in an export. Idempotent: after an interruption, run it again. */
  import(data: ImportData, input: ImportRequest, options?: ImportOptions): Promise<wire.ImportOutput>;
  /** The state of the service, without querying the stores. */
  health(options?: CallOptions): Promise<HealthReport>;
  /** Queries the stores; `status` is `unavailable` while one does not respond. */
  ready(options?: CallOptions): Promise<HealthReport>;
  /** Finishes running work and releases all resources. Idempotent; other calls fail afterwards. */
  close(): Promise<void>;
}
