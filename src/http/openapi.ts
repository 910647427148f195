import { z } from 'zod';
import type { Needs } from '../model/access.js';
import type { Limits } from '../model/conversation.js';
import { errorFaces } from '../model/errors.js';
import { strictJsonSchema } from '../model/parse.js';
import { openValueSchema } from '../operations/fields.js';
import { clientRoutes, memoryRoutes, statusRoutes, transferRoutes } from './routes.js';

type Json = Record<string, unknown>;

/** Loose, because some codes add a field, such as the current `memory_status`. */
const errorBody = z.looseObject({
  status: z.literal('error'),
  error_code: z.enum(Object.keys(errorFaces) as [string, ...string[]]),
  error_message: z.string().describe('What failed and what to do'),
  detail: z.string().describe('The same message'),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string(),
});

interface DescriptionOptions {
  memory: boolean;
  tokens: boolean;
  /** `limits.max_top_k`: configurable, so the operations check it and not the schemas. */
  mostResults: number;
  /** The configured limits on saved text, for the same reason. */
  lengths: Lengths;
  /** The names of the clients that can be connected. */
  clients: readonly string[];
}

type Lengths = Pick<Limits, 'maxTitleLength' | 'maxSourceLength' | 'maxSummaryLength'>;

/** The OpenAPI 3.1 document, generated from the schemas that validate the requests. */
export function openApi(version: string, options: DescriptionOptions): Json {
  const memory = (options.memory ? memoryRoutes : []).map((route): [string, Json] => {
    const { method = 'POST', path, query = [], operation } = route;
    const input = operation.documented ?? operation.input;
    const lengths = saving.has(operation.name) ? options.lengths : undefined;
    const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
    const asked = query.map((name) => queryParameter(name, input));
    const call = {
      operationId: operation.name,
      summary: operation.summary,
      tags: ['memory'],
      ...(method === 'POST' ? { requestBody: bodyOf(input, names, { ...options, lengths }) } : {}),
      ...(names.length + asked.length === 0
        ? {}
        : { parameters: [...names.map((name) => pathParameter(name, input)), ...asked] }),
      ...(options.tokens ? neededFor(operation.needs) : {}),
      responses: {
        200: {
          description: route.streams === true ? streamedAnswer : 'Done',
          content: {
            ...jsonContent(operation.output, 'output'),
            ...(route.streams === true ? { 'text/event-stream': {} } : {}),
          },
        },
        ...failures,
      },
    };
    return [path, { [method.toLowerCase()]: call }];
  });
  const status = Object.entries(statusRoutes).map(([path, { summary, access, type }]): [string, Json] => [
    path,
    {
      get: {
        operationId: path.slice(1).replace('.json', ''),
        summary,
        tags: ['service'],
        ...(options.tokens && access !== 'public' ? neededFor(typeof access === 'string' ? undefined : access) : {}),
        responses: { 200: { description: summary, content: { [type]: {} } }, ...failures, ...also(path, type) },
      },
    },
  ]);
  const client = { name: 'client', in: 'path', required: true, schema: { enum: options.clients } };
  const connections = Object.entries(clientRoutes).map(([path, { summary, operationId, access }]): [string, Json] => [
    path,
    {
      post: {
        operationId,
        summary,
        tags: ['service'],
        parameters: [client],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', maxProperties: 0 } } },
        },
        ...(options.tokens ? neededFor(access) : {}),
        responses: { 200: { description: 'Done', content: { 'application/json': {} } }, ...failures },
      },
    },
  ]);
  const transfers = (options.memory ? Object.entries(transferRoutes) : []).map(([path, route]): [string, Json] => {
    const { method, operation, parameters, sent, answered } = route;
    const { properties = {}, required = [] } = strictJsonSchema(operation.input, 'input') as {
      properties?: Record<string, Json>;
      required?: readonly string[];
    };
    const call = {
      operationId: operation.name,
      summary: operation.summary,
      tags: ['memory'],
      // A form may carry them too; the query always works.
      parameters: parameters.map((name) => ({
        name,
        in: 'query',
        ...(required.includes(name) ? { required: true } : {}),
        schema: properties[name] ?? plainText,
      })),
      ...(sent.length === 0 ? {} : { requestBody: { required: true, content: uploadsOf(sent, properties) } }),
      ...(options.tokens ? neededFor(operation.needs) : {}),
      responses: {
        200: {
          description: 'Done',
          content: { ...filesOf(answered), ...(method === 'POST' ? jsonContent(operation.output, 'output') : {}) },
        },
        ...failures,
      },
    };
    return [path, { [method.toLowerCase()]: call }];
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Threadkeep', version, description: 'A local-first memory for AI conversations.' },
    paths: byPath([...memory, ...transfers, ...status, ...connections]),
    components: {
      schemas: { Error: strictJsonSchema(errorBody, 'output'), MetadataValue: openValueSchema },
      ...(options.tokens ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
  };
}

/** Groups the methods of each path. */
function byPath(calls: readonly [string, Json][]): Json {
  const paths: Record<string, Json> = {};
  for (const [path, call] of calls) paths[path] = { ...paths[path], ...call };
  return paths;
}

const codesByStatus = new Map<number, string[]>();
for (const [code, { http }] of Object.entries(errorFaces)) {
  codesByStatus.set(http, [...(codesByStatus.get(http) ?? []), code]);
}

const failures = Object.fromEntries(
  [...codesByStatus].map(([status, codes]) => [
    status,
    {
      description: codes.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
);

/** The scope that an error names first, and every sufficient set of scopes. */
function neededFor(needs: Needs | undefined): Json {
  const scopes = needs === undefined ? {} : { 'x-required-scope': needs[0][0], 'x-required-scopes': needs };
  return { security: [{ token: [] }], ...scopes };
}

const plainText: Json = { type: 'string' };

const streamedAnswer =
  'Done. With `Accept: text/event-stream` the answer comes as server-sent events: `sentence` (`text`, `evidence`) for each sentence of a language model that passed its check, then `answer` with the whole answer, which is authoritative, or `error`.';

/** File contents. */
function filesOf(types: readonly string[]): Json {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

/** A file as the body, or in a form with its settings. */
function uploadsOf(types: readonly string[], properties: Record<string, Json>): Json {
  const form = 'multipart/form-data';
  const fields = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'file'));
  const own = { ...fields, file: { type: 'string', format: 'binary' } };
  const schema = { type: 'object', properties: own, required: ['file'], additionalProperties: false };
  return { ...filesOf(types), ...(types.includes(form) ? { [form]: { schema } } : {}) };
}

/** A page that reports problems with a status other than 200, in the same format. */
function also(path: string, type: string): Json {
  return path === '/ready' ? { 503: { description: 'A store does not respond', content: { [type]: {} } } } : {};
}

/** Path parameters are never empty. */
function pathParameter(name: string, input: z.ZodType): Json {
  const { properties = {} } = strictJsonSchema(input, 'input') as { properties?: Record<string, Json> };
  const { description: _, ...schema } = properties[name] ?? plainText;
  return { name, in: 'path', required: true, schema: { ...schema, minLength: 1 } };
}

function queryParameter(name: string, input: z.ZodType): Json {
  const { properties = {}, required = [] } = strictJsonSchema(input, 'input') as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  const { description, ...schema } = properties[name] ?? plainText;
  return {
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
  };
}

/** Path parameters are not part of the body; a body that would be empty may be left out. */
function bodyOf(
  input: z.ZodType,
  named: readonly string[],
  { mostResults, lengths }: { mostResults: number; lengths: Lengths | undefined },
): Json {
  const described = bounded(strictJsonSchema(input, 'input'), mostResults);
  const schema = lengths === undefined ? described : withLengths(described, lengths);
  if (named.length === 0) return { required: true, content: { 'application/json': { schema } } };
  const {
    properties = {},
    required = [],
    ...rest
  } = schema as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  const left = required.filter((name) => !named.includes(name));
  const own = {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !named.includes(name))),
    ...(left.length === 0 ? {} : { required: left }),
  };
  return { required: left.length > 0, content: { 'application/json': { schema: own } } };
}

function jsonContent(schema: z.ZodType, io: 'input' | 'output'): Json {
  return { 'application/json': { schema: strictJsonSchema(schema, io) } };
}

/** Operations whose input is limited by the configured lengths. */
const saving: ReadonlySet<string> = new Set(['insert', 'validate', 'conversations_update']);

function withLengths(schema: Json, lengths: Lengths): Json {
  const longest = new Map([
    ['title', lengths.maxTitleLength],
    ['source', lengths.maxSourceLength],
    ['summary', lengths.maxSummaryLength],
  ]);
  const limited = (name: string, field: Json): Json => {
    const most = field.type === 'string' ? longest.get(name) : undefined;
    return most === undefined ? withLengths(field, lengths) : { ...field, maxLength: most };
  };
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const alternatives = schema.anyOf as readonly Json[] | undefined;
  return {
    ...schema,
    ...(properties.length === 0
      ? {}
      : { properties: Object.fromEntries(properties.map(([name, field]) => [name, limited(name, field)])) }),
    ...(alternatives === undefined ? {} : { anyOf: alternatives.map((each) => withLengths(each, lengths)) }),
  };
}

const countedFields = ['top_k', 'limit'];

/** Replaces the integer maximum of result counts by this server's limit. */
function bounded(schema: Json, mostResults: number): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const isUnbounded = ([name, field]: [string, Json]): boolean =>
    countedFields.includes(name) && field.maximum === Number.MAX_SAFE_INTEGER;
  const counted = properties.filter(isUnbounded).map(([name, field]) => [name, { ...field, maximum: mostResults }]);
  if (counted.length === 0) return schema;
  return { ...schema, properties: { ...Object.fromEntries(properties), ...Object.fromEntries(counted) } };
}
