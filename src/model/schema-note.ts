import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** Keywords of JSON Schema to add, or what becomes of the schema as a whole. */
export type SchemaNote = JsonSchema | ((schema: JsonSchema) => JsonSchema);

const notes = z.registry<{ note: SchemaNote }>();

/**
 * What the checks of a schema come down to in JSON Schema, where zod cannot say it. Only the HTTP description tells it:
 * to the reader of a tool list it would be noise.
 */
export function noted<Schema extends z.ZodType>(schema: Schema, note: SchemaNote): Schema {
  notes.add(schema, { note });
  return schema;
}

/** A schema as the HTTP description shows it: what it lets through, the server takes. */
export function strictJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const note = notes.get(zodSchema)?.note;
      if (note === undefined) return;
      const { ...before } = jsonSchema;
      const after = typeof note === 'function' ? note(before) : { ...before, ...note };
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, after);
    },
  });
  return rest;
}
