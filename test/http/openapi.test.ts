import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientRoutes, memoryRoutes, statusRoutes, transferRoutes } from '../../src/http/routes.js';
import { aConversation } from '../support/conversation.js';
import { type Body, startService, type TestService } from '../support/service.js';

interface Call {
  operationId: string;
  summary: string;
  requestBody?: { content: Record<string, { schema: Body }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Body }> }>;
}

let service: TestService;
let description: {
  openapi: string;
  info: Body;
  paths: Record<string, Record<string, Call>>;
  components: { schemas: Record<string, Body> };
};
beforeAll(async () => {
  service = await startService();
  description = (await service.send('/openapi.json')).body as unknown as typeof description;
});
afterAll(() => service.close());

const calls = () => Object.values(description.paths).flatMap((methods) => Object.values(methods));

describe('the description', () => {
  it('is OpenAPI 3.1', () => {
    expect(description.openapi).toBe('3.1.0');
    expect(description.info).toMatchObject({ title: 'Threadkeep', version: '0.0.0-test' });
  });

  it('lists every route with its method', () => {
    const listed = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${path} ${method}`),
    );
    const served = [
      ...memoryRoutes.map(({ path, method = 'POST' }) => `${path} ${method.toLowerCase()}`),
      ...Object.entries(transferRoutes).map(([path, { method }]) => `${path} ${method.toLowerCase()}`),
      ...Object.keys(statusRoutes).map((path) => `${path} get`),
      ...Object.keys(clientRoutes).map((path) => `${path} post`),
    ];
    expect(listed.sort()).toEqual(served.sort());
  });

  it('names every call once and says what it does', () => {
    const names = calls().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(calls().every(({ summary, responses }) => summary !== '' && responses[200]?.description !== '')).toBe(true);
  });

  it('holds only references that lead somewhere', () => {
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference,
    );
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Error', '#/components/schemas/MetadataValue']));
    expect(Object.keys(description.components.schemas).sort()).toEqual(['Error', 'MetadataValue']);
  });

  it('holds schemas that compile', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const schemas = calls()
      .flatMap((call) => [
        ...Object.values(call.requestBody?.content ?? {}),
        ...Object.values(call.responses[200]?.content ?? {}),
      ])
      .filter(({ schema }) => schema !== undefined);
    const bodies = memoryRoutes.filter(({ method }) => method === undefined).length;
    const files = Object.values(transferRoutes).flatMap(({ sent, answered }) => [...sent, ...answered]).length;
    const reports = Object.values(transferRoutes).filter(({ method }) => method === 'POST').length;
    const connections = Object.keys(clientRoutes).length;
    expect(schemas.length).toBe(memoryRoutes.length + bodies + files + reports + connections);
    const { components } = description;
    for (const { schema } of schemas) expect(() => ajv.compile({ ...schema, components })).not.toThrow();
    expect(() => ajv.compile(description.components.schemas.Error ?? {})).not.toThrow();
  });

  it('says how many results may be asked for, and every shape of a conversation', () => {
    const bodyOf = (path: string) => description.paths[path]?.post?.requestBody?.content['application/json']?.schema;
    const maximum = 100;
    expect(bodyOf('/memory/search')?.properties).toMatchObject({ top_k: { maximum }, limit: { maximum } });
    expect(bodyOf('/memory/ask')?.properties).toMatchObject({ top_k: { maximum } });
    expect(JSON.stringify(description.paths['/memory/facts/search']?.post?.requestBody)).not.toContain(
      '9007199254740991',
    );
    const { components } = description;
    const allows = new Ajv2020({ strict: false, validateFormats: false }).compile({
      ...bodyOf('/memory/insert'),
      components,
    });
    const turns = [{ role: 'user', content: 'A heron.' }];
    for (const shape of [{ messages: turns }, { conversation: turns }, { content: turns }, turns]) {
      expect({ shape, allowed: allows(shape) }).toEqual({ shape, allowed: true });
    }
    expect(allows({ source: 'claude' })).toBe(false);
  });

  it('describes the answers that are given', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const errors = (path: string, status: number, body: Body) => {
      const call = description.paths[path]?.post;
      const schema =
        status === 200
          ? call?.responses[200]?.content?.['application/json']?.schema
          : description.components.schemas.Error;
      const check = ajv.compile(schema ?? false);
      check(body);
      return check.errors ?? [];
    };
    const { id } = await service.insert(aConversation({ title: 'T' }));
    const requests: [string, object][] = [
      ['/memory/insert', aConversation({ title: 'T' })],
      ['/memory/retrieve', { id }],
      ['/memory/context', { id, message_index: 0 }],
      ['/memory/retrieve', { id: 'x' }],
      ['/memory/pending/approve', { id }],
      ...['chunks', 'compact', 'conversations', 'threads'].map((result_mode): [string, object] => [
        '/memory/search',
        { query: 'bicycle', result_mode },
      ]),
    ];
    for (const [path, body] of requests) {
      const answer = await service.request(path, body);
      expect({ path, body, errors: errors(path, answer.status, answer.body) }).toEqual({ path, body, errors: [] });
    }
  });
});

describe('the page', () => {
  it('is a single document without external references', async () => {
    const { headers, body } = await service.send('/docs');
    const html = String(body.text);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).not.toMatch(/https?:\/\//);
    expect(html).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)=/);
    expect(html).not.toMatch(/@import|url\(/);
  });

  it('shows every route', async () => {
    const html = String((await service.send('/docs')).body.text);
    for (const path of Object.keys(description.paths)) expect(html).toContain(JSON.stringify(path));
  });
});
