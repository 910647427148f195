import { runYielding } from '../../concurrency/yielding.js';
import { extracting } from '../../facts/extract.js';
import { isSureEnough, taggedStatements } from '../../facts/tagged.js';
import { type LanguageModel, ModelFailure } from '../../language-model/contract.js';
import { secondOpinion } from '../../language-model/fact-opinion.js';
import type { Observer } from '../../observability/observer.js';
import type { TaggedFact } from '../../reading/contract.js';
import type { Change } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { type FactWriter, writeWithFacts } from './remember.js';

/** A message that the tagger has read, with what it found. */
export interface TaggedMessage {
  index: number;
  speaker?: string | undefined;
  found: readonly TaggedFact[];
}

export interface SecondOpinions {
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
