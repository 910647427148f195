import type { Memory } from '../memory.js';
import { memoryToolTexts, recallNote, type Scope, type ToolText } from './tool-texts.js';

/** A schema that the AI SDK reads without another package: Standard Schema with its JSON Schema beside it. */
export interface ToolSchema<Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'threadkeep';
    readonly types?: { readonly input: Input; readonly output: Input } | undefined;
    readonly validate: (
      value: unknown,
    ) => { readonly value: Input } | { readonly issues: readonly { message: string }[] };
    readonly jsonSchema: {
      readonly input: (options: object) => Record<string, unknown>;
      readonly output: (options: object) => Record<string, unknown>;
    };
  };
}

export interface AiTool<Input> {
  description: string;
  inputSchema: ToolSchema<Input>;
  execute(input: Input): Promise<unknown>;
}

/** A type and no interface, because the AI SDK takes any record of tools. */
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

function toolOf<Input>({ description, parameters, run }: ToolText<Input>): AiTool<Input> {
  const json = (): Record<string, unknown> => ({ ...parameters });
  return {
    description,
    execute: run,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'threadkeep',
        // The memory checks the values; what matters here is that there is an object with the fields it needs.
        validate: (value) => {
          const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
          const missing = parameters.required.filter((name) => typeof given[name] !== 'string');
          if (missing.length === 0) return { value: value as Input };
          return { issues: missing.map((name) => ({ message: `${name} must be a text` })) };
        },
        jsonSchema: { input: json, output: json },
      },
    },
  };
}

export interface MiddlewareOptions extends Scope {
  /** Conversations of one thread belong together. */
  thread_id?: string | undefined;
  /** How many memories are put before the prompt; 0 recalls none. Default 5. */
  recall?: number | undefined;
  /** Whether exchanges are saved. Default true. */
  save?: boolean | undefined;
  /** Hears of a memory that fails, and the model is used without it; without this the call fails. */
  onError?: ((error: unknown) => void) | undefined;
}

interface Message {
  role: string;
  content: unknown;
}

interface Prompted {
  prompt: readonly Message[];
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

/** Puts what the memory holds on the last thing the user said before the prompt, and saves the exchange. */
export function memoryMiddleware(memory: Memory, options: MiddlewareOptions = {}): MemoryMiddleware {
  const { project_id, source = 'ai-sdk', thread_id, recall = 5, save = true, onError } = options;

  const guarded = async (run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error);
    }
  };

  async function keep({ prompt }: Prompted, answer: string): Promise<void> {
    const asked = lastSaid(prompt);
    if (!save || asked === undefined || answer.trim() === '') return;
    await guarded(() =>
      memory.insert({
        source,
        project_id,
        messages: [
          { role: 'user', text: asked },
          { role: 'assistant', text: answer },
        ],
        metadata: { thread_id, save_intent: 'client_auto_save', save_intent_source: source },
      }),
    );
  }

  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const { prompt } = params as unknown as Prompted;
      const query = lastSaid(prompt);
      let note: Message | undefined;
      if (recall > 0 && query !== undefined) {
        await guarded(async () => {
          const asked = { query: query.slice(0, 8_000), top_k: recall, match: 'strong' as const, project_id };
          const { results } = await memory.search({ ...asked, include_messages: false });
          if (results.length > 0) note = { role: 'system', content: recallNote(results) };
        });
      }
      if (note === undefined) return params;
      const at = prompt.findIndex(({ role }) => role !== 'system');
      return { ...params, prompt: [...prompt.slice(0, at), note, ...prompt.slice(at)] };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const { content, finishReason } = result as { content?: unknown; finishReason?: unknown };
      if (!callsTools(finishReason)) await keep(params as Prompted, textOf(content));
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
          // Without a finish it was cut off: half an answer is no memory.
          if (finish !== undefined && !callsTools(finish)) await keep(params as Prompted, said);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(listening) };
    },
  };
}

function lastSaid(prompt: readonly Message[]): string | undefined {
  const text = textOf(prompt.findLast(({ role }) => role === 'user')?.content);
  return text.trim() === '' ? undefined : text;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts
    .map((part) => part as { type?: unknown; text?: unknown })
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}

/** The model goes on after its tools have answered; the exchange ends with a later step. */
function callsTools(reason: unknown): boolean {
  return reason === 'tool-calls' || (reason as { unified?: unknown } | undefined)?.unified === 'tool-calls';
}
