import type { Memory } from '../memory.js';
import type { MessageInput } from '../wire.js';

export interface LogOptions {
  source: string;
  /** The session; its entries form a thread. */
  session: string;
  project_id?: string | undefined;
}

type Change = { kind: 'add'; items: unknown[] } | { kind: 'pop' } | { kind: 'clear' };

/** The items of a session. Every change is a separate conversation, so that nothing is lost and searches find it. */
export interface EventLog {
  read(): Promise<unknown[]>;
  /** `said` is the text of people and the model in these items; everything else is stored but not searched. */
  add(items: readonly unknown[], said: readonly MessageInput[]): Promise<void>;
  pop(): Promise<unknown>;
  clear(): Promise<void>;
}

export function eventLog(memory: Memory, { source, session, project_id }: LogOptions): EventLog {
  const thread_id = `${source}:${session}`;
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run, run);
    last = next.catch(() => undefined);
    return next;
  };

  async function replay(): Promise<{ items: unknown[]; step: number; at: string }> {
    let items: unknown[] = [];
    let [step, at] = [0, ''];
    const listed = memory.conversations.all({ source, thread_id, project_id, order: 'oldest', limit: 100 });
    for await (const { metadata, timestamp } of listed) {
      const change = metadata.session_change as Change | undefined;
      if (change?.kind === 'add') items.push(...change.items);
      else if (change?.kind === 'pop') items.pop();
      else if (change?.kind === 'clear') items = [];
      [step, at] = [step + 1, timestamp];
    }
    return { items, step, at };
  }

  async function store(change: Change, said: readonly MessageInput[]): Promise<void> {
    const { step, at } = await replay();
    // Always newer than the previous step, whatever the clock says, because steps are ordered by time.
    const time = Math.max(Date.now(), at === '' ? 0 : Date.parse(at) + 1);
    const conversation = {
      source,
      project_id,
      timestamp: new Date(time).toISOString(),
      metadata: {
        thread_id,
        session_change: change,
        save_intent: 'client_auto_save' as const,
        save_intent_source: source,
      },
    };
    const marker = { role: 'user', text: `Session ${session}, step ${step + 1}: ${change.kind}` };
    const spoken = said.length > 0 ? await memory.insert({ ...conversation, messages: said }) : undefined;
    // Without text, or with a text that was stored before and would be deduplicated, the conversation contains the
    // name of the step.
    if (spoken?.deduplicated !== false) await memory.insert({ ...conversation, messages: [marker, ...said] });
  }

  return {
    read: () => inOrder(async () => (await replay()).items),
    add: (items, said) => inOrder(() => store({ kind: 'add', items: [...items] }, said)),
    pop: () =>
      inOrder(async () => {
        const { items } = await replay();
        if (items.length > 0) await store({ kind: 'pop' }, []);
        return items.at(-1);
      }),
    clear: () =>
      inOrder(async () => {
        if ((await replay()).items.length > 0) await store({ kind: 'clear' }, []);
      }),
  };
}
