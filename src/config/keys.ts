import { z } from 'zod';
import type { Format, Wording } from './formats.js';

/**
 * How a key is declared. Each declaration leaves a note beside its schema; reading variables, messages, redaction and
 * the documentation all work from these notes, so that a key is described in one place.
 */
export interface Note {
  wording: Wording;
  description: string;
  /** The default value, or in words where it depends on another key. */
  fallback: { value: unknown } | { words: string } | undefined;
  required: boolean;
  /** A credential is struck out everywhere; an identity (a user name) only where the configuration is shown. */
  secret?: 'credential' | 'identity';
}

const notes = new WeakMap<z.ZodType, Note>();

/** The note of a schema that was made by one of the functions below. */
export function noteOf(schema: z.ZodType): Note | undefined {
  return notes.get(schema);
}

/** A key with a default. */
export function key<Output, Input>(
  format: Format<Output, Input>,
  fallback: NoInfer<Output>,
  description: string,
): z.ZodDefault<z.ZodType<Output, Input>> {
  // Zod asks for a type without undefined, which a type parameter cannot prove.
  const schema = format.schema.default(fallback as never);
  return declare(schema, { wording: format, description, fallback: { value: fallback }, required: false });
}

/** A key that may be absent; `words` says what absence means. */
export function optionalKey<Output, Input>(
  format: Format<Output, Input>,
  words: string,
  description: string,
): z.ZodExactOptional<z.ZodType<Output, Input>> {
  return declare(z.exactOptional(format.schema), {
    wording: format,
    description,
    fallback: { words },
    required: false,
  });
}

/** A key that must be given wherever its section is in use. */
export function requiredKey<Output, Input>(
  format: Format<Output, Input>,
  description: string,
): z.ZodType<Output, Input> {
  // A fresh instance, because formats are shared and a note belongs to one key.
  return declare(format.schema.clone(), { wording: format, description, fallback: undefined, required: true });
}

/** Marks the value as a credential: never shown, logged or put into a message. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return mark(schema, 'credential');
}

/** Marks the value as hidden when the configuration is shown, though too common a word to strike out of every log line. */
export function identity<Schema extends z.ZodType>(schema: Schema): Schema {
  return mark(schema, 'identity');
}

function mark<Schema extends z.ZodType>(schema: Schema, kind: NonNullable<Note['secret']>): Schema {
  const note = notes.get(schema);
  if (note === undefined) throw new Error('only a declared key can be marked');
  return declare(schema, { ...note, secret: kind });
}

function declare<Schema extends z.ZodType>(schema: Schema, note: Note): Schema {
  notes.set(schema, note);
  return schema;
}
