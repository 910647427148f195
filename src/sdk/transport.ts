import { MemoryError } from '../model/errors.js';
import type {
  AskAnswer,
  AskOptions,
  CallOptions,
  ConversationInput,
  HealthReport,
  ImportData,
  ImportJobRequest,
  ImportOptions,
  ImportRequest,
  Memory,
  ResultMode,
  ResultsByMode,
  SearchAnswer,
} from './memory.js';
import type * as wire from './wire.js';

/** The input and output of each operation, by its name in the table of operations. */
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

/** How calls reach the operations; `memoryOver` builds the interface on it. */
export interface Transport {
  call<Name extends CallName>(
    name: Name,
    input: Calls[Name]['input'],
    signal: AbortSignal | undefined,
  ): Promise<Calls[Name]['output']>;
  /** Like the call `ask`, but passes on sentences as they arrive. */
  askAloud(input: wire.AskInput, options: AskOptions): Promise<wire.AskOutput>;
  export(input: wire.ExportInput, signal: AbortSignal | undefined): AsyncIterableIterator<string>;
  import(data: ImportData, input: ImportRequest, options: ImportOptions): Promise<wire.ImportOutput>;
  createImport(data: ImportData, input: ImportJobRequest, options: CallOptions): Promise<wire.ImportsCreateOutput>;
  status(page: 'health' | 'ready', signal: AbortSignal | undefined): Promise<HealthReport>;
  close(): Promise<void>;
}

/**
 * The HTTP route of each operation; `{name}` is filled from the input. A test checks that it equals the server's
 * routes.
 */
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

export interface MemoryOptions {
  /** The default source of conversations. */
  source?: string | undefined;
}

/** The interface on top of either transport, so that both behave the same. */
export function memoryOver(transport: Transport, { source }: MemoryOptions): Memory {
  let closing: Promise<void> | undefined;

  const call = <Name extends CallName>(
    name: Name,
    input: Calls[Name]['input'],
    options: CallOptions | undefined,
  ): Promise<Calls[Name]['output']> => {
    try {
      refuseClosed();
      return transport.call(name, withoutUndefined(input) as Calls[Name]['input'], options?.signal);
    } catch (error) {
      return Promise.reject(error);
    }
  };

  const refuseClosed = (): void => {
    if (closing !== undefined) throw new MemoryError('metadata_unavailable', 'This memory is closed; open it again');
  };

  const conversationOf = (given: ConversationInput): object => {
    const whole = isTurns(given) ? { messages: given } : given;
    return source === undefined || whole.source !== undefined ? whole : { ...whole, source };
  };

  return {
    insert: (conversation, options) => call('insert', conversationOf(conversation), options),
    validate: (conversation, options) => call('validate', conversationOf(conversation), options),
    async search<Mode extends ResultMode>(query: Query, options?: CallOptions) {
      return (await call('search', named('query', query), options)) as SearchAnswer<Mode>;
    },
    searchAll<Mode extends ResultMode>(query: Query, options?: CallOptions) {
      const first = named('query', query);
      return pages((cursor) => call('search', { ...first, cursor }, options), first) as AsyncIterableIterator<
        ResultsByMode[Mode]
      >;
    },
    retrieve: (id, options) => call('retrieve', named('id', id), options),
    context: (input, options) => call('context', input, options),
    async ask<Mode extends ResultMode>(question: string | Calls['ask']['input'], options: AskOptions = {}) {
      const input = named('question', question);
      if (options.onSentence === undefined) return (await call('ask', input, options)) as AskAnswer<Mode>;
      refuseClosed();
      return (await transport.askAloud(withoutUndefined(input) as typeof input, options)) as AskAnswer<Mode>;
    },
    profile: (input = {}, options) => call('profile_get', named('subject', input), options),
    people: (input = {}, options) => call('people_list', input, options),
    timeline: (day, options) => call('timeline', named('day', day), options),
    timelineAll(day, options) {
      const first = named('day', day);
      return pages((cursor) => call('timeline', { ...first, cursor }, options), first);
    },
    activity: (input = {}, options) => call('activity', input, options),
    conversations: {
      list: (input = {}, options) => call('conversations_list', input, options),
      all: (input = {}, options) => pages((cursor) => call('conversations_list', { ...input, cursor }, options), input),
      update: (input, options) => call('conversations_update', input, options),
    },
    facts: {
      search: (input = {}, options) => call('facts_search', named('query', input), options),
      all(input = {}, options) {
        const first = named('query', input);
        return pages((cursor) => call('facts_search', { ...first, cursor }, options), first);
      },
      supersede: (input, options) => call('facts_supersede', input, options),
      restore: (id, options) => call('facts_restore', named('fact_id', id), options),
      add: (input, options) => call('facts_add', input, options),
      correct: (input, options) => call('facts_correct', input, options),
      retract: (id, options) => call('facts_retract', named('fact_id', id), options),
      pin: (id, options) => call('facts_pin', named('fact_id', id), options),
      unpin: (id, options) => call('facts_unpin', named('fact_id', id), options),
      detach: (input, options) => call('facts_detach', input, options),
      undo: (id, options) => call('facts_undo', named('fact_id', id), options),
    },
    imports: {
      async create(data, input = {}, options = {}) {
        refuseClosed();
        return transport.createImport(data, withoutUndefined(input) as typeof input, options);
      },
      list: (options) => call('imports_list', {}, options),
      get: (id, options) => call('imports_get', named('import_id', id), options),
      cancel: (id, options) => call('imports_cancel', named('import_id', id), options),
    },
    pending: {
      approve: (id, options) => call('pending_approve', named('id', id), options),
      reject: (id, options) => call('pending_reject', named('id', id), options),
    },
    projects: {
      list: (options) => call('project_list', {}, options),
      default: (options) => call('project_default_get', {}, options),
      get: (project_id, options) => call('project_get', { project_id }, options),
      members: (project_id, options) => call('project_members', { project_id }, options),
      setMember: (input, options) => call('project_member_set', input, options),
      removeMember: (input, options) => call('project_member_remove', input, options),
    },
    forget: (input, options) => call('forget', input, options),
    async *export(input = {}, { signal } = {}) {
      refuseClosed();
      yield* transport.export(withoutUndefined(input) as typeof input, signal);
    },
    async import(data, input, options = {}) {
      refuseClosed();
      return transport.import(data, withoutUndefined(input) as typeof input, options);
    },
    async health({ signal } = {}) {
      refuseClosed();
      return transport.status('health', signal);
    },
    async ready({ signal } = {}) {
      refuseClosed();
      return transport.status('ready', signal);
    },
    close() {
      closing ??= transport.close();
      return closing;
    },
  };
}

type Query = string | Calls['search']['input'];

/** Accepts the main field alone. */
function named<Input extends object>(field: string, given: string | Input): Input {
  return typeof given === 'string' ? ({ [field]: given } as Input) : given;
}

function isTurns(given: ConversationInput): given is Exclude<ConversationInput, { messages: unknown }> {
  return Array.isArray(given);
}

/** Iterates by cursor. A page is requested once the previous one has been read. */
async function* pages<Item>(
  ask: (cursor: string | undefined) => Promise<{ results: Item[]; cursor: string | null }>,
  first: { cursor?: string | undefined },
): AsyncIterableIterator<Item> {
  let { cursor } = first;
  do {
    const page = await ask(cursor);
    yield* page.results;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
}

/** Deeper than anything the memory accepts: deeper content is passed on, and the memory rejects it. */
const deepest = 200;

/**
 * Drops fields set to undefined, as JSON does. Always returns a copy, so that changes by the program after the call
 * have no effect. A plain loop, because this runs for every call and every message.
 */
function withoutUndefined(value: unknown, depth = 0): unknown {
  if (depth > deepest || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutUndefined(each, depth + 1));
  const kept: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const left = withoutUndefined(each, depth + 1);
    // An assignment to this name would set the prototype instead of a field that can be rejected.
    if (name === '__proto__') Object.defineProperty(kept, name, { value: left, enumerable: true });
    else kept[name] = left;
  }
  return kept;
}
