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

/** Who asks, and the request as the protocol knows it: for progress, log messages and cancellation. */
export interface McpRequest {
  principal: Principal;
  context: ServerContext;
  /** A log message for a client that asked for such. */
  tell(level: ClientLogLevel, data: object): Promise<void>;
}

export interface ToolEntry {
  definition: Tool;
  /** Never throws what the caller did wrong: every outcome is a result. */
  call(given: Record<string, unknown>, request: McpRequest): Promise<CallToolResult | InputRequiredResult>;
}

export interface PromptEntry {
  definition: Prompt;
  get(given: Record<string, string>, request: McpRequest): Promise<GetPromptResult | InputRequiredResult>;
}

/** What is being completed: an argument of a prompt, or a variable of a resource template. */
export interface Completing {
  kind: 'prompt' | 'resource';
  /** The prompt's name or the template's URI. */
  of: string;
  argument: string;
  value: string;
}

/** What a server offers. server.ts turns it into the protocol; who offers what is not its business. */
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

/** From the chattiest to the gravest, as the protocol orders them. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
type ClientLogLevel = (typeof logLevels)[number];

const logger = 'threadkeep';

/**
 * Log messages for a client that asked for them, by `logging/setLevel` in a session or with the request in the stateless
 * era; others are not disturbed. A client that is gone does not make a call fail.
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

/** A fault of the protocol, not of a tool: malformed parameters, an unknown name, a bad cursor. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/**
 * What resources, prompts and completion answer when an operation refuses. Tools never come here: their failures are
 * envelopes. What was not foreseen becomes a fixed sentence; its own words may hold anything.
 */
export function protocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof MemoryError)) return new ProtocolError(ProtocolErrorCode.InternalError, unforeseen);
  const code = isOurFault(error) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, error.message, { error_code: error.code });
}

/** A fault of the protocol is the client's. */
export function isForTheLog(error: unknown): boolean {
  return !(error instanceof ProtocolError) && isOurFault(error);
}

const unforeseen = 'Something went wrong on our side; the log has the details';
