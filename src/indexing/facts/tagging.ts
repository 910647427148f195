import { runYielding } from '../../concurrency/yielding.js';
import { extracting } from '../../facts/extract.js';
import { isSureEnough, taggedStatements } from '../../facts/tagged.js';
import { speakersOf } from '../../language/names.js';
import { type LanguageModel, ModelFailure } from '../../language-model/contract.js';
import { secondOpinion } from '../../language-model/fact-opinion.js';
import { isObject, type Json } from '../../model/json.js';
import type { Observer } from '../../observability/observer.js';
import type { Reader, TaggedFact } from '../../reading/contract.js';
import type { Records } from '../../records/open.js';
import type { Change, ConversationRow } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { type ConversationQueue, createConversationQueue } from '../conversation-queue.js';
import { type FactWriter, writeWithFacts } from './remember.js';

/*
 * Extracts facts with the tagger in the background, with a second opinion of a language model where it is unsure.
 */

/** Extracts facts from stored messages in the background. */
export type Tagging = ConversationQueue;

/** How long a request for facts waits: an incomplete list would look complete. */
const factsPatience = 30_000;
/** More than can be tagged in that time: waiting would only delay an incomplete list. */
const mostTaggedInTime = 500;

/** Waits until recent inserts are tagged, at most as long as a request for facts may wait. */
export async function factsSettled({ tagging }: { tagging?: Tagging | undefined }): Promise<void> {
  await tagging?.settled(factsPatience, mostTaggedInTime);
}

const pageSize = 100;
/** Shorter messages state nothing that lasts. */
const shortest = 4;

interface TaggingOptions {
  catchUp: boolean;
  /** The fingerprint of the model. */
  model: string;
  secondOpinions?: SecondOpinions | undefined;
}

/**
 * Tags one conversation after the other, as fast as the model's thread allows. Progress is marked in the store, so that
 * a restart resumes and an older store is tagged once, in the background. A new version with another model reads all
 * conversations again, and the facts that it does not find stay. Failed conversations are retried at the next start.
 */
export function createTagging(
  service: FactWriter & { observer: Observer },
  reader: Reader,
  options: TaggingOptions,
): Tagging {
  const rereading = createRereading(service.records, options.model);

  async function tagged(id: string, isStopped: () => boolean): Promise<void> {
    const { records } = service;
    const row = await records.conversations.holderOfId(id);
    if (row === undefined || row.memory_status !== 'active') return;
    const messages = (await records.conversations.messagesOf([id])).get(id) ?? [];
    const byRules = await runYielding(extracting({ title: row.title, messages }));
    const speakers = messages.length > 1 ? speakersOf(messages.map(({ text }) => text)) : [];
    const done = rereading.has(id) ? 0 : (row.tagged ?? 0);
    const statements = [];
    const read: TaggedMessage[] = [];
    for (const [index, { role, text }] of messages.entries()) {
      if (index < done || text.length < shortest) continue;
      const speaker = speakers[index];
      if (role !== 'user' && speaker === undefined) continue;
      if (isStopped()) return;
      const found = await reader.tag(text, messages[index - 1]?.text ?? '');
      const message = { text, index, role: 'user' as const, ...(speaker === undefined ? {} : { speaker }) };
      statements.push(...taggedStatements(found, message, byRules));
      // What was read before is not sent to a language model again.
      if (index >= (row.tagged ?? 0)) read.push({ index, speaker, found });
    }
    const chunks = await records.chunks.ofConversation(id);
    await write(row, { messages, statements, chunks });
    if (read.length > 0) options.secondOpinions?.add(id, read);
  }

  /** Writes no facts if the conversation was forgotten or held in the meantime. */
  async function write(
    row: ConversationRow,
    extraction: Omit<Parameters<typeof writeWithFacts>[1], 'row'>,
  ): Promise<void> {
    const mark: Change = {
      kind: 'patch',
      table: 'conversations',
      ids: [row.id],
      set: { tagged: extraction.messages.length },
      when: { memory_status: 'active' },
    };
    try {
      await writeWithFacts(service, { row, ...extraction }, [mark]);
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
        return due.length > 0 ? due : rereading.next();
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

/**
 * The conversations that another model has tagged, a page at a time. A page is done when the next one is asked for, and
 * that is stored: after a restart, at most one page is read twice.
 */
function createRereading({ settings, conversations }: Records, model: string) {
  let page = new Set<string>();
  return {
    has: (id: string): boolean => page.has(id),
    async next(): Promise<string[] | undefined> {
      const before = progressOf(await settings.get(progressKey), model);
      if (before.isDone) return undefined;
      const after = [...page].at(-1) ?? before.after;
      const rows = await conversations.page({ after, statuses: ['active'], limit: pageSize });
      page = new Set(rows.map(({ id }) => id));
      const isDone = rows.length === 0;
      await settings.set(progressKey, { model, isDone, ...(after === undefined ? {} : { after }) });
      return isDone ? undefined : [...page];
    },
  };
}

/** How far the store was tagged by which model. */
const progressKey = 'tagged_by';

/** How far this model has come; nowhere if the last one was another. */
function progressOf(stored: Json | undefined, model: string): { isDone: boolean; after?: string | undefined } {
  if (!isObject(stored) || stored.model !== model) return { isDone: false };
  return {
    isDone: stored.isDone === true,
    after: typeof stored.after === 'string' ? stored.after : undefined,
  };
}

/** A message that the tagger has read, with the facts it found. */
interface TaggedMessage {
  index: number;
  speaker?: string | undefined;
  found: readonly TaggedFact[];
}

interface SecondOpinions {
  /** Call when the tagger has finished these messages of a conversation and its facts are stored. */
  add(id: string, messages: readonly TaggedMessage[]): void;
  stop(): Promise<void>;
}

/**
 * Conversations beyond this get no second opinion: the tagger's is enough, and a slow model must not build up a queue.
 */
const mostWaiting = 1_000;

/**
 * Asks the user's own language model about each message that the tagger has read, one after the other. It runs after
 * the tagger and never delays it. Failed messages, and those still waiting at shutdown, keep the tagger's facts.
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
    const stillActive: Change = {
      kind: 'patch',
      table: 'conversations',
      ids: [id],
      set: { tagged: row.tagged ?? messages.length },
      when: { memory_status: 'active' },
    };
    try {
      await writeWithFacts(service, { row, messages, statements, chunks }, [stillActive]);
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
