import type { Memory } from '../memory.js';
import { type ExchangeOptions, exchangeWith, textOf } from './exchange.js';
import { memoryToolTexts, type Scope, type ToolSchema, type ToolText, toolSchema } from './tool-texts.js';

export type { ToolSchema } from './tool-texts.js';

export interface AiTool<Input> {
  description: string;
  inputSchema: ToolSchema<Input>;
  execute(input: Input): Promise<unknown>;
}

/** A type rather than an interface, because the AI SDK accepts any record of tools. */
export type AiTools = {
  search_memory: AiTool<{ query: string; top_k?: number | undefined }>;
  ask_memory: AiTool<{ question: string }>;
  save_memory: AiTool<{ text: string }>;
};

/** For `generateText({ tools: memoryTools(memory) })`. */
export function memoryTools(memory: Memory, scope: Scope = {}): AiTools {
  const { searchMemory, askMemory, saveMemory } = memoryToolTexts(memory, { source: 'ai-sdk', ...scope });
  return { search_memory: toolOf(searchMemory), ask_memory: toolOf(askMemory), save_memory: toolOf(saveMemory) };
}

function toolOf<Input>(tool: ToolText<Input>): AiTool<Input> {
  return { description: tool.description, execute: tool.run, inputSchema: toolSchema(tool) };
}

export type MiddlewareOptions = ExchangeOptions;

interface Message {
  role: string;
  content: unknown;
}

/** The parts of the AI SDK's middleware that are used, for `wrapLanguageModel({ model, middleware })`. */
export interface MemoryMiddleware {
  specificationVersion: 'v4';
  transformParams<Params extends object>(options: { params: Params }): Promise<Params>;
  wrapGenerate<Result extends object>(options: {
    doGenerate: () => PromiseLike<Result>;
    params: object;
  }): Promise<Result>;
  wrapStream<Part, Result extends { stream: ReadableStream<Part> }>(options: {
    doStream: () => PromiseLike<Result>;
    params: object;
  }): Promise<Result>;
}

/** Adds what the memory knows about the user's last message to the prompt, and saves the exchange. */
export function memoryMiddleware(memory: Memory, options: MiddlewareOptions = {}): MemoryMiddleware {
  const exchange = exchangeWith(memory, { ...options, source: options.source ?? 'ai-sdk' });
  const keep = (params: object, answer: string): Promise<void> =>
    exchange.save({ said: lastSaid(promptOf(params)), answer });

  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const prompt = promptOf(params);
      const note = await exchange.recall(lastSaid(prompt));
      if (note === undefined) return params;
      const at = prompt.findIndex(({ role }) => role !== 'system');
      return { ...params, prompt: [...prompt.slice(0, at), { role: 'system', content: note }, ...prompt.slice(at)] };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const { content, finishReason } = result as { content?: unknown; finishReason?: unknown };
      if (!callsTools(finishReason)) await keep(params, textOf(content));
      return result;
    },
    async wrapStream<Part, Result extends { stream: ReadableStream<Part> }>({
      doStream,
      params,
    }: {
      doStream: () => PromiseLike<Result>;
      params: object;
    }) {
      const result = await doStream();
      let said = '';
      let finish: unknown;
      const listening = new TransformStream<Part, Part>({
        transform(part, controller) {
          const { type, delta, finishReason } = part as { type?: unknown; delta?: unknown; finishReason?: unknown };
          if (type === 'text-delta' && typeof delta === 'string') said += delta;
          if (type === 'finish') finish = finishReason;
          controller.enqueue(part);
        },
        async flush() {
          // Without a finish event, the answer was cut off; a partial answer is not saved.
          if (finish !== undefined && !callsTools(finish)) await keep(params, said);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(listening) };
    },
  };
}

/** The SDK always passes the parameters of a call, which have a prompt. */
function promptOf(params: object): readonly Message[] {
  return (params as { prompt: readonly Message[] }).prompt;
}

function lastSaid(prompt: readonly Message[]): string {
  return textOf(prompt.findLast(({ role }) => role === 'user')?.content);
}

/** The model continues after its tool calls, so the exchange ends with a later step. */
function callsTools(reason: unknown): boolean {
  return reason === 'tool-calls' || (reason as { unified?: unknown } | undefined)?.unified === 'tool-calls';
}
