import { runYielding } from '../../concurrency/yielding.js';
import { extracting } from '../../facts/extract.js';
import { taggedStatements } from '../../facts/tagged.js';
import { speakersOf } from '../../language/speakers.js';
import type { Observer } from '../../observability/observer.js';
import type { Reader } from '../../reading/contract.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Change } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { type FactWriter, writeWithFacts } from './remember.js';
import type { SecondOpinions, TaggedMessage } from './second-opinions.js';

/** Finds facts in stored messages behind the inserts. */
export interface Tagging {
  /** A conversation was saved or went on. */
  add(id: string): void;
  /** Resolves when everything that was added has been read, or after `patience` milliseconds. */
  settled(patience: number): Promise<void>;
  /** How many conversations wait, as far as they were counted. */
  waiting(): number;
  stop(): Promise<void>;
}

/** How long a question waits for facts from what was saved just before; the messages themselves are read anyway. */
export const askPatience = 3_000;
/** How long those wait who ask for the facts themselves: an incomplete list would look like all there is. */
export const factsPatience = 15_000;

/** More are not kept in memory: those left out are found again in the store. */
const mostWaiting = 1_000;
const pageSize = 100;
/** Shorter messages say nothing that lasts. */
const shortest = 4;

/**
 * One conversation after the other, as many as the model's thread takes. What was read is marked in the store, so that a
 * restart goes on where it stopped and an older store is read once, in the background. What fails is left for the next start.
 */
export function createTagging(
  service: FactWriter & { observer: Observer },
  reader: Reader,
  options: { catchUp: boolean; secondOpinions?: SecondOpinions | undefined },
): Tagging {
  /** New conversations come before the backlog of an older store. */
  const fresh = new Set<string>();
  const backlog = new Set<string>();
  const failed = new Set<string>();
  const waiters: (() => void)[] = [];
  let isStopped = false;
  let hasMore = options.catchUp;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (!isStopped) {
      if (fresh.size === 0) for (const resolve of waiters.splice(0)) resolve();
      const [next] = fresh.size > 0 ? fresh : backlog;
      if (next === undefined) {
        if (!hasMore) return;
        await readBacklog();
        continue;
      }
      await tagged(next).catch((error: unknown) => {
        failed.add(next);
        if (!isStopped) service.observer.log('warn', 'tagging_failed', {}, error);
      });
      fresh.delete(next);
      backlog.delete(next);
    }
  }

  async function readBacklog(): Promise<void> {
    // A store that does not answer is asked again at the next start.
    const rows = await service.records.conversations.untagged(pageSize).catch(() => []);
    const due = rows.filter(({ id }) => !failed.has(id));
    hasMore = due.length > 0;
    for (const { id } of due) backlog.add(id);
  }

  function start(): void {
    running ??= work().finally(() => {
      running = undefined;
      for (const resolve of waiters.splice(0)) resolve();
      if (fresh.size > 0 && !isStopped) start();
    });
  }

  async function tagged(id: string): Promise<void> {
    const { records } = service;
    const row = await records.conversations.holderOfId(id);
    if (row === undefined || row.memory_status !== 'active') return;
    const messages = (await records.conversations.messagesOf([id])).get(id) ?? [];
    const byRules = await runYielding(extracting({ title: row.title, messages }));
    const speakers = messages.length > 1 ? speakersOf(messages.map(({ text }) => text)) : [];
    const statements = [];
    const read: TaggedMessage[] = [];
    for (const [index, { role, text }] of messages.entries()) {
      if (index < (row.tagged ?? 0) || text.length < shortest) continue;
      const speaker = speakers[index];
      if (role !== 'user' && speaker === undefined) continue;
      if (isStopped) return;
      const found = await reader.tag(text, messages[index - 1]?.text ?? '');
      const message = { text, index, role: 'user' as const, ...(speaker === undefined ? {} : { speaker }) };
      statements.push(...taggedStatements(found, message, byRules));
      read.push({ index, speaker, found });
    }
    const chunks = await records.chunks.ofConversation(id);
    await write(row, { messages, statements, chunks });
    options.secondOpinions?.add(id, read);
  }

  /** Forgotten or held in the meantime: no facts are kept. */
  async function write(row: ConversationRow, told: Omit<Parameters<typeof writeWithFacts>[1], 'row'>): Promise<void> {
    const mark: Change = {
      kind: 'patch',
      table: 'conversations',
      ids: [row.id],
      set: { tagged: told.messages.length },
      when: { memory_status: 'active' },
    };
    try {
      await writeWithFacts(service, { row, ...told }, [mark]);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }

  if (options.catchUp) start();

  return {
    add(id) {
      if (isStopped) return;
      if (fresh.size >= mostWaiting) hasMore = true;
      else fresh.add(id);
      start();
    },
    async settled(patience) {
      if (fresh.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        waiters.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
    waiting: () => fresh.size + backlog.size,
    async stop() {
      isStopped = true;
      await running;
      await options.secondOpinions?.stop();
    },
  };
}
