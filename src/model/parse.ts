import { z } from 'zod';
import { type Issue, MemoryError } from './errors.js';

/** Bounds the response to a request with millions of unknown fields, or with a very long field name. */
const mostIssues = 50;
const longestPath = 200;

/**
 * Parses a caller's input, or throws `invalid_input` with one issue per problem: its path and what is allowed, never
 * the value sent, which may be private.
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const all = parsed.error.issues.flatMap(describeIssue);
  const issues = all.slice(0, mostIssues).map(({ path, message, unknown }) => ({
    path: path.slice(0, longestPath),
    message: unknown === undefined ? message : message + suggestion(unknown.name, fieldsAt(schema, unknown.place)),
  }));
  // A misspelled field is also missing: its own name explains both.
  const first = issues[all.findIndex(({ unknown }) => unknown !== undefined)] ?? issues[0];
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : '';
  const message = first === undefined ? 'The input is invalid' : sentence(first);
  throw new MemoryError('invalid_input', message + more, { issues });
}

interface FoundIssue extends Issue {
  /** An unknown field, and the object it was sent in. */
  unknown?: { name: string; place: readonly PropertyKey[] };
}

function describeIssue(issue: z.core.$ZodIssue): FoundIssue[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const place = issue.path;
    return issue.keys.map((name) => ({
      path: path === '' ? name : `${path}.${name}`,
      message: 'is not a known field',
      unknown: { name, place },
    }));
  }
  if ('input' in issue && issue.input === null)
    return [{ path, message: 'must not be null; leave optional fields out' }];
  if ('input' in issue && issue.input === undefined) return [{ path, message: 'is required' }];
  return [{ path, message: wording(issue) }];
}

/** The fields of the object at this path of a schema; empty if it is not a plain object. */
function fieldsAt(schema: z.core.$ZodType, place: readonly PropertyKey[]): string[] {
  const [step, ...rest] = place;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return fieldsAt(schema.unwrap(), place);
  }
  if (schema instanceof z.ZodPipe) return fieldsAt(schema.in, place);
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (step === undefined) return Object.keys(schema.shape);
  const field = Object.hasOwn(schema.shape, step) ? schema.shape[String(step)] : undefined;
  return field === undefined ? [] : fieldsAt(field, rest);
}

function wording(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'custom':
      return issue.message;
    default:
      return 'is not valid';
  }
}

function article(expected: string): string {
  const noun = expected === 'int' ? 'integer' : expected;
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

function sentence(issue: Issue): string {
  return issue.path === '' ? `The body ${issue.message}` : `${issue.path} ${issue.message}`;
}

/** None of our names is longer; the comparison is quadratic in the length. */
const longestName = 64;

/**
 * The known name closest to a misspelled one, or undefined when none is close enough. Case and separators are ignored:
 * `topK` is `top_k`.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > longestName) return undefined;
  const folded = fold(given);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const distance = closeness(folded, fold(name));
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** ` (did you mean top_k?)`, or nothing. */
export function suggestion(given: string, known: Iterable<string>): string {
  const nearest = nearestName(given, known);
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

/** The edit distance, or infinity when more than a third of the letters differ. */
export function closeness(left: string, right: string): number {
  const limit = Math.max(1, Math.floor(Math.min(left.length, right.length) / 3));
  if (Math.abs(left.length - right.length) > limit) return Number.POSITIVE_INFINITY;
  const distance = editDistance(left, right);
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, '');
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, right.length);
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? Number.POSITIVE_INFINITY;
}

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

type Conversion = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

/** Converts each schema once: a conversion takes milliseconds, and the same schemas are described again and again. */
export function converted(convert: Conversion): Conversion {
  const known = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };
  return (schema, io) => {
    const found = known[io].get(schema) ?? convert(schema, io);
    known[io].set(schema, found);
    return found;
  };
}

/** The schema for the HTTP description: the server accepts whatever it allows. Do not change it: it is shared. */
export const strictJsonSchema = converted((schema, io) => {
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
});
