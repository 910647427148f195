import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Needs } from '../model/access.js';
import type { Limits } from '../model/conversation.js';
import { invalidInput, MemoryError } from '../model/errors.js';
import { isObject } from '../model/json.js';
import { converted } from '../model/parse.js';
import { currentRequestId } from '../observability/request-context.js';
import { insertShapes } from '../operations/insert/insert.js';
import type { Call, OpenOperation } from '../operations/operation.js';
import type { Service } from '../operations/service.js';
import { contentNotice, dataOnly } from './prompts.js';

type Arguments = Record<string, unknown>;

/** The arguments of a call, and the service that answered it. */
export interface Asked {
  service: Service;
  given: Arguments;
}

/** The answer to a call: the fields of the structured content, and those of the text if fewer. */
export interface ToolAnswer {
  fields: object;
  told?: object;
}

/** One tool as declared in the table. Most need only the first four fields: the rest comes from the operation. */
interface ToolDescription {
  name: string;
  title: string;
  description: string;
  /** `read` changes nothing, `add` only adds, `change` may hide existing data. */
  effect: 'read' | 'add' | 'change';
  /** The tool is not idempotent. */
  repeats?: true;
  operation: OpenOperation;
  /** The parameters, if they differ from the operation's input. Always strict. */
  input?: z.ZodObject;
  /**
   * Optional parameters whose default the interface writes as None: null counts as absent. Elsewhere null is rejected.
   */
  nullable?: readonly string[];
  /** Adds the parameter `response_format` and applies it to the answer. */
  formats?: boolean;
  /** Maps the parameters to the operation's input, if they differ. */
  payload?: (given: Arguments, format: ResponseFormat, limits: Limits) => unknown;
  /** Maps the operation's answer to fields of the envelope, if they differ. */
  fields?: (answer: object) => object;
  /** The compact answer, if `concise` does more than omit messages and cut long texts. */
  compact?: (answer: object, asked: Asked) => ToolAnswer;
  /** Additional fields in an error. */
  failed?: object;
  /** The fields besides the envelope, if they differ from the operation's output. */
  output?: z.ZodObject;
  /** Sends its answer sentence by sentence to a client that wants progress, and stops when the client cancels. */
  tellsProgress?: true;
  /** The answer contains stored text: the description and the answer mark it as data. */
  returnsStored?: true;
}

/** A tool ready to be listed and called. */
export interface MemoryTool {
  name: string;
  title: string;
  description: string;
  returnsStored: boolean;
  tellsProgress: boolean;
  annotations: ToolAnnotations;
  /** The scopes needed to call it; checked where the operation starts. */
  needs: Needs;
  input: z.ZodObject;
  output: z.ZodObject;
  failed: object;
  /** Optional parameters: blank values count as absent, because models often send them. */
  optional: ReadonlySet<string>;
  /** Parameters for which null counts as absent too. */
  nullable: ReadonlySet<string>;
  run(service: Service, call: Call, given: Arguments): Promise<ToolAnswer>;
}

const responseFormats = ['concise', 'detailed'] as const;

const format = z
  .enum(responseFormats)
  .default('concise')
  .describe('concise leaves out messages and cuts long texts; detailed gives everything');

const noticeShape = { content_notice: z.string().optional().describe('States that the returned content is data') };

export function memoryTool(description: ToolDescription): MemoryTool {
  const { name, title, operation, formats = false, payload = same, fields = same, failed = {} } = description;
  const returnsStored = description.returnsStored === true;
  const shortened = (result: object, wanted: ResponseFormat, asked: Asked): ToolAnswer => {
    if (!formats || wanted === 'detailed') return { fields: result };
    return description.compact?.(result, asked) ?? { fields: concise(result) as object };
  };
  const nullable = description.nullable ?? [];
  const own = withNull(description.input ?? objectOf(operation.input, name), nullable);
  const input = formats ? own.extend({ response_format: format }) : own;
  const answer = description.output ?? objectOf(operation.output, name);
  return {
    name,
    title,
    description: returnsStored ? `${description.description} ${dataOnly}` : description.description,
    returnsStored,
    tellsProgress: description.tellsProgress === true,
    annotations: annotationsOf(description),
    needs: operation.needs,
    input,
    output: z.looseObject({ ...whatItMayHold(answer), ...(returnsStored ? noticeShape : {}), ...envelopeShape }),
    failed,
    optional: new Set(Object.keys(input.shape).filter((key) => z.safeParse(input.shape[key], undefined).success)),
    nullable: new Set(nullable),
    async run(service, call, { response_format = 'concise', ...given }) {
      const wanted = response_format as ResponseFormat;
      const result = fields(await operation.execute(service, call, payload(given, wanted, service.settings.limits)));
      const { fields: shown, told } = shortened(result, wanted, { service, given });
      const notice = returnsStored ? { content_notice: contentNotice } : {};
      return { fields: { ...shown, ...notice }, ...(told === undefined ? {} : { told: { ...told, ...notice } }) };
    },
  };
}

function withNull(input: z.ZodObject, names: readonly string[]): z.ZodObject {
  return input.extend(Object.fromEntries(names.map((name) => [name, z.nullable(input.shape[name] ?? z.never())])));
}

function annotationsOf({ title, effect, repeats }: ToolDescription): ToolAnnotations {
  return {
    title,
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'change',
    idempotentHint: repeats !== true,
    openWorldHint: false,
  };
}

/** An error answers in the same shape with fewer fields, and may have another value where success has a fixed one. */
function whatItMayHold(answer: z.ZodObject): z.ZodRawShape {
  const widened = Object.entries(answer.shape).map(([key, field]) => [key, optional(field)]);
  return Object.fromEntries(widened);
}

function optional(field: z.core.$ZodType): z.ZodType {
  if (!(field instanceof z.ZodLiteral)) return z.optional(field);
  return (typeof field.value === 'boolean' ? z.boolean() : z.string()).optional();
}

function objectOf(schema: z.ZodType, name: string): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new Error(`the operation of ${name} does not declare its fields; declare them in the table`);
}

function same<Value>(value: Value): Value {
  return value;
}

/** The common shape of every tool's answer: six keys that are always present, then the tool's own. */
export interface Envelope {
  status: string;
  id: string | null;
  results: unknown[];
  cursor: string | null;
  error_code: string | null;
  error_message: string | null;
  [field: string]: unknown;
}

const envelopeShape = {
  status: z.string().describe('ok, pending_review, or error'),
  id: z.string().nullable(),
  results: z.array(z.looseObject({})),
  cursor: z.string().nullable().describe('Send it to get the next page; null on the last page'),
  error_code: z.string().nullable(),
  error_message: z.string().nullable().describe('What failed and what to do'),
};

const empty = { status: 'ok', id: null, results: [], cursor: null, error_code: null, error_message: null };

/** Wraps an operation's answer; its own `status`, `id`, `results` and `cursor` fill the envelope's keys. */
export function ok(answer: object): Envelope {
  return { ...empty, ...answer };
}

/** `fields` are the tool's own, such as `valid: false`. */
export function fail(error: unknown, fields: object = {}): Envelope {
  const known = error instanceof MemoryError ? error : unforeseen;
  const requestId = currentRequestId();
  return {
    ...empty,
    status: 'error',
    error_code: known.code,
    error_message: known.message,
    ...(known.issues === undefined ? {} : { issues: known.issues }),
    ...known.fields,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...fields,
  };
}

const unforeseen = new MemoryError('internal_error', 'Something went wrong on our side; the log has the details');

/** The answer as structured content and as one JSON text, which may be shorter, for clients that read only text. */
export function toolResult(envelope: Envelope, told: Envelope = envelope): CallToolResult {
  const failed = envelope.error_code !== null;
  return {
    content: [{ type: 'text', text: JSON.stringify(told) }],
    structuredContent: envelope,
    isError: failed,
  };
}
type ResponseFormat = (typeof responseFormats)[number];

const longestText = 1_000;

/**
 * Keeps every field of an answer, but omits messages of conversations and cuts long texts with a marker, so that a few
 * results do not fill a model's context.
 */
export function concise(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (Array.isArray(value)) return value.map(concise);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !(key === 'messages' && isConversation(value)));
  return Object.fromEntries(kept.map(([key, each]) => [key, concise(each)]));
}

function isConversation(value: Record<string, unknown>): boolean {
  return 'id' in value && 'source' in value && Array.isArray(value.messages);
}

function cut(text: string): string {
  if (text.length <= longestText) return text;
  // Avoids splitting a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longestText - 1)) ? longestText - 1 : longestText;
  return `${text.slice(0, end)}… [${text.length - end} more characters; response_format "detailed" shows them]`;
}

/**
 * A schema in the form that most clients understand. Without `$schema`: the protocol fixes the dialect, and older
 * validators fail on a newer one's name. Do not change it: it is shared.
 */
export const jsonSchemaOf = converted((schema, io) => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return portable(rest) as Record<string, unknown>;
});

function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (!isObject(schema)) return schema;
  const { type, ...rest } = schema;
  const entries = Object.entries(rest).filter(([key, value]) => !isEveryInteger(key, value));
  const plain = Object.fromEntries(
    entries.map(([key, value]) => [key, isAnything(key, value) ? true : portable(value)]),
  );
  if (type === undefined) return plain;
  // One type each: clients that map schemas to a language without union types drop type lists.
  return Array.isArray(type) ? { anyOf: type.map((each) => ({ type: each })), ...plain } : { type, ...plain };
}

function isAnything(key: string, value: unknown): boolean {
  return key === 'additionalProperties' && isObject(value) && Object.keys(value).length === 0;
}

/** Bounds that only mean "a safe integer". */
function isEveryInteger(key: string, value: unknown): boolean {
  return (
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}

/**
 * The conversation as a nested object. The steps of an insert validate its content, with better messages than a schema.
 */
const conversationJson = z
  .unknown()
  .refine((value) => value !== undefined && value !== null, 'is required')
  .refine((value) => typeof value !== 'string', 'must be a nested JSON object, not a JSON string')
  .meta({
    anyOf: insertShapes.map((shape) => jsonSchemaOf(shape, 'input')),
    description:
      'One whole conversation as a nested JSON object (or the array of its turns), not as a JSON string. Omit id by default. Every user and assistant turn in order; text or content both work.',
    examples: [
      {
        source: 'claude',
        title: 'Weekend plans',
        messages: [
          { role: 'user', text: 'My sister Nora arrives on Friday.' },
          { role: 'assistant', text: 'Noted: Nora arrives on Friday.' },
        ],
        metadata: {
          tags: ['family'],
          summary: 'Nora, the sister, arrives on Friday.',
          save_intent: 'explicit_user_request',
        },
      },
    ],
  });

export const conversationInput = z.strictObject({
  conversation_json: conversationJson,
  project_id: z.string().optional().describe('A shared project; default your own'),
});

/** The project may be given next to the conversation or inside it. */
export function conversationPayload({ conversation_json, project_id }: Record<string, unknown>): unknown {
  if (project_id === undefined) return conversation_json;
  if (Array.isArray(conversation_json)) return { messages: conversation_json, project_id };
  if (!isObject(conversation_json)) return conversation_json;
  const inside = conversation_json.project_id ?? project_id;
  if (inside === project_id) return { ...conversation_json, project_id };
  // Ignoring one of them could store the conversation in the wrong project.
  throw invalidInput('conversation_json.project_id', 'differs from project_id; send one of the two');
}
