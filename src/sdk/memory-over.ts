import { MemoryError } from '../model/errors.js';
import type {
  AskAnswer,
  AskOptions,
  CallOptions,
  ConversationInput,
  Memory,
  ResultMode,
  ResultsByMode,
  SearchAnswer,
} from './memory.js';
import type { CallName, Calls, Transport } from './transport.js';

export interface MemoryOptions {
  /** Of conversations that name none. */
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

/** The most frequent field may be given alone. */
function named<Input extends object>(field: string, given: string | Input): Input {
  return typeof given === 'string' ? ({ [field]: given } as Input) : given;
}

function isTurns(given: ConversationInput): given is Exclude<ConversationInput, { messages: unknown }> {
  return Array.isArray(given);
}

/** Walks by cursor. A page is asked for when the one before has been read. */
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

/** Deeper than anything the memory takes: what lies below is left for it to refuse. */
const deepest = 200;

/**
 * A field set to undefined is one left out, as it is in JSON. Always a copy: what the program changes after the call does not
 * reach it. A plain loop, because this runs for every call and every message.
 */
function withoutUndefined(value: unknown, depth = 0): unknown {
  if (depth > deepest || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutUndefined(each, depth + 1));
  const kept: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const left = withoutUndefined(each, depth + 1);
    // An assignment to this name would set the prototype instead of a field that can be refused.
    if (name === '__proto__') Object.defineProperty(kept, name, { value: left, enumerable: true });
    else kept[name] = left;
  }
  return kept;
}
