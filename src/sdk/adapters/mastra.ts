import type { Memory } from '../memory.js';
import { type ExchangeOptions, exchangeWith, textOf } from './exchange.js';
import { memoryToolTexts, type Scope, type ToolSchema, type ToolText, toolSchema } from './tool-texts.js';

export type { ToolSchema } from './tool-texts.js';

/** The shape of a Mastra tool. */
export interface MastraTool<Input> {
  id: string;
  description: string;
  inputSchema: ToolSchema<Input>;
  execute(input: Input): Promise<unknown>;
}

/** A type rather than an interface, because Mastra accepts any record of tools. */
export type MastraTools = {
  search_memory: MastraTool<{ query: string; top_k?: number | undefined }>;
  ask_memory: MastraTool<{ question: string }>;
  save_memory: MastraTool<{ text: string }>;
};

/** For `new Agent({ tools: memoryTools(memory) })`. */
export function memoryTools(memory: Memory, scope: Scope = {}): MastraTools {
  const { searchMemory, askMemory, saveMemory } = memoryToolTexts(memory, { source: 'mastra', ...scope });
  return { search_memory: toolOf(searchMemory), ask_memory: toolOf(askMemory), save_memory: toolOf(saveMemory) };
}

function toolOf<Input>(tool: ToolText<Input>): MastraTool<Input> {
  return { id: tool.name, description: tool.description, inputSchema: toolSchema(tool), execute: tool.run };
}

/** Without `thread_id`, an exchange belongs to the thread of its Mastra messages. */
export type ProcessorOptions = ExchangeOptions;

/** The parts of a Mastra message that are read. */
interface Message {
  role: string;
  content: { parts?: readonly unknown[] };
  threadId?: string;
}

interface SystemMessage {
  role: 'system';
  content: string;
}

/** The parts of a Mastra processor that are used, for `inputProcessors` and `outputProcessors` of an agent. */
export interface MemoryProcessor {
  readonly id: 'threadkeep';
  processInput<Given extends Message, System>(args: {
    messages: Given[];
    systemMessages: System[];
  }): Promise<{ messages: Given[]; systemMessages: (System | SystemMessage)[] }>;
  processOutputResult<Given extends Message>(args: {
    messages: Given[];
    messageList: { get: { all: { db(): Message[] } } };
    result: { text: string; finishReason: string };
  }): Promise<Given[]>;
}

/**
 * As an input processor, it adds what the memory knows about the user's last message to the prompt; as an output
 * processor, it saves the exchange. Pass the same processor to an agent as both.
 */
export function memoryProcessor(memory: Memory, options: ProcessorOptions = {}): MemoryProcessor {
  const exchange = exchangeWith(memory, { ...options, source: options.source ?? 'mastra' });
  return {
    id: 'threadkeep',
    async processInput({ messages, systemMessages }) {
      const note = await exchange.recall(saidIn(lastOf(messages)));
      if (note === undefined) return { messages, systemMessages };
      return { messages, systemMessages: [...systemMessages, { role: 'system', content: note }] };
    },
    async processOutputResult({ messages, messageList, result }) {
      const asked = lastOf(messageList.get.all.db());
      // The model continues after its tool calls, and an answer that was cut off is not saved.
      if (result.finishReason === 'stop') {
        const thread_id = options.thread_id ?? asked?.threadId;
        await exchange.save({ said: saidIn(asked), answer: result.text, thread_id });
      }
      return messages;
    },
  };
}

function lastOf(messages: readonly Message[]): Message | undefined {
  return messages.findLast(({ role }) => role === 'user');
}

function saidIn(message: Message | undefined): string {
  return textOf(message?.content.parts);
}
