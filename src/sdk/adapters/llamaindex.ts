import { BaseMemoryBlock, type MemoryMessage } from '@llamaindex/core/memory';
import { BaseRetriever } from '@llamaindex/core/retriever';
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema';
import type { Memory } from '../memory.js';
import type { MessageInput, SearchInput } from '../wire.js';
import { exchangeWith, textOf } from './exchange.js';
import { memoryToolTexts, type Scope, type ToolText } from './tool-texts.js';

/** Search filters, named as in the HTTP interface. */
export type RetrieverFilter = Omit<SearchInput, 'query' | 'cursor' | 'result_mode' | 'include_messages'>;

/** Messages of the memory as nodes, with their origin as metadata. */
export class ThreadkeepRetriever extends BaseRetriever {
  readonly #memory: Memory;
  readonly #filter: RetrieverFilter;

  constructor({ memory, filter = {} }: { memory: Memory; filter?: RetrieverFilter }) {
    super();
    this.#memory = memory;
    this.#filter = filter;
  }

  override async _retrieve({ query }: { query: unknown }): Promise<NodeWithScore[]> {
    const { results } = await this.#memory.search({ ...this.#filter, query: textOf(query), include_messages: false });
    return results.map(({ id, text, role, timestamp, score, relevance, match, message_index, conversation }) => {
      const { title, source } = conversation;
      const metadata = { id, role, timestamp, score, relevance, match, message_index, title, source };
      return { node: new TextNode({ id_: `${id}#${message_index}`, text, metadata }), score: relevance };
    });
  }
}

export interface MemoryBlockOptions extends Scope {
  memory: Memory;
  id?: string;
  /** 0: always part of the context; otherwise higher numbers are added first. Default 0. */
  priority?: number;
  /** Conversations of one thread belong together. */
  thread_id?: string | undefined;
  /** How many memories are recalled. Default 5. */
  recall?: number | undefined;
}

/**
 * A long-term block for `createMemory({ memoryBlocks })`. It recalls what the memory knows about the user's last
 * message, and stores the messages that LlamaIndex passes to it once they no longer fit into its short-term memory.
 */
export class ThreadkeepMemoryBlock extends BaseMemoryBlock {
  readonly #options: MemoryBlockOptions & { source: string };

  constructor(options: MemoryBlockOptions) {
    super({ id: options.id ?? 'threadkeep', priority: options.priority ?? 0, isLongTerm: true });
    this.#options = { ...options, source: options.source ?? 'llamaindex' };
  }

  override async get(messages: MemoryMessage[] = []): Promise<MemoryMessage[]> {
    const said = textOf(messages.findLast(({ role }) => role === 'user')?.content);
    const note = await exchangeWith(this.#options.memory, this.#options).recall(said);
    return note === undefined ? [] : [{ id: this.id, role: 'memory', content: note }];
  }

  override async put(messages: MemoryMessage[]): Promise<void> {
    const { memory, source, project_id, thread_id } = this.#options;
    const said = messages.flatMap(saidIn);
    if (said.length === 0) return;
    const metadata = { thread_id, save_intent: 'client_auto_save' as const, save_intent_source: source };
    await memory.insert({ source, project_id, messages: said, metadata });
  }
}

function saidIn({ role, content }: MemoryMessage): MessageInput[] {
  const text = textOf(content);
  return (role === 'user' || role === 'assistant') && text.trim() !== '' ? [{ role, text }] : [];
}

/** The shape of a LlamaIndex tool. */
export interface LlamaTool<Input> {
  metadata: { name: string; description: string; parameters: ToolText<Input>['parameters'] };
  call(input: Input): Promise<string>;
}

export type LlamaTools = [
  LlamaTool<{ query: string; top_k?: number | undefined }>,
  LlamaTool<{ question: string }>,
  LlamaTool<{ text: string }>,
];

/** `search_memory`, `ask_memory` and `save_memory` for an agent or `llm.chat({ tools })`. */
export function memoryTools(memory: Memory, scope: Scope = {}): LlamaTools {
  const { searchMemory, askMemory, saveMemory } = memoryToolTexts(memory, { source: 'llamaindex', ...scope });
  return [toolOf(searchMemory), toolOf(askMemory), toolOf(saveMemory)];
}

function toolOf<Input>({ name, description, parameters, run }: ToolText<Input>): LlamaTool<Input> {
  return { metadata: { name, description, parameters }, call: async (input) => JSON.stringify(await run(input)) };
}
