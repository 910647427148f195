import { z } from 'zod';
import { errorFaces } from '../model/errors.js';
import { memoryRoutes, statusRoutes, transferRoutes } from './routes.js';

type Json = Record<string, unknown>;

/** Loose, because some codes add a field of their own, such as the current `memory_status`. */
const errorBody = z.looseObject({
  status: z.literal('error'),
  error_code: z.enum(Object.keys(errorFaces) as [string, ...string[]]),
  error_message: z.string().describe('What failed and what to do'),
  detail: z.string().describe('The same message'),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string(),
});

/** OpenAPI 3.1, made from the same schemas that check the requests. */
export function openApi(version: string, options: { memory: boolean; tokens: boolean }): Json {
  const memory = (options.memory ? memoryRoutes : []).map(({ method = 'POST', path, operation }): [string, Json] => {
    const input = operation.documented ?? operation.input;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const call = {
      operationId: operation.name,
      summary: operation.summary,
      tags: ['memory'],
      ...(method === 'POST' ? { requestBody: { required: true, content: jsonContent(input, 'input') } } : {}),
      ...(names.length === 0 ? {} : { parameters: names.map(pathParameter) }),
      ...(options.tokens ? { security: [{ token: [] }], 'x-required-scope': operation.scope } : {}),
      responses: { 200: { description: 'Done', content: jsonContent(operation.output, 'output') }, ...failures },
    };
    return [path, { [method.toLowerCase()]: call }];
  });
  const status = Object.entries(statusRoutes).map(([path, { summary, access }]): [string, Json] => [
    path,
    {
      get: {
        operationId: path.slice(1).replace('.json', ''),
        summary,
        tags: ['service'],
        ...(options.tokens && access === 'any' ? { security: [{ token: [] }] } : {}),
        responses: { 200: { description: summary } },
      },
    },
  ]);
  const transfers = (options.memory ? Object.entries(transferRoutes) : []).map(([path, route]): [string, Json] => {
    const { method, operation, parameters, type } = route;
    const file = { content: { [type]: { schema: { type: 'string', format: 'binary' } } } };
    const call = {
      operationId: operation.name,
      summary: operation.summary,
      tags: ['memory'],
      parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
      ...(method === 'POST' ? { requestBody: { required: true, ...file } } : {}),
      ...(options.tokens ? { security: [{ token: [] }], 'x-required-scope': operation.scope } : {}),
      responses: { 200: { description: 'Done', ...(method === 'GET' ? file : {}) }, ...failures },
    };
    return [path, { [method.toLowerCase()]: call }];
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Threadkeep', version, description: 'A local-first memory for AI conversations.' },
    paths: Object.fromEntries([...memory, ...transfers, ...status]),
    components: {
      schemas: { Error: plain(errorBody, 'output') },
      ...(options.tokens ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
  };
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

function pathParameter(name: string | undefined): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function jsonContent(schema: z.ZodType, io: 'input' | 'output'): Json {
  return { 'application/json': { schema: plain(schema, io) } };
}

function plain(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
