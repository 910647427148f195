import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clientRoutes, memoryRoutes, transferRoutes } from '../../src/http/routes.js';
import { utcRange } from '../../src/model/time.js';
import { datePattern, dayPattern } from '../../src/operations/fields.js';
import { queryPattern } from '../../src/operations/search/shapes.js';
import { parseQuery, QueryError } from '../../src/retrieval/query-language.js';
import { oddText, plainText } from '../fuzz/odd-values.js';
import { aConversation } from '../support/conversation.js';
import fc from '../support/properties.js';
import { type Body, startService, type TestService } from '../support/service.js';

/*
 * The description is a promise: what it allows is not refused as invalid. Inputs are made from the description alone, and
 * kept only where a validator says that it allows them, so that neither a check nor a keyword can be forgotten on one side.
 */

type Schema = { [keyword: string]: unknown };
interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: Schema;
}
interface Described {
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
}

let service: TestService;
let ajv: Ajv2020;
let components: unknown;
let paths: Record<string, Record<string, Described>>;
beforeAll(async () => {
  service = await startService();
  await service.insert(aConversation({ title: 'T', tags: ['t'], timestamp: '2026-01-01' }));
  for (const text of ['I live in Oslo.', 'I live in Bergen.', 'I own a boat. I drive a Volvo.']) {
    await service.insert(aConversation({ messages: [{ role: 'user', text }] }));
  }
  await service.request('/memory/facts', { predicate: 'profile_location', value: 'Porto' });
  const { results } = (await service.request('/memory/facts/search', { status: 'all' })).body;
  const stored = results as { id: string; sources: { conversation_id: string }[] }[];
  real.fact_id = stored.map(({ id }) => id);
  real.superseded_by = real.fact_id;
  real.conversation_id = stored.flatMap(({ sources }) => sources.map((source) => source.conversation_id));
  const { body } = await service.send('/openapi.json');
  paths = body.paths as typeof paths;
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  components = body.components;
});
afterAll(() => service.close());

const runs = 60;

/** Words that mean something to one field or another; beside them anything. */
const words = [
  'role:',
  'has:',
  'before:',
  '-on:',
  'user',
  'code',
  '2024',
  '2024-02-30',
  '2026-11-15',
  '"',
  '-',
  ' ',
  ':',
  '\t',
  '東',
  '👪',
  '\u0000',
  'recurring_topic',
];
const composed = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const anyText = fc.oneof(composed, plainText, oddText, fc.string({ unit: 'grapheme', maxLength: 300 }));

function textsOf(schema: Schema): fc.Arbitrary<string> {
  const {
    pattern,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
  } = schema as {
    pattern?: string;
    minLength?: number;
    maxLength?: number;
  };
  const check = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const isAllowed = (text: string): boolean => {
    const { length } = [...text];
    return length >= minLength && length <= maxLength && (check === undefined || check.test(text));
  };
  const longest =
    maxLength < 5_000
      ? [fc.constantFrom('a', '👪', 'é ').map((sign) => [...sign.repeat(maxLength)].slice(0, maxLength).join(''))]
      : [];
  return fc
    .oneof(...(pattern === undefined ? [] : [matching(pattern)]), anyText, ...longest)
    .map((text) => ({ text, isIn: isAllowed(text) }))
    .filter(({ isIn }) => isIn)
    .map(({ text }) => text);
}

/** Texts of a pattern; what it forbids ahead is left to the check that follows. */
function matching(pattern: string): fc.Arbitrary<string> {
  if (/\\p\{/.test(pattern)) return anyText;
  let plain = pattern;
  for (let at = plain.indexOf('(?!'); at >= 0; at = plain.indexOf('(?!')) {
    let depth = 0;
    let end = at;
    let isClass = false;
    for (; end < plain.length; end++) {
      const sign = plain[end];
      if (sign === '\\') end += 1;
      else if (isClass) isClass = sign !== ']';
      else if (sign === '[') isClass = true;
      else if (sign === '(') depth += 1;
      else if (sign === ')') depth -= 1;
      if (depth === 0) break;
    }
    plain = plain.slice(0, at) + plain.slice(end + 1);
  }
  return fc.stringMatching(new RegExp(plain, 'u'));
}

function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (typeof schema.$ref === 'string') return fc.jsonValue({ maxDepth: 3 });
  const choices = schema.anyOf as Schema[] | undefined;
  if (choices !== undefined && schema.properties === undefined) return fc.oneof(...choices.map(valuesOf));
  if (schema.type === 'object') return objectsOf(schema);
  switch (schema.type) {
    case 'array':
      return fc.array(valuesOf((schema.items ?? {}) as Schema), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(4, Number(schema.maxItems ?? 4)),
      });
    case 'string':
      return textsOf(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: Number(schema.minimum ?? -1000), max: Number(schema.maximum ?? 100_000) });
    case 'boolean':
      return fc.boolean();
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Ids of what is stored, by field: what the state of a fact does not allow is not an invalid input either. */
const real: Record<string, string[]> = {};

function valuesOrReal(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const ids = real[name] ?? [];
  return ids.length === 0 ? valuesOf(schema) : fc.oneof(fc.constantFrom(...ids), valuesOf(schema));
}

function objectsOf(schema: Schema): fc.Arbitrary<Body> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const record = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOrReal(name, field)])), {
    requiredKeys: (schema.required ?? []) as string[],
  });
  if (schema.additionalProperties === false || schema.additionalProperties === undefined)
    return record as fc.Arbitrary<Body>;
  const more = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return fc.tuple(record, more).map(([own, others]) => ({ ...others, ...own }));
}

/** Only what the validator lets through too. */
function allowedBy(schema: Schema): fc.Arbitrary<unknown> {
  const check: ValidateFunction = ajv.compile({ ...schema, components });
  return valuesOf(schema).filter((value) => check(JSON.parse(JSON.stringify(value))) === true);
}

function addressOf(path: string, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const drawn = parameters.map((parameter) => {
    const ids = real[parameter.name] ?? [];
    const allowed = allowedBy(parameter.schema);
    const value = ids.length === 0 ? allowed : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, allowed);
    return parameter.required ? value : fc.option(value, { nil: undefined });
  });
  return fc.tuple(...drawn).map((values) => {
    let address = path;
    const query = new URLSearchParams();
    for (const [index, { name, in: place }] of parameters.entries()) {
      const value = values[index];
      if (value === undefined) continue;
      if (place === 'path')
        address = address.replace(`{${name}}`, () => encodeURIComponent(String(value).toWellFormed()));
      else for (const each of [value].flat()) query.append(name, String(each));
    }
    return query.size === 0 ? address : `${address}?${query}`;
  });
}

const form = 'multipart/form-data';

const anExport = [
  { type: 'threadkeep-export', version: 1 },
  { type: 'conversation', conversation: aConversation() },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

function asBody(type: string): RequestInit {
  return { headers: { 'content-type': type }, body: anExport };
}

async function refusal(address: string, init: RequestInit): Promise<object | undefined> {
  const { status, body } = await service.send(address, init);
  return status === 400 || status === 422 || status >= 500 ? { status, error: body.error_message } : undefined;
}

const routes = memoryRoutes.map(({ method = 'POST', path }) => ({ path, method: method.toLowerCase() }));

describe('no input that the description allows is refused as invalid', () => {
  it.each(routes)(
    '$method $path',
    async ({ path, method }) => {
      const described = paths[path]?.[method];
      const content = described?.requestBody?.content['application/json'];
      const body = content === undefined ? fc.constant(undefined) : allowedBy(content.schema);
      const input = fc.tuple(addressOf(path, described?.parameters ?? []), body);
      await fc.assert(
        fc.asyncProperty(input, async ([address, sent]) => {
          const headers = { 'content-type': 'application/json' };
          const init = sent === undefined ? {} : { headers, body: JSON.stringify(sent) };
          expect(await refusal(address, { method: method.toUpperCase(), ...init })).toBeUndefined();
        }),
        { numRuns: runs },
      );
    },
    120_000,
  );

  it.each(Object.entries(transferRoutes).map(([path, { method }]) => ({ path, method })))(
    '$method $path',
    async ({ path, method }) => {
      const described = paths[path]?.[method.toLowerCase()];
      const types = Object.keys(described?.requestBody?.content ?? {}).filter(
        (type) => type !== form && type !== 'application/zip',
      );
      // No schema describes contents, so these are those of an export.
      const sent = method === 'GET' ? fc.constant({}) : fc.constantFrom(...types).map((type) => asBody(type));
      await fc.assert(
        fc.asyncProperty(addressOf(path, described?.parameters ?? []), sent, async (address, init) => {
          expect(await refusal(address, { method, ...init })).toBeUndefined();
        }),
        { numRuns: runs },
      );
    },
    120_000,
  );

  it.each(Object.keys(clientRoutes))(
    'post %s',
    async (path) => {
      // Connecting writes into the home folder.
      const home = await mkdtemp(join(tmpdir(), 'threadkeep-home-'));
      vi.stubEnv('HOME', home);
      vi.stubEnv('APPDATA', home);
      for (const name of ['XDG_CONFIG_HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME']) vi.stubEnv(name, '');
      const headers = { 'content-type': 'application/json' };
      try {
        const parameter = paths[path]?.post?.parameters?.[0];
        const isAllowed = ajv.compile(parameter?.schema ?? false);
        const { body } = await service.send('/clients');
        const names = (body.clients as { client: string }[]).map(({ client }) => client);
        const allowed = names.filter((name) => isAllowed(name));
        expect(allowed).toContain('cursor');
        for (const name of allowed) {
          const address = path.replace('{client}', name);
          const refused = await refusal(address, { method: 'POST', headers, body: '{}' });
          expect({ name, refused }).toEqual({ name });
        }
      } finally {
        vi.unstubAllEnvs();
        await rm(home, { recursive: true, force: true });
      }
    },
    120_000,
  );

  it.each(['/memory/import', '/memory/imports'])(
    'a form with its settings to %s',
    async (path) => {
      const schema = paths[path]?.post?.requestBody?.content[form]?.schema ?? {};
      const { file: _, ...fields } = schema.properties as Record<string, Schema>;
      const allowed = allowedBy({ ...schema, properties: fields, required: [] }) as fc.Arbitrary<Body>;
      // A form sends another line break than it was given.
      const values = allowed.filter(
        (settings) => !Object.values(settings).some((value) => /[\r\n]/.test(String(value))),
      );
      await fc.assert(
        fc.asyncProperty(values, async (settings) => {
          const body = new FormData();
          for (const [name, value] of Object.entries(settings)) body.set(name, String(value));
          body.set('file', new Blob([anExport]), 'chats.json');
          expect(await refusal(`${path}?format=auto`, { method: 'POST', body })).toBeUndefined();
        }),
        { numRuns: runs },
      );
    },
    120_000,
  );

  it('leaves out no call that takes an input', () => {
    const tried = new Set([
      ...routes.map(({ method, path }) => `${method} ${path}`),
      ...Object.entries(transferRoutes).map(([path, { method }]) => `${method.toLowerCase()} ${path}`),
      ...Object.keys(clientRoutes).map((path) => `post ${path}`),
    ]);
    const untried = Object.entries(paths).flatMap(([path, calls]) =>
      Object.entries(calls)
        .filter(([, { parameters, requestBody }]) => parameters !== undefined || requestBody !== undefined)
        .map(([method]) => `${method} ${path}`)
        .filter((call) => !tried.has(call)),
    );
    expect(untried).toEqual([]);
  });

  it('an import says that its format is needed', () => {
    const parameters = paths['/memory/import']?.post?.parameters ?? [];
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(['format']);
  });
});

describe('what the description says of texts is what is checked', () => {
  const date = new RegExp(datePattern, 'u');
  const almostDates = fc.stringMatching(
    /^\s?(?:0000|1900|2000|2023|2024|9999)-(?:0[0-2]|1[0-3])-(?:0[01]|2[89]|3[0-2])(?:[Tt ](?:0\d|2[0-5]):[0-6]\d(?::(?:59|60|61)(?:[.,]\d+)?)?\s?(?:[Zz]|[+-](?:0\d|2[34]):?[0-6]\d)?)?\s?$/,
  );

  it('dates', () => {
    fc.assert(
      fc.property(fc.oneof(almostDates, anyText), (text) => {
        // At the edge of the years the description allows less.
        if (/^\s*(?:0000-01-01|9999-12-31)[Tt ]/.test(text)) {
          if (date.test(text)) expect(utcRange(text)).toBeDefined();
        } else expect(date.test(text)).toBe(utcRange(text) !== undefined);
      }),
      { numRuns: 5_000 },
    );
    expect(new RegExp(dayPattern, 'u').test('2024-02-29')).toBe(true);
    expect(new RegExp(dayPattern, 'u').test('2023-02-29')).toBe(false);
  });

  it('queries', () => {
    const isRead = (query: string): boolean => {
      try {
        parseQuery(query);
        return true;
      } catch (error) {
        if (error instanceof QueryError) return false;
        throw error;
      }
    };
    const allowed = new RegExp(queryPattern, 'u');
    fc.assert(
      fc.property(
        fc.oneof(
          composed,
          fc.array(composed).map((parts) => parts.join(' ')),
        ),
        (query) => {
          if (allowed.test(query)) expect(isRead(query)).toBe(true);
        },
      ),
      { numRuns: 5_000 },
    );
    for (const query of [
      'role:user tea',
      'has:Code',
      'before:2024',
      'on:"2024-05"',
      'after:2024-02-29T10:00Z x',
      'a role: b',
      'turn on: now',
      'carole:x',
    ]) {
      expect({ query, allowed: allowed.test(query) }).toEqual({ query, allowed: true });
    }
    for (const query of ['role:me', '-has:x y', 'tea before:soon', '-on:2024', 'ON:2024-02-30', ' ']) {
      expect({ query, allowed: allowed.test(query) }).toEqual({ query, allowed: false });
    }
  });
});
