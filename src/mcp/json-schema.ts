import { z } from 'zod';
import { invalidInput } from '../model/errors.js';
import { isObject } from '../model/json.js';
import { insertShapes } from '../operations/insert/input.js';

/**
 * A schema in the form that most clients understand. Without `$schema`: the protocol fixes the dialect, and older
 * validators fail on a newer one's name.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return portable(rest) as Record<string, unknown>;
}

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
