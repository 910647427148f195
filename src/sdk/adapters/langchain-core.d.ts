// The parts of @langchain/core that the adapter extends. A program that installs the package uses its real types;
// scripts/rings/sdk.mjs compiles the adapter against them.
declare module '@langchain/core/retrievers' {
  import type { DocumentInterface } from '@langchain/core/documents';
  export interface BaseRetrieverInput {
    tags?: string[];
    metadata?: Record<string, unknown>;
    verbose?: boolean;
  }
  export abstract class BaseRetriever {
    constructor(fields?: BaseRetrieverInput);
    abstract lc_namespace: string[];
    _getRelevantDocuments(query: string): Promise<DocumentInterface[]>;
    invoke(query: string): Promise<DocumentInterface[]>;
  }
}
declare module '@langchain/core/documents' {
  export interface DocumentInterface {
    pageContent: string;
    metadata: Record<string, unknown>;
    id?: string;
  }
  export class Document implements DocumentInterface {
    constructor(fields: DocumentInterface);
    pageContent: string;
    metadata: Record<string, unknown>;
    id?: string;
  }
}
declare module '@langchain/core/chat_history' {
  import type { BaseMessage } from '@langchain/core/messages';
  export abstract class BaseListChatMessageHistory {
    abstract lc_namespace: string[];
    abstract getMessages(): Promise<BaseMessage[]>;
    abstract addMessage(message: BaseMessage): Promise<void>;
    addMessages(messages: BaseMessage[]): Promise<void>;
    clear(): Promise<void>;
  }
}
declare module '@langchain/core/messages' {
  export interface BaseMessage {
    getType(): string;
    readonly text: string;
  }
  export interface StoredMessage {
    type: string;
    data: object;
  }
  export function mapChatMessagesToStoredMessages(messages: BaseMessage[]): StoredMessage[];
  export function mapStoredMessagesToChatMessages(messages: StoredMessage[]): BaseMessage[];
}
