import { z } from 'zod';
import { invalidInput } from '../../model/errors.js';
import { isObject } from '../../model/json.js';
import { insertShapes } from '../../operations/insert/input.js';
import { jsonSchemaOf } from '../json-schema.js';

/**
 * The conversation as a nested object. What is in it is checked by the steps of an insert, which refuse with better words
 * than a schema.
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

/** The project may be named beside the conversation or inside it. */
export function conversationPayload({ conversation_json, project_id }: Record<string, unknown>): unknown {
  if (project_id === undefined) return conversation_json;
  if (Array.isArray(conversation_json)) return { messages: conversation_json, project_id };
  if (!isObject(conversation_json)) return conversation_json;
  const inside = conversation_json.project_id ?? project_id;
  if (inside === project_id) return { ...conversation_json, project_id };
  // One of the two would be lost, and with it who may read the memory.
  throw invalidInput('conversation_json.project_id', 'differs from project_id; send one of the two');
}
