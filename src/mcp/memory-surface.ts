import type { CallToolResult } from '@modelcontextprotocol/server';
import { isOurFault } from '../model/errors.js';
import { parseInput } from '../model/parse.js';
import type { Observer } from '../observability/observer.js';
import { withSpan } from '../observability/request-context.js';
import type { Call } from '../operations/operation.js';
import type { Service } from '../operations/service.js';
import { operations } from '../operations/table.js';
import { givenUp } from './endpoint.js';
import { instructions, promptsFor } from './prompts.js';
import { readResource, resources, resourceTemplates, resourceUris } from './resources.js';
import type { Completing, McpRequest, Surface, ToolEntry } from './server.js';
import { type Envelope, fail, jsonSchemaOf, type MemoryTool, ok, toolResult } from './tool.js';
import { memoryTools } from './tools/table.js';

export interface MemorySurfaceParts extends CallParts {
  service: Service;
  /** The body of `/health`. */
  health: () => Promise<object>;
}

/**
 * The memory as MCP offers it: tools, resources, prompts and completion over the operations. Built once per process.
 */
export function memorySurface(parts: MemorySurfaceParts): Surface {
  const { service } = parts;
  const callOf = ({ principal, context }: McpRequest): Call => ({
    principal,
    defaultSource: 'mcp',
    signal: givenUp(context),
  });
  return {
    title: 'Threadkeep',
    instructions,
    tools: memoryTools.map((tool) => entryOf(tool, parts)),
    prompts: promptsFor(new Set(memoryTools.map(({ name }) => name))),
    resources,
    templates: resourceTemplates,
    read: (uri, request) => readResource(parts, callOf(request), uri),
    complete: (completing, request) => complete(service, callOf(request), completing),
  };
}

function entryOf(tool: MemoryTool, parts: MemorySurfaceParts): ToolEntry {
  const { name, title, description, annotations } = tool;
  return {
    definition: {
      name,
      title,
      description,
      annotations,
      _meta: { 'threadkeep/scopes': tool.needs },
      inputSchema: { ...jsonSchemaOf(tool.input, 'input'), type: 'object' },
      outputSchema: { ...jsonSchemaOf(tool.output, 'output'), type: 'object' },
    },
    call: (given, request) => callTool(tool, parts, given, request),
  };
}

interface CallParts {
  service: Service;
  observer: Observer;
  settings: { accessLogs: boolean; debugPayloads: boolean };
}

const longestPayloadLogged = 10_000;

/**
 * Runs one call: validates the arguments, runs the operation and wraps every outcome in an envelope. It is counted and
 * logged without arguments.
 */
export function callTool(
  tool: MemoryTool,
  parts: CallParts,
  given: Record<string, unknown>,
  request: McpRequest,
): Promise<CallToolResult> {
  return withSpan('memory_mcp_tool_duration_ms', () => callAndTell(tool, parts, given, request));
}

async function callAndTell(
  tool: MemoryTool,
  parts: CallParts,
  given: Record<string, unknown>,
  request: McpRequest,
): Promise<CallToolResult> {
  const started = performance.now();
  logPayload(tool, parts, given);
  const progress = tool.tellsProgress ? progressTo(request) : undefined;
  const signal = givenUp(request.context);
  const call: Call = {
    principal: request.principal,
    defaultSource: 'mcp',
    rerankByDefault: true,
    signal,
    ...(progress?.onSentence === undefined ? {} : { onSentence: progress.onSentence }),
  };
  let envelope: Envelope;
  let told: Envelope | undefined;
  let failure: unknown;
  try {
    const input = parseInput(tool.input, withoutAbsent(tool, given)) as Record<string, unknown>;
    const answer = await tool.run(parts.service, call, input);
    envelope = ok(answer.fields);
    told = answer.told === undefined ? undefined : ok(answer.told);
    await progress?.sent();
  } catch (error) {
    failure = error;
    envelope = fail(error, tool.failed);
  }
  observe(tool, parts, { envelope, failure, milliseconds: performance.now() - started });
  // Logs which tool was called and how it ended, never the content.
  const { status, error_code } = envelope;
  await request.tell(error_code === null ? 'info' : 'error', { tool: tool.name, status, error_code });
  return toolResult(envelope, told);
}

/** Sends sentences as progress notifications to a client that supplied a progress token, before the result. */
function progressTo({ context }: McpRequest): Pick<Call, 'onSentence'> & { sent(): Promise<void> } {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { sent: async () => {} };
  let progress = 0;
  let last: Promise<void> = Promise.resolve();
  const onSentence: Call['onSentence'] = ({ text: message }) => {
    progress += 1;
    const params = { progressToken, progress, message };
    last = last.then(() => context.mcpReq.notify({ method: 'notifications/progress', params })).catch(() => undefined);
  };
  return { onSentence, sent: () => last };
}

/** Removes arguments that count as absent: blank optional ones, and null where the interface's default is None. */
function withoutAbsent(tool: MemoryTool, given: Record<string, unknown>): Record<string, unknown> {
  const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
  const isAbsent = ([key, value]: [string, unknown]): boolean =>
    (value === null && tool.nullable.has(key)) || (isBlank(value) && tool.optional.has(key));
  return Object.fromEntries(Object.entries(given).filter((entry) => !isAbsent(entry)));
}

function observe(
  tool: MemoryTool,
  { observer, settings }: CallParts,
  { envelope, failure, milliseconds }: { envelope: Envelope; failure: unknown; milliseconds: number },
): void {
  const code = envelope.error_code;
  const labels = { tool: tool.name, status: code === null ? 'ok' : 'error' };
  observer.count('memory_mcp_tool_calls_total', { ...labels, error_code: code ?? 'none' });
  observer.duration('memory_mcp_tool_duration_ms', milliseconds, labels);
  const ours = failure !== undefined && isOurFault(failure);
  if (!settings.accessLogs && !ours) return;
  const fields = { ...labels, ...(code === null ? {} : { error_code: code }), ms: Math.round(milliseconds * 10) / 10 };
  observer.log(ours ? 'error' : 'info', 'mcp_tool_call', fields, ours ? failure : undefined);
}

function logPayload(tool: MemoryTool, { observer, settings }: CallParts, given: object): void {
  if (!settings.debugPayloads) return;
  const payload = JSON.stringify(given).slice(0, longestPayloadLogged);
  observer.log('info', 'mcp_payload', { tool: tool.name, payload });
}

/** Completion sources by prompt argument or template variable. Free text has none. */
const sources: Readonly<Record<string, 'id' | 'day' | readonly string[]>> = {
  [`resource ${resourceUris.conversation} id`]: 'id',
  [`resource ${resourceUris.timeline} day`]: 'day',
  'prompt summarize_conversation id': 'id',
  'prompt ask_memory top_k': ['5', '10', '20'],
};

async function complete(
  service: Service,
  call: Call,
  { kind, of, argument, value }: Completing,
): Promise<{ values: string[]; more: boolean }> {
  const source = sources[`${kind} ${of} ${argument}`] ?? [];
  if (typeof source !== 'string') return { values: source.filter((each) => each.startsWith(value)), more: false };
  const { values, more } = await operations.suggest.execute(service, call, {
    kind: source,
    prefix: value.slice(0, 64),
  });
  return { values, more };
}
