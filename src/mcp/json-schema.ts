import { z } from 'zod';
import { isObject } from '../model/json.js';

/**
 * A schema as clients read it, in the spelling that most of them understand. Without `$schema`: the protocol says which
 * dialect it is, and older validators stumble over the name of a newer one.
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
  // One type each: a client that maps schemas onto a language with single types drops a list of them.
  return Array.isArray(type) ? { anyOf: type.map((each) => ({ type: each })), ...plain } : { type, ...plain };
}

function isAnything(key: string, value: unknown): boolean {
  return key === 'additionalProperties' && isObject(value) && Object.keys(value).length === 0;
}

/** Bounds that only say "an integer that a double can hold". */
function isEveryInteger(key: string, value: unknown): boolean {
  return (
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}
