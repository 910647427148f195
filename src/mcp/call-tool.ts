import type { CallToolResult } from '@modelcontextprotocol/server';
import { isOurFault } from '../model/errors.js';
import { parseInput } from '../model/parse.js';
import type { Observer } from '../observability/observer.js';
import { withSpan } from '../observability/request-context.js';
import type { Call } from '../operations/operation.js';
import type { Service } from '../operations/service.js';
import { type Envelope, fail, ok, toolResult } from './envelope.js';
import type { McpRequest } from './surface.js';
import type { MemoryTool } from './tool.js';

export interface CallParts {
  service: Service;
  observer: Observer;
  settings: { accessLogs: boolean; debugPayloads: boolean };
}

const longestPayloadLogged = 10_000;

/** One call: arguments checked, the operation run, every outcome an envelope, counted and logged without arguments. */
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
  const call: Call = {
    principal: request.principal,
    defaultSource: 'mcp',
    rerankByDefault: true,
    ...(progress === undefined ? {} : progress.call),
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
  // Which tool and how it ended, never what it was about.
  const { status, error_code } = envelope;
  await request.tell(error_code === null ? 'info' : 'error', { tool: tool.name, status, error_code });
  return toolResult(envelope, told);
}

/**
 * Sentences as progress notifications, for a client that sent a token for them; they go out before the result. A client
 * that is gone does not make a call fail, and ends what is still being asked of a language model.
 */
function progressTo({ context }: McpRequest): { call: Pick<Call, 'onSentence' | 'signal'>; sent(): Promise<void> } {
  const { _meta, signal } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { call: { signal }, sent: async () => {} };
  let progress = 0;
  let last: Promise<void> = Promise.resolve();
  const onSentence: Call['onSentence'] = ({ text: message }) => {
    progress += 1;
    const params = { progressToken, progress, message };
    last = last.then(() => context.mcpReq.notify({ method: 'notifications/progress', params })).catch(() => undefined);
  };
  return { call: { signal, onSentence }, sent: () => last };
}

/** Without what counts as left out: blank optional arguments, and null where the interface's default is None. */
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
