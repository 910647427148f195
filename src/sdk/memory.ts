import type * as wire from './wire.js';

/** For one call: give it up by aborting the signal, and the call rejects with the signal's reason. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface AskOptions extends CallOptions {
  /**
   * Told each sentence that a language model (`ask.model`) writes, once it passed its check. The answer has the last word: it
   * is another one when the model fails before its end.
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

/** A conversation, or its turns alone. */
export type ConversationInput = wire.InsertInput | readonly wire.MessageInput[];

/** What an import reads: the whole content, or its parts as they arrive. */
export type ImportData =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>;

export type ImportRequest = wire.ImportInput & {
  /** The name of the file: its ending tells a zip from JSON. */
  filename?: string | undefined;
};

export type ImportJobRequest = wire.ImportsCreateInput & Pick<ImportRequest, 'filename'>;

export interface ImportOptions extends CallOptions {
  /** How many conversations were read so far. */
  onProgress?: ((progress: { read: number }) => void) | undefined;
}

/** The state of the service; nothing in it is secret. */
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
  /** Every conversation, page after page. */
  all(input?: wire.ConversationListInput, options?: CallOptions): AsyncIterableIterator<wire.ListedConversation>;
  /** Renames a conversation, adds and removes tags. */
  update(input: wire.ConversationUpdateInput, options?: CallOptions): Promise<wire.ConversationUpdateOutput>;
}

export interface Facts {
  search(input?: string | wire.FactSearchInput, options?: CallOptions): Promise<wire.FactSearchOutput>;
  /** Every fact that matches, page after page. */
  all(input?: string | wire.FactSearchInput, options?: CallOptions): AsyncIterableIterator<wire.Fact>;
  supersede(input: wire.FactSupersedeInput, options?: CallOptions): Promise<wire.FactSupersedeOutput>;
  restore(id: string | wire.FactRestoreInput, options?: CallOptions): Promise<wire.FactRestoreOutput>;
  add(input: wire.FactAddInput, options?: CallOptions): Promise<wire.FactAddOutput>;
  /** The right value takes the place of the wrong one, which stays as history. */
  correct(input: wire.FactCorrectInput, options?: CallOptions): Promise<wire.FactCorrectOutput>;
  /** Says that a fact is not so, or with `until` no longer. */
  retract(id: string | wire.FactRetractInput, options?: CallOptions): Promise<wire.FactRetractOutput>;
  /** A pinned fact stays current whatever is said, and is listed first. */
  pin(id: string | wire.FactPinInput, options?: CallOptions): Promise<wire.FactPinOutput>;
  unpin(id: string | wire.FactUnpinInput, options?: CallOptions): Promise<wire.FactUnpinOutput>;
  /** Says that a conversation does not state a fact: the fact no longer rests on it. */
  detach(input: wire.FactDetachInput, options?: CallOptions): Promise<wire.FactDetachOutput>;
  /** Takes back the last change made to a fact by hand. */
  undo(id: string | wire.FactUndoInput, options?: CallOptions): Promise<wire.FactUndoOutput>;
}

/** Imports that go on behind the call that began them, also when the connection is closed or the service stopped. */
export interface Imports {
  /** Hands an export over. Its format is recognised by its content unless `format` names it. */
  create(data: ImportData, input?: ImportJobRequest, options?: CallOptions): Promise<wire.ImportsCreateOutput>;
  /** Your own, newest first. */
  list(options?: CallOptions): Promise<wire.ImportsListOutput>;
  /** The state of one, with what it did so far. */
  get(id: string | wire.ImportsGetInput, options?: CallOptions): Promise<wire.ImportsGetOutput>;
  /** What it has stored stays. */
  cancel(id: string | wire.ImportsCancelInput, options?: CallOptions): Promise<wire.ImportsCancelOutput>;
}

export interface Pending {
  approve(id: string | wire.PendingApproveInput, options?: CallOptions): Promise<wire.PendingApproveOutput>;
  reject(id: string | wire.PendingRejectInput, options?: CallOptions): Promise<wire.PendingRejectOutput>;
}

export interface Projects {
  list(options?: CallOptions): Promise<wire.ProjectListOutput>;
  /** The private project that a call without `project_id` is about. */
  default(options?: CallOptions): Promise<wire.ProjectGetOutput>;
  get(projectId: string, options?: CallOptions): Promise<wire.ProjectGetOutput>;
  members(projectId: string, options?: CallOptions): Promise<wire.ProjectMembersOutput>;
  setMember(input: wire.ProjectMemberSetInput, options?: CallOptions): Promise<wire.ProjectMemberSetOutput>;
  removeMember(input: wire.ProjectMemberRemoveInput, options?: CallOptions): Promise<wire.ProjectMemberRemoveOutput>;
}

/**
 * The memory, in this process (`openMemory`) or behind HTTP (`connectMemory`). Fields and answers are those of the HTTP
 * interface. Every call rejects with a `MemoryError` whose `code` is the interface's `error_code`.
 */
export interface Memory {
  /** Stores one conversation. The same conversation again changes nothing (`deduplicated`). */
  insert(conversation: ConversationInput, options?: CallOptions): Promise<wire.InsertOutput>;
  /** Checks a conversation as `insert` does and stores nothing. */
  validate(conversation: ConversationInput, options?: CallOptions): Promise<wire.ValidateOutput>;
  search<Mode extends ResultMode = 'chunks'>(
    query: string | SearchRequest<Mode>,
    options?: CallOptions,
  ): Promise<SearchAnswer<Mode>>;
  /** Every result, page after page; stop reading when you have enough. */
  searchAll<Mode extends ResultMode = 'chunks'>(
    query: string | SearchRequest<Mode>,
    options?: CallOptions,
  ): AsyncIterableIterator<ResultsByMode[Mode]>;
  retrieve(id: string | wire.RetrieveInput, options?: CallOptions): Promise<wire.RetrieveOutput>;
  /** One message with those around it, to understand a hit. */
  context(input: wire.ContextInput, options?: CallOptions): Promise<wire.ContextOutput>;
  ask<Mode extends ResultMode = 'chunks'>(
    question: string | AskRequest<Mode>,
    options?: AskOptions,
  ): Promise<AskAnswer<Mode>>;
  /** What the memory knows about a subject, by default about the user. */
  profile(input?: string | wire.ProfileInput, options?: CallOptions): Promise<wire.ProfileOutput>;
  /** Who is known, and what they are to the user. */
  people(input?: wire.PeopleInput, options?: CallOptions): Promise<wire.PeopleOutput>;
  /** The conversations of a UTC day such as `2026-11-15`. */
  timeline(day: string | wire.TimelineInput, options?: CallOptions): Promise<wire.TimelineOutput>;
  timelineAll(day: string | wire.TimelineInput, options?: CallOptions): AsyncIterableIterator<wire.TimelineEntry>;
  /** How many conversations and messages each day and source has. */
  activity(input?: wire.ActivityInput, options?: CallOptions): Promise<wire.ActivityOutput>;
  readonly conversations: Conversations;
  readonly facts: Facts;
  readonly imports: Imports;
  readonly pending: Pending;
  readonly projects: Projects;
  /** Counts what would go; with `dry_run: false` it is forgotten for good. */
  forget(input: wire.ForgetInput, options?: CallOptions): Promise<wire.ForgetOutput>;
  /** The export in portions of text; together they are the file. Nothing is read before you ask for the first. */
  export(input?: wire.ExportInput, options?: CallOptions): AsyncIterableIterator<string>;
  /** Stores every conversation of an export. Run it again after an interruption: what is known changes nothing. */
  import(data: ImportData, input: ImportRequest, options?: ImportOptions): Promise<wire.ImportOutput>;
  /** What runs, without asking the stores. */
  health(options?: CallOptions): Promise<HealthReport>;
  /** Asks the stores; `status` is `unavailable` while one does not answer. */
  ready(options?: CallOptions): Promise<HealthReport>;
  /** Finishes what is under way and lets go of everything. Closing twice is fine; other calls then fail. */
  close(): Promise<void>;
}
