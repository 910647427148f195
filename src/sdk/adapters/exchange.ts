import type { Memory } from '../memory.js';
import { recallNote, type Scope } from './tool-texts.js';

export interface ExchangeOptions extends Scope {
  /** Conversations of one thread belong together. */
  thread_id?: string | undefined;
  /** How many memories are added to the prompt; 0 recalls none. Default 5. */
  recall?: number | undefined;
  /** Whether exchanges are saved. Default true. */
  save?: boolean | undefined;
  /** Called when the memory fails, so that the model is used without it; without this callback the call fails. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Recalls before a model call and saves after it. */
export interface Exchange {
  /** A note for the model about the user's message; absent if the memory has nothing relevant. */
  recall(said: string): Promise<string | undefined>;
  save(exchange: { said: string; answer: string; thread_id?: string | undefined }): Promise<void>;
}

/** Shorter than the longest query a search accepts; what a person wants is at the beginning. */
const longestQuery = 8_000;

export function exchangeWith(memory: Memory, options: ExchangeOptions & { source: string }): Exchange {
  const { project_id, source, recall = 5, save = true, onError } = options;

  const reportingErrors = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await run();
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error);
      return undefined;
    }
  };

  return {
    async recall(said) {
      const query = said.slice(0, longestQuery);
      if (recall <= 0 || query.trim() === '') return undefined;
      const asked = { query, top_k: recall, match: 'strong' as const, project_id, include_messages: false };
      const found = await reportingErrors(() => memory.search(asked));
      return found === undefined || found.results.length === 0 ? undefined : recallNote(found.results);
    },
    async save({ said, answer, thread_id = options.thread_id }) {
      if (!save || said.trim() === '' || answer.trim() === '') return;
      await reportingErrors(() =>
        memory.insert({
          source,
          project_id,
          messages: [
            { role: 'user', text: said },
            { role: 'assistant', text: answer },
          ],
          metadata: { thread_id, save_intent: 'client_auto_save', save_intent_source: source },
        }),
      );
    },
  };
}

/** The text of a message's content: itself, or that of its parts of type `text`. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts
    .map((part) => part as { type?: unknown; text?: unknown })
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}
