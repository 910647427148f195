import { runYielding } from '../../concurrency/yielding.js';
import { extracting } from '../../facts/extract.js';
import { isSureEnough, taggedStatements } from '../../facts/tagged.js';
import { speakersOf } from '../../language/names.js';
import { type LanguageModel, ModelFailure } from '../../language-model/contract.js';
import { secondOpinion } from '../../language-model/fact-opinion.js';
import type { Observer } from '../../observability/observer.js';
import type { Reader, TaggedFact } from '../../reading/contract.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Change } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { type ConversationQueue, createConversationQueue } from '../conversation-queue.js';
import { type FactWriter, writeWithFacts } from './remember.js';

/*
 * Facts found by the tagger in the background, and the second opinion of a language model where it is unsure.
 */

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

/** A message that the tagger has read, with what it found. */
interface TaggedMessage {
  index: number;
  speaker?: string | undefined;
  found: readonly TaggedFact[];
}

interface SecondOpinions {
  /** The tagger is through with these messages of a conversation, and its facts are stored. */
  add(id: string, messages: readonly TaggedMessage[]): void;
  stop(): Promise<void>;
}

/** Conversations beyond these get no second opinion: the tagger's is enough, and a slow model must not pile them up. */
const mostWaiting = 1_000;

/**
 * Asks the user's own language model about each message that the tagger has read, one after the other. It runs behind the
 * tagger and never holds it up. What fails, and what waits when the service stops, stays with what the tagger found.
 */
export function createSecondOpinions(
  service: FactWriter & { observer: Observer },
  model: LanguageModel,
): SecondOpinions {
  const waiting: { id: string; messages: readonly TaggedMessage[] }[] = [];
  let isStopped = false;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined && !isStopped; next = waiting.shift()) {
      await ask(next.id, next.messages).catch((error: unknown) => {
        if (isStopped) return;
        const reason = error instanceof ModelFailure ? error.reason : 'failed';
        service.observer.log('warn', 'second_opinion_failed', { reason });
      });
    }
  }

  async function ask(id: string, tagged: readonly TaggedMessage[]): Promise<void> {
    const { records } = service;
    const row = await records.conversations.holderOfId(id);
    // Forgotten or held in the meantime: nothing of it is sent.
    if (row === undefined || row.memory_status !== 'active') return;
    const messages = (await records.conversations.messagesOf([id])).get(id) ?? [];
    const byRules = await runYielding(extracting({ title: row.title, messages }));
    const statements = [];
    for (const { index, speaker, found } of tagged) {
      const text = messages[index]?.text;
      if (text === undefined || isStopped) continue;
      const message = { text, index, role: 'user' as const, ...(speaker === undefined ? {} : { speaker }) };
      statements.push(
        ...taggedStatements(await secondOpinion(model, text, found.filter(isSureEnough)), message, byRules),
      );
    }
    if (statements.length === 0) return;
    const chunks = await records.chunks.ofConversation(id);
    const guard: Change = {
      kind: 'patch',
      table: 'conversations',
      ids: [id],
      set: { tagged: row.tagged ?? messages.length },
      when: { memory_status: 'active' },
    };
    try {
      await writeWithFacts(service, { row, messages, statements, chunks }, [guard]);
    } catch (error) {
      // Forgotten or held while the model was asked: no facts are kept.
      if (!(error instanceof WriteConflict)) throw error;
    }
  }

  return {
    add(id, messages) {
      if (isStopped || messages.length === 0 || waiting.length >= mostWaiting) return;
      waiting.push({ id, messages });
      running ??= work().finally(() => {
        running = undefined;
      });
    },
    async stop() {
      isStopped = true;
      waiting.length = 0;
      await model.close();
      await running;
    },
  };
}
