import {
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type Result,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Principal } from '../model/access.js';
import { isOurFault, MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';

/** The caller and the protocol request: for progress, log messages and cancellation. */
export interface McpRequest {
  principal: Principal;
  context: ServerContext;
  /** Sends a log message to a client that subscribed to them. */
  tell(level: ClientLogLevel, data: object): Promise<void>;
}

export interface ToolEntry {
  definition: Tool;
  /** Never throws for the caller's mistakes: every outcome is a result. */
  call(given: Record<string, unknown>, request: McpRequest): Promise<CallToolResult | InputRequiredResult>;
}

export interface PromptEntry {
  definition: Prompt;
  get(given: Record<string, string>, request: McpRequest): Promise<GetPromptResult | InputRequiredResult>;
}

/** The completion target: a prompt argument or a variable of a resource template. */
export interface Completing {
  kind: 'prompt' | 'resource';
  /** The prompt's name or the template's URI. */
  of: string;
  argument: string;
  value: string;
}

/** What a server offers. server.ts maps it to the protocol and knows nothing about its content. */
export interface Surface {
  title: string;
  instructions: string;
  tools: readonly ToolEntry[];
  prompts: readonly PromptEntry[];
  resources: readonly Resource[];
  templates: readonly ResourceTemplateType[];
  /** Undefined: there is no such resource. */
  read(uri: string, request: McpRequest): Promise<ReadResourceResult | undefined>;
  complete(completing: Completing, request: McpRequest): Promise<{ values: string[]; more: boolean }>;
}

/** In the protocol's order, from least to most severe. */
const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
type ClientLogLevel = (typeof logLevels)[number];

const logger = 'threadkeep';

/**
 * Sends log messages to clients that asked for them, by `logging/setLevel` in a session or with the request in the
 * stateless era. A disconnected client does not fail the call.
 */
function createClientLog() {
  let wanted: ClientLogLevel | undefined;
  return {
    setLevel(level: ClientLogLevel): void {
      wanted = level;
    },

    async tell({ mcpReq }: ServerContext, level: ClientLogLevel, data: object): Promise<void> {
      if (mcpReq.envelope !== undefined) return mcpReq.log(level, data, logger).catch(() => undefined);
      if (wanted === undefined || logLevels.indexOf(level) < logLevels.indexOf(wanted)) return;
      const message = { method: 'notifications/message', params: { level, logger, data } };
      await mcpReq.notify(message).catch(() => undefined);
    },
  };
}

/** A protocol error, not a tool error: malformed parameters, an unknown name, a bad cursor. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/**
 * The error for resources, prompts and completion when an operation rejects a request. Tools use envelopes instead.
 * Unexpected errors get a fixed message, because their own may contain anything.
 */
function protocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof MemoryError)) return new ProtocolError(ProtocolErrorCode.InternalError, unforeseen);
  const code = isOurFault(error) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, error.message, { error_code: error.code });
}

/** Protocol errors are the client's fault and are not logged. */
function isForTheLog(error: unknown): boolean {
  return !(error instanceof ProtocolError) && isOurFault(error);
}

const unforeseen = 'Something went wrong on our side; the log has the details';

interface ServerSettings {
  version: string;
  listPageSize: number;
  observer: Observer;
  /** The caller: passed on by the HTTP adapter, or the user who runs the process. */
  principalOf: (context: ServerContext) => Principal;
  /** Called at the start of every request; the returned function is called when the answer is ready. */
  begin?: () => () => void;
}

/** Protocol versions with sessions; the stateless version is negotiated per request. */
export const sessionVersions = ['2025-11-25', '2025-06-18'];
export const statelessVersions = ['2026-07-28'];

/** Lists are the same for every caller and change only with the program version. */
const listed = { ttlMs: 300_000, cacheScope: 'public' } as const;

const pageParams = z.looseObject({ cursor: z.string().optional() });
const named = z.looseObject({ name: z.string() });
const callParams = named.extend({ arguments: z.record(z.string(), z.unknown()).optional() });
const promptParams = named.extend({ arguments: z.record(z.string(), z.string()).optional() });
const readParams = z.looseObject({ uri: z.string().max(10_000) });
const levelParams = z.looseObject({ level: z.enum(logLevels) });
const completeParams = z.looseObject({
  ref: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
    z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
});

/**
 * Maps a surface to the protocol, one instance per session or request. It uses the SDK's low-level server: the
 * high-level one answers bad arguments and thrown errors in plain text instead of our envelope.
 */
export function createServer(surface: Surface, settings: ServerSettings): Server {
  const info = { name: 'threadkeep', title: surface.title, version: settings.version };
  const server = new Server(info, {
    supportedProtocolVersions: [...sessionVersions, ...statelessVersions],
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    instructions: surface.instructions,
    cacheHints: {
      'tools/list': listed,
      'prompts/list': listed,
      'resources/list': listed,
      'resources/templates/list': listed,
      'server/discover': listed,
    },
  });

  const clientLog = createClientLog();

  /** Registers a method: validates its parameters, translates its errors and logs the ones that are our fault. */
  function on<Params>(
    method: string,
    params: z.ZodType<Params>,
    answer: (given: Params, request: McpRequest) => object | Promise<object>,
  ): void {
    server.setRequestHandler(method, { params }, async (given, context) => {
      const done = settings.begin?.();
      const tell: McpRequest['tell'] = (level, data) => clientLog.tell(context, level, data);
      try {
        return (await answer(given, { principal: settings.principalOf(context), context, tell })) as Result;
      } catch (error) {
        if (isForTheLog(error)) settings.observer.log('error', 'mcp_request_failed', { method }, error);
        throw protocolError(error);
      } finally {
        done?.();
      }
    });
  }

  on('tools/list', pageParams, ({ cursor }) => {
    const { page, next } = pageOf(surface.tools, cursor, settings.listPageSize);
    return { tools: page.map(({ definition }) => definition), ...next };
  });
  on('tools/call', callParams, ({ name, arguments: given = {} }, request) => {
    const tool = surface.tools.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw invalidParams('There is no tool with this name; see tools/list');
    return tool.call(given, request);
  });
  on('prompts/list', pageParams, ({ cursor }) => {
    const { page, next } = pageOf(surface.prompts, cursor, settings.listPageSize);
    return { prompts: page.map(({ definition }) => definition), ...next };
  });
  on('prompts/get', promptParams, ({ name, arguments: given = {} }, request) => {
    const prompt = surface.prompts.find(({ definition }) => definition.name === name);
    if (prompt === undefined) throw invalidParams('There is no prompt with this name; see prompts/list');
    return prompt.get(given, request);
  });
  on('resources/list', pageParams, ({ cursor }) => {
    const { page, next } = pageOf(surface.resources, cursor, settings.listPageSize);
    return { resources: page, ...next };
  });
  on('resources/templates/list', pageParams, ({ cursor }) => {
    const { page, next } = pageOf(surface.templates, cursor, settings.listPageSize);
    return { resourceTemplates: page, ...next };
  });
  on('resources/read', readParams, async ({ uri }, request) => {
    const found = await surface.read(uri, request);
    if (found === undefined) throw new ResourceNotFoundError(uri, 'There is no such resource');
    return found;
  });
  on('completion/complete', completeParams, async ({ ref, argument }, request) => {
    const kind = ref.type === 'ref/prompt' ? ('prompt' as const) : ('resource' as const);
    const of = ref.type === 'ref/prompt' ? ref.name : ref.uri;
    const completing = { kind, of, argument: argument.name, value: argument.value };
    const { values, more } = await surface.complete(completing, request);
    return { completion: { values: values.slice(0, 100), hasMore: more || values.length > 100 } };
  });
  on('logging/setLevel', levelParams, ({ level }) => {
    clientLog.setLevel(level);
    return {};
  });
  return server;
}

/** One page of a list that is constant for the life of the process, and the next cursor. */
function pageOf<Item>(
  items: readonly Item[],
  cursor: string | undefined,
  size: number,
): { page: Item[]; next: { nextCursor: string } | Record<string, never> } {
  const from = cursor === undefined ? 0 : decode(cursor, items.length);
  const to = from + size;
  return { page: items.slice(from, to), next: to < items.length ? { nextCursor: encode(to) } : {} };
}

function encode(offset: number): string {
  return Buffer.from(`from:${offset}`).toString('base64url');
}

function decode(cursor: string, length: number): number {
  const offset = /^from:(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (offset === undefined || Number(offset) >= length) throw invalidParams('cursor does not belong to this list');
  return Number(offset);
}
