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
  facts_detach: { input: wire.FactDetachInput; output: wire.FactDetachOutput };
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

/** Where each operation is over HTTP; `{name}` is filled from the input. Equal to the server's routes, as a test sees to. */
export const paths: Record<CallName, `${'GET' | 'POST'} /memory/${string}`> = {
  insert: 'POST /memory/insert',
  validate: 'POST /memory/validate',
  search: 'POST /memory/search',
  retrieve: 'POST /memory/retrieve',
  context: 'POST /memory/context',
  ask: 'POST /memory/ask',
  conversations_list: 'POST /memory/conversations/list',
  conversations_update: 'POST /memory/conversations/update',
  activity: 'POST /memory/activity',
  timeline: 'POST /memory/timeline',
  facts_search: 'POST /memory/facts/search',
  facts_supersede: 'POST /memory/facts/supersede',
  facts_restore: 'POST /memory/facts/restore',
  facts_add: 'POST /memory/facts',
  facts_correct: 'POST /memory/facts/{fact_id}/correct',
  facts_retract: 'POST /memory/facts/{fact_id}/retract',
  facts_pin: 'POST /memory/facts/{fact_id}/pin',
  facts_unpin: 'POST /memory/facts/{fact_id}/unpin',
  facts_detach: 'POST /memory/facts/{fact_id}/detach',
  facts_undo: 'POST /memory/facts/{fact_id}/undo',
  profile_get: 'POST /memory/profile/get',
  people_list: 'GET /memory/people',
  pending_approve: 'POST /memory/pending/approve',
  pending_reject: 'POST /memory/pending/reject',
  imports_list: 'GET /memory/imports',
  imports_get: 'GET /memory/imports/{import_id}',
  imports_cancel: 'POST /memory/imports/cancel',
  forget: 'POST /memory/forget',
  project_list: 'GET /memory/projects',
  project_default_get: 'GET /memory/projects/default',
  project_get: 'GET /memory/projects/{project_id}',
  project_members: 'GET /memory/projects/{project_id}/members',
  project_member_set: 'POST /memory/projects/members/set',
  project_member_remove: 'POST /memory/projects/members/remove',
};
