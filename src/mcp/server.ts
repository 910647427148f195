import { ResourceNotFoundError, type Result, Server, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Principal } from '../model/access.js';
import type { Observer } from '../observability/observer.js';
import {
  createClientLog,
  invalidParams,
  isForTheLog,
  logLevels,
  type McpRequest,
  protocolError,
  type Surface,
} from './surface.js';

export interface ServerSettings {
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
