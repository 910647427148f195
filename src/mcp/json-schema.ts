import { z } from 'zod';

/** A schema as clients read it. Without `$schema`: the protocol says which dialect, and older validators know no other. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
