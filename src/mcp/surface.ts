import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import type { Principal } from '../model/access.js';
import type { ClientLogLevel } from './client-log.js';

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
