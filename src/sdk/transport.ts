import type {
  AskOptions,
  CallOptions,
  HealthReport,
  ImportData,
  ImportJobRequest,
  ImportOptions,
  ImportRequest,
} from './memory.js';
import type * as wire from './wire.js';

/** What each operation takes and gives, by its name in the table of operations. */
export interface Calls {
  insert: { input: unknown; output: wire.InsertOutput };
  validate: { input: unknown; output: wire.ValidateOutput };
  search: { input: wire.SearchInput; output: wire.SearchOutput };
  retrieve: { input: wire.RetrieveInput; output: wire.RetrieveOutput };
  context: { input: wire.ContextInput; output: wire.ContextOutput };
  ask: { input: wire.AskInput; output: wire.AskOutput };
  conversations_list: { input: wire.ConversationListInput; output: wire.ConversationListOutput };
  conversations_update: { input: wire.ConversationUpdateInput; output: wire.ConversationUpdateOutput };
  activity: { input: wire.ActivityInput; output: wire.ActivityOutput };
  timeline: { input: wire.TimelineInput; output: wire.TimelineOutput };
  facts_search: { input: wire.FactSearchInput; output: wire.FactSearchOutput };
  facts_supersede: { input: wire.FactSupersedeInput; output: wire.FactSupersedeOutput };
  facts_restore: { input: wire.FactRestoreInput; output: wire.FactRestoreOutput };
  facts_add: { input: wire.FactAddInput; output: wire.FactAddOutput };
  facts_correct: { input: wire.FactCorrectInput; output: wire.FactCorrectOutput };
  facts_retract: { input: wire.FactRetractInput; output: wire.FactRetractOutput };
  facts_pin: { input: wire.FactPinInput; output: wire.FactPinOutput };
  facts_unpin: { input: wire.FactUnpinInput; output: wire.FactUnpinOutput };
  facts_undo: { input: wire.FactUndoInput; output: wire.FactUndoOutput };
  profile_get: { input: wire.ProfileInput; output: wire.ProfileOutput };
  people_list: { input: wire.PeopleInput; output: wire.PeopleOutput };
  pending_approve: { input: wire.PendingApproveInput; output: wire.PendingApproveOutput };
  pending_reject: { input: wire.PendingRejectInput; output: wire.PendingRejectOutput };
  imports_list: { input: object; output: wire.ImportsListOutput };
  imports_get: { input: wire.ImportsGetInput; output: wire.ImportsGetOutput };
  imports_cancel: { input: wire.ImportsCancelInput; output: wire.ImportsCancelOutput };
  forget: { input: wire.ForgetInput; output: wire.ForgetOutput };
  project_list: { input: object; output: wire.ProjectListOutput };
  project_default_get: { input: object; output: wire.ProjectGetOutput };
  project_get: { input: wire.ProjectGetInput; output: wire.ProjectGetOutput };
  project_members: { input: wire.ProjectMembersInput; output: wire.ProjectMembersOutput };
  project_member_set: { input: wire.ProjectMemberSetInput; output: wire.ProjectMemberSetOutput };
  project_member_remove: { input: wire.ProjectMemberRemoveInput; output: wire.ProjectMemberRemoveOutput };
}

export type CallName = keyof Calls;

/** How calls reach the operations; `memoryOver` makes the interface of it. */
export interface Transport {
  call<Name extends CallName>(
    name: Name,
    input: Calls[Name]['input'],
    signal: AbortSignal | undefined,
  ): Promise<Calls[Name]['output']>;
  /** The same as the call `ask`, with its sentences told as they come. */
  askAloud(input: wire.AskInput, options: AskOptions): Promise<wire.AskOutput>;
  export(input: wire.ExportInput, signal: AbortSignal | undefined): AsyncIterableIterator<string>;
  import(data: ImportData, input: ImportRequest, options: ImportOptions): Promise<wire.ImportOutput>;
  createImport(data: ImportData, input: ImportJobRequest, options: CallOptions): Promise<wire.ImportsCreateOutput>;
  status(page: 'health' | 'ready', signal: AbortSignal | undefined): Promise<HealthReport>;
  close(): Promise<void>;
}
