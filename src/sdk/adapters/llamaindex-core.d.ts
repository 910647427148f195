// The parts of @llamaindex/core that the adapter extends. A program that installs the package uses its real types;
// scripts/rings/sdk.mjs compiles the adapter against them.
declare module '@llamaindex/core/retriever' {
  import type { NodeWithScore } from '@llamaindex/core/schema';
  export abstract class BaseRetriever {
    protected constructor();
    retrieve(query: string): Promise<NodeWithScore[]>;
    abstract _retrieve(params: { query: unknown }): Promise<NodeWithScore[]>;
  }
}
declare module '@llamaindex/core/schema' {
  export class TextNode {
    constructor(init: { id_: string; text: string; metadata: Record<string, unknown> });
    readonly id_: string;
    text: string;
    metadata: Record<string, unknown>;
  }
  export interface NodeWithScore {
    node: TextNode;
    score?: number | undefined;
  }
}
declare module '@llamaindex/core/memory' {
  export interface MemoryMessage {
    id: string;
    role: 'user' | 'assistant' | 'system' | 'memory' | 'developer';
    content: unknown;
  }
  export abstract class BaseMemoryBlock {
    constructor(options: { id?: string; priority: number; isLongTerm?: boolean });
    readonly id: string;
    readonly priority: number;
    readonly isLongTerm: boolean;
    abstract get(messages?: MemoryMessage[]): Promise<MemoryMessage[]>;
    abstract put(messages: MemoryMessage[]): Promise<void>;
  }
}
