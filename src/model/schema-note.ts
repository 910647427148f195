import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** JSON Schema keywords to add, or a function that transforms the whole schema. */
export type SchemaNote = JsonSchema | ((schema: JsonSchema) => JsonSchema);

const notes = z.registry<{ note: SchemaNote }>();

/**
 * Describes a schema's checks in JSON Schema where zod cannot. Used only in the HTTP description: in a tool list it
 * would be noise.
 */
export function noted<Schema extends z.ZodType>(schema: Schema, note: SchemaNote): Schema {
  notes.add(schema, { note });
  return schema;
}

/** The schema for the HTTP description: the server accepts whatever it allows. */
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
