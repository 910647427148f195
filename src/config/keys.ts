import { z } from 'zod';

/**
 * How a key is declared. Each declaration stores a note for its schema; environment variables, messages, redaction and
 * the documentation all use these notes, so that a key is described in one place.
 */
export interface Note {
  wording: Wording;
  description: string;
  /** The default value, or a description when it depends on another key. */
  fallback: { value: unknown } | { words: string } | undefined;
  required: boolean;
  /** A credential is redacted everywhere; an identity (a user name) only where the configuration is shown. */
  secret?: 'credential' | 'identity';
}

const notes = new WeakMap<z.ZodType, Note>();

/** The note of a schema created by one of the functions below. */
export function noteOf(schema: z.ZodType): Note | undefined {
  return notes.get(schema);
}

/** A key with a default. */
export function key<Output, Input>(
  format: Format<Output, Input>,
  fallback: NoInfer<Output>,
  description: string,
): z.ZodDefault<z.ZodType<Output, Input>> {
  // Zod requires a type without undefined, which a type parameter cannot prove.
  const schema = format.schema.default(fallback as never);
  return declare(schema, { wording: format, description, fallback: { value: fallback }, required: false });
}

/** An optional key; `words` describes what absence means. */
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

/** A key that is required whenever its section is used. */
export function requiredKey<Output, Input>(
  format: Format<Output, Input>,
  description: string,
): z.ZodType<Output, Input> {
  // A fresh instance, because formats are shared and a note belongs to one key.
  return declare(format.schema.clone(), { wording: format, description, fallback: undefined, required: true });
}

/** Marks the value as a credential: never shown, logged or included in a message. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return mark(schema, 'credential');
}

/** Marks the value as hidden where the configuration is shown, but too common a word to redact from every log line. */
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

export type Kind = 'boolean' | 'integer' | 'number' | 'text' | 'list';

/** How a value is written: the type a text is parsed as, and the rule in words. */
export interface Wording {
  kind: Kind;
  /** Completes the sentence "<key> must be …". */
  allowed: string;
  /** For a list: how each item is written. */
  item?: Wording;
}

/** A wording together with the check that enforces it. */
export interface Format<Output, Input = Output> extends Wording {
  schema: z.ZodType<Output, Input>;
}

export const flag: Format<boolean> = { schema: z.boolean(), kind: 'boolean', allowed: 'true or false' };

export function integer(least: number, most?: number): Format<number> {
  const schema = z.int().min(least);
  return {
    schema: most === undefined ? schema : schema.max(most),
    kind: 'integer',
    allowed: `a whole number ${range(least, most)}`,
  };
}

export function number(least: number, most?: number): Format<number> {
  const schema = z.number().min(least);
  return {
    schema: most === undefined ? schema : schema.max(most),
    kind: 'number',
    allowed: `a number ${range(least, most)}`,
  };
}

/** One of a closed list, in any case. */
export function oneOf<const Word extends string>(...words: Word[]): Format<Word, string> {
  return {
    schema: z.string().trim().toLowerCase().pipe(z.enum(words)),
    kind: 'text',
    allowed: `one of ${words.join(', ')}`,
  };
}

export function listOf<Output, Input>(item: Format<Output, Input>, least = 0): Format<Output[], Input[]> {
  return {
    schema: z
      .array(item.schema)
      .min(least)
      .transform((items) => [...new Set(items)]),
    kind: 'list',
    allowed: `a list${least > 0 ? ' that is not empty' : ''}, each item ${item.allowed}`,
    item,
  };
}

export const anyText: Format<string> = { schema: z.string(), kind: 'text', allowed: 'a text' };

export const text: Format<string> = {
  schema: z.string().trim().min(1),
  kind: 'text',
  allowed: 'a non-empty text',
};

export const path: Format<string> = {
  schema: z.string().min(1),
  kind: 'text',
  allowed: 'a path; a relative one starts at the working directory',
};

/** A collection, database, index or region of some service. */
export const serviceName = matching(
  /^[A-Za-z][A-Za-z0-9_.-]*$/,
  'a name: a letter, then letters, digits, "_", "-" or "."',
);

export const sqlIdentifier = matching(
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/,
  'an SQL name: a letter or "_", then letters, digits or "_", at most 63 characters',
);

export const headerName = matching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'the name of an HTTP header', (name) =>
  name.toLowerCase(),
);

/** An http or https address, stored without its trailing slash. */
export const webAddress: Format<string> = {
  schema: z
    .string()
    .trim()
    .refine((value) => URL.canParse(value) && /^https?:\/\//i.test(value))
    .transform((value) => value.replace(/\/+$/, '')),
  kind: 'text',
  allowed: 'an http or https URL',
};

/** As `webAddress`, but without a fragment: RFC 8707 forbids one in a resource. */
export const resourceAddress: Format<string> = {
  schema: webAddress.schema.refine((url) => !url.includes('#')),
  kind: 'text',
  allowed: 'an http or https URL without a fragment',
};

// Connection strings are checked by pattern: the URL parser rejects multiple hosts, sockets and partly encoded
// passwords, which are in use. The service's own client validates the rest.
export const postgresAddress = matching(/^postgres(ql)?:\/\/\S+$/, 'a postgres:// or postgresql:// URL');
export const mongoAddress = matching(/^mongodb(\+srv)?:\/\/\S+$/, 'a mongodb:// or mongodb+srv:// URL');
export const redisAddress = matching(/^rediss?:\/\/\S+$/, 'a redis:// or rediss:// URL');

function matching(
  pattern: RegExp,
  allowed: string,
  settle: (value: string) => string = (value) => value,
): Format<string> {
  return { schema: z.string().trim().regex(pattern).transform(settle), kind: 'text', allowed };
}

function range(least: number, most: number | undefined): string {
  return most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
}
