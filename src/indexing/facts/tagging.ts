import { runYielding } from '../../concurrency/yielding.js';
import { extracting } from '../../facts/extract.js';
import { taggedStatements } from '../../facts/tagged.js';
import { speakersOf } from '../../language/names.js';
import type { Observer } from '../../observability/observer.js';
import type { Reader } from '../../reading/contract.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Change } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { type ConversationQueue, createConversationQueue } from '../conversation-queue.js';
import { type FactWriter, writeWithFacts } from './remember.js';
import type { SecondOpinions, TaggedMessage } from './second-opinions.js';

/** Finds facts in stored messages behind the inserts. */
export type Tagging = ConversationQueue;

/** How long a question waits for facts and vectors of what was saved just before; the messages themselves are read anyway. */
export const askPatience = 6_000;
/** Where more conversations wait, a question does not. */
export const mostAwaited = 200;
/** How long those wait who ask for the facts themselves: an incomplete list would look like all there is. */
export const factsPatience = 15_000;

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
  async function tagged(id: string, isStopped: () => boolean): Promise<void> {
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
      if (isStopped()) return;
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

  const queue = createConversationQueue(
    service.observer,
    {
      failure: 'tagging_failed',
      run: tagged,
      async backlog(failed) {
        const rows = await service.records.conversations.untagged(pageSize);
        const due = rows.filter(({ id }) => !failed.has(id)).map(({ id }) => id);
        return due.length === 0 ? undefined : due;
      },
    },
    options,
  );
  return {
    ...queue,
    async stop() {
      await queue.stop();
      await options.secondOpinions?.stop();
    },
  };
}
