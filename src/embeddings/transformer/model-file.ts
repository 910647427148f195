import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { StartupError } from '../../model/errors.js';

/** The error for model files that exist but cannot be used. */
export function unusable(what: string, cause?: unknown): StartupError {
  return new StartupError('driver_unavailable', `The embedding model cannot be used: ${what}.`, {
    hint: 'docs/retrieval.md, "Models", says what a model folder needs; or set providers.embedding_model to another model.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Reads a JSON file of a model folder and validates it with `schema`; undefined when the file is missing. */
export async function readJsonFile<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, name), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(`${name} cannot be read`, cause);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unusable(`${name} is not JSON`, cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') ?? '';
  throw unusable(`${name} has an unexpected ${at === '' ? 'form' : `value at ${at}`}`, parsed.error);
}
