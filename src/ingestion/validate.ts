import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Conversation } from '../model/conversation.js';
import { type Issue, MemoryError, StartupError } from '../model/errors.js';
import { canonicalUuid } from '../model/ids.js';
import { isObject } from '../model/json.js';
import { utcTime } from '../model/time.js';

/** The fields that a custom schema must require, because the rest of the service relies on them. */
const requiredFields: [path: string[], fields: string[]][] = [
  [[], ['id', 'source', 'timestamp', 'messages', 'metadata']],
  [
    ['properties', 'messages', 'items'],
    ['role', 'text', 'hash'],
  ],
  [
    ['properties', 'metadata'],
    ['imported_at', 'updated_at', 'conversation_hash'],
  ],
];

/**
 * Compiles the conversation schema once; the returned check throws `invalid_input` with every problem. A trusted
 * schema is not checked itself, which would take most of the time.
 */
export function compileSchema(schema: unknown, { isTrusted = false } = {}): (conversation: Conversation) => void {
  checkRequiredFields(schema);
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: !isTrusted });
  addFormats.default(ajv);
  // Wider than the library's formats: UUIDs in any case, and a plain date as a time.
  ajv.addFormat('uuid', (text: string) => canonicalUuid(text) !== undefined);
  ajv.addFormat('date-time', (text: string) => utcTime(text) !== undefined);
  const check = compile(ajv, schema);
  return (conversation) => {
    if (check(conversation)) return;
    const issues = (check.errors ?? []).slice(0, 50).map(describe);
    const [first] = issues;
    const where = first === undefined ? '' : `: ${first.path} ${first.message}`;
    throw new MemoryError('invalid_input', `The conversation does not fit the schema${where}`, { issues });
  };
}

function compile(ajv: Ajv2020, schema: unknown) {
  try {
    return ajv.compile(schema as object);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    throw new StartupError('schema_invalid', `The conversation schema cannot be used: ${reason}`, { cause });
  }
}

function checkRequiredFields(schema: unknown): void {
  const missing = requiredFields.flatMap(([path, fields]) => {
    const part = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), schema);
    const required = isObject(part) && Array.isArray(part.required) ? part.required : [];
    return fields.filter((field) => !required.includes(field)).map((field) => [...path, field].join('.'));
  });
  if (missing.length === 0) return;
  throw new StartupError('schema_invalid', `The conversation schema must require ${missing.join(', ')}`, {
    hint: 'Start from schema/conversation.schema.json and make it stricter; see schema.file.',
  });
}

function describe(error: ErrorObject): Issue {
  const path = error.instancePath
    .replace(/^\//, '')
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
  const extra = error.keyword === 'additionalProperties' ? ` (${String(error.params.additionalProperty)})` : '';
  return { path: path === '' ? 'conversation' : path, message: `${error.message ?? 'is not valid'}${extra}` };
}
