import { BaseListChatMessageHistory } from '@langchain/core/chat_history';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { Memory } from '../memory.js';
import type { MessageInput, SearchInput } from '../wire.js';
import { type EventLog, eventLog } from './event-log.js';
import type { Scope } from './tool-texts.js';

/** Search filters, named as in the HTTP interface. */
export type RetrieverFilter = Omit<SearchInput, 'query' | 'cursor' | 'result_mode' | 'include_messages'>;

/** Messages of the memory as documents, with their origin as metadata. */
export class ThreadkeepRetriever extends BaseRetriever {
  lc_namespace = ['threadkeep', 'retrievers'];
  readonly #memory: Memory;
  readonly #filter: RetrieverFilter;

  constructor(fields: BaseRetrieverInput & { memory: Memory; filter?: RetrieverFilter }) {
    const { memory, filter = {}, ...rest } = fields;
    super(rest);
    this.#memory = memory;
    this.#filter = filter;
  }

  override async _getRelevantDocuments(query: string): Promise<DocumentInterface[]> {
    const { results } = await this.#memory.search({ ...this.#filter, query, include_messages: false });
    return results.map(({ id, text, role, timestamp, score, relevance, match, message_index, conversation }) => {
      const { title, source } = conversation;
      const metadata = { id, role, timestamp, score, relevance, match, message_index, title, source };
      return new Document({ id: `${id}#${message_index}`, pageContent: text, metadata });
    });
  }
}

/**
 * The messages of a session. Clearing empties the session; the messages stay in the memory until they are forgotten.
 */
export class ThreadkeepChatMessageHistory extends BaseListChatMessageHistory {
  lc_namespace = ['threadkeep', 'chat_history'];
  readonly #log: EventLog;

  constructor({ memory, sessionId, source = 'langchain', project_id }: Scope & { memory: Memory; sessionId: string }) {
    super();
    this.#log = eventLog(memory, { source, session: sessionId, project_id });
  }

  override async getMessages(): Promise<BaseMessage[]> {
    return mapStoredMessagesToChatMessages((await this.#log.read()) as StoredMessage[]);
  }

  override async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message]);
  }

  override async addMessages(messages: BaseMessage[]): Promise<void> {
    if (messages.length > 0) await this.#log.add(mapChatMessagesToStoredMessages(messages), messages.flatMap(saidIn));
  }

  override async clear(): Promise<void> {
    await this.#log.clear();
  }
}

const roles: Record<string, string> = { human: 'user', ai: 'assistant' };

function saidIn(message: BaseMessage): MessageInput[] {
  const role = roles[message.getType()];
  return role === undefined || message.text.trim() === '' ? [] : [{ role, text: message.text }];
}
