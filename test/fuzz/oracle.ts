import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Got, Sent } from './client.js';
import type { Schema } from './from-schema.js';
import { canary } from './odd-values.js';

interface Media {
  schema?: Schema;
}

export interface Call {
  operationId: string;
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Call>>;
  components: { schemas: Record<string, Schema> };
}

/** Says what is wrong with an answer: what the description does not allow, what is our fault, what tells too much. */
export function createOracle(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'openapi' });
  const compiled = new Map<Schema, ValidateFunction>();
  const errorSchema: Schema = { $ref: 'openapi#/components/schemas/Error' };
  const routes = Object.entries(document.paths).map(([path, methods]) => ({
    form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}/?$`),
    methods,
  }));

  function check(schema: Schema, value: unknown): string[] {
    const known = compiled.get(schema) ?? ajv.compile(rooted(schema));
    compiled.set(schema, known);
    if (known(value) === true) return [];
    return (known.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `answer${instancePath} ${message}`);
  }

  return function complaints(sent: Sent, got: Got): string[] {
    const { status, text } = got;
    if (status >= 500) return [`status ${status}: ${text.slice(0, 300)}`];
    const found: string[] = [];
    if (status >= 400 && text.includes(canary)) found.push(`the error tells what was sent: ${text.slice(0, 500)}`);
    // As the server reads it: dots go up a folder.
    const path = new URL(sent.path, 'http://localhost').pathname;
    const call = routes.find(({ form }) => form.test(path))?.methods[sent.method.toLowerCase()];
    const type = String(got.headers['content-type'] ?? '').split(';')[0] ?? '';
    if (sent.method === 'HEAD' || sent.method === 'OPTIONS') return found;
    if (call === undefined) {
      if (status >= 400 && type === 'application/json') found.push(...check(errorSchema, parsed(text)));
      return found;
    }
    const response = call.responses[status];
    if (response === undefined) return [...found, `status ${status} is not declared`];
    const media = response.content?.[type];
    if (media === undefined) found.push(`a body of the type "${type}" is not declared for ${status}`);
    else if (type === 'application/json' && media.schema !== undefined)
      found.push(...check(media.schema, parsed(text)));
    return found;
  };
}

/** References are relative to the document, and the schema stands alone here. */
function rooted(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as Schema;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `not JSON: ${text.slice(0, 100)}`;
  }
}
