import {
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { Principal } from '../model/access.js';
import { isOurFault, MemoryError } from '../model/errors.js';

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
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
type ClientLogLevel = (typeof logLevels)[number];

const logger = 'threadkeep';

/**
 * Sends log messages to clients that asked for them, by `logging/setLevel` in a session or with the request in the
 * stateless era. A disconnected client does not fail the call.
 */
export function createClientLog() {
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
export function protocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof MemoryError)) return new ProtocolError(ProtocolErrorCode.InternalError, unforeseen);
  const code = isOurFault(error) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, error.message, { error_code: error.code });
}

/** Protocol errors are the client's fault and are not logged. */
export function isForTheLog(error: unknown): boolean {
  return !(error instanceof ProtocolError) && isOurFault(error);
}

const unforeseen = 'Something went wrong on our side; the log has the details';
