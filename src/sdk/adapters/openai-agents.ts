import type { Memory } from '../memory.js';
import type { MessageInput } from '../wire.js';
import { eventLog } from './event-log.js';
import { memoryToolTexts, type Scope, type ToolText } from './tool-texts.js';

/** The shape of a function tool of the Agents SDK. */
export interface AgentTool {
  type: 'function';
  name: string;
  description: string;
  parameters: { type: 'object'; properties: Record<string, object>; required: string[]; additionalProperties: false };
  strict: false;
  invoke(context: unknown, input: string): Promise<string>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

/** `search_memory`, `ask_memory` and `save_memory` for `new Agent({ tools })`. */
export function memoryTools(memory: Memory, scope: Scope = {}): AgentTool[] {
  const { searchMemory, askMemory, saveMemory } = memoryToolTexts(memory, { source: 'openai-agents', ...scope });
  return [toolOf(searchMemory), toolOf(askMemory), toolOf(saveMemory)];
}

function toolOf<Input>({ name, description, parameters, run }: ToolText<Input>): AgentTool {
  return {
    type: 'function',
    name,
    description,
    parameters,
    strict: false,
    invoke: async (_context, input) => JSON.stringify(await run(JSON.parse(input) as Input)),
    needsApproval: async () => false,
    isEnabled: async () => true,
  };
}

export interface SessionOptions extends Scope {
  /** Processes with the same id share the session. */
  sessionId: string;
}

/** A session of the Agents SDK, with items of the SDK's type. */
export interface MemorySession<Item = unknown> {
  getSessionId(): Promise<string>;
  getItems(limit?: number): Promise<Item[]>;
  addItems(items: Item[]): Promise<void>;
  popItem(): Promise<Item | undefined>;
  clearSession(): Promise<void>;
}

/**
 * A session whose items are stored in the memory: they can be searched later, and clearing or popping changes the
 * session without removing them from the memory. `memory.forget({ thread_id })` removes them. Pass the SDK's item
 * type: `memorySession<AgentInputItem>(memory, { sessionId })`.
 */
export function memorySession<Item = unknown>(memory: Memory, options: SessionOptions): MemorySession<Item> {
  const { sessionId, project_id, source = 'openai-agents' } = options;
  const log = eventLog(memory, { source, session: sessionId, project_id });
  return {
    getSessionId: async () => sessionId,
    async getItems(limit) {
      const items = (await log.read()) as Item[];
      if (limit === undefined) return items;
      return limit <= 0 ? [] : items.slice(-limit);
    },
    async addItems(items) {
      if (items.length > 0) await log.add(items, items.flatMap(saidIn));
    },
    popItem: async () => (await log.pop()) as Item | undefined,
    clearSession: () => log.clear(),
  };
}

/** The user and assistant text of an item; tool calls and reasoning are stored but not searched. */
function saidIn(item: unknown): MessageInput[] {
  if (typeof item !== 'object' || item === null) return [];
  const { role, content } = item as { role?: unknown; content?: unknown };
  if (role !== 'user' && role !== 'assistant') return [];
  const parts: unknown[] = typeof content === 'string' ? [{ text: content }] : Array.isArray(content) ? content : [];
  const text = parts
    .map((part) => (part as { text?: unknown }).text)
    .filter((each) => typeof each === 'string')
    .join('\n');
  return text.trim() === '' ? [] : [{ role, text }];
}
