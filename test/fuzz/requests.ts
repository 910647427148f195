import fc from '../support/properties.js';
import type { Sent } from './client.js';
import { type Known, mutated, mutations, type Schema, valuesOf } from './from-schema.js';
import { canary, fieldCanary, oddText } from './odd-values.js';
import type { Call, OpenApi } from './oracle.js';
import { damaged, damages } from './wire-damage.js';

type Headers = Record<string, string>;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'QUERY', 'M-SEARCH'];

/** Headers that are good, useless or hostile; most requests carry none of them. */
const oddHeaders: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Headers>({}) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Headers>(
      { accept: 'application/x-ndjson' },
      { accept: `text/${canary}` },
      { 'accept-encoding': 'gzip, br, zstd, *;q=0' },
      { origin: `https://${canary}.example` },
      { origin: 'null' },
      { origin: 'http://localhost:3000' },
      { host: `${canary}.example` },
      { 'x-request-id': 'x'.repeat(129) },
      { 'x-request-id': '\t' },
      { 'idempotency-key': canary },
      { 'idempotency-key': 'k'.repeat(256) },
      { 'idempotency-key': `two ${canary}` },
      { 'content-encoding': 'gzip' },
      { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
      { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` },
      { traceparent: canary.repeat(20) },
      { cookie: `session=${canary}; ${canary}` },
      { range: 'bytes=0-10' },
      { 'if-none-match': '*' },
      { 'x-forwarded-for': canary },
      { 'x-http-method-override': 'DELETE' },
      { forwarded: `for=${canary}` },
      { referer: `https://${canary}.example/` },
      { 'user-agent': canary },
      { authorization: `Bearer ${canary}` },
      { authorization: `Basic ${canary}` },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${'x'.repeat(9_000)}` },
    ),
  },
);

const contentTypes: fc.Arbitrary<string> = fc.oneof(
  { weight: 30, arbitrary: fc.constant('application/json') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-16',
      'application/vnd.api+json',
      'APPLICATION/JSON',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      'multipart/form-data; boundary=""',
      'json',
      canary,
      '',
      ';',
    ),
  },
);

/** A part of an address: any text in its encoded form, or an encoding that is none. */
const pathPart: fc.Arbitrary<string> = fc.oneof(
  oddText.map((text) => encodeURIComponent(text.slice(0, 500).toWellFormed()) || '%20'),
  fc.constantFrom('%', '%zz', '%00', '%ff%fe', '%2e%2e%2f', '..', '.', '%c0%af', `${canary}%`, '%ed%a0%80', '+', '*'),
);

const queries: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      `?token=${canary}`,
      `?access_token=${canary}`,
      '?',
      '?&&&=',
      '?%',
      `?${fieldCanary}=%zz`,
      `?__proto__=${canary}&constructor=1`,
      `?${'a=1&'.repeat(500)}`,
    ),
  },
);

export interface RequestParts {
  document: OpenApi;
  known: Known;
  /** Values of `Authorization` that somebody has; undefined stands for none. */
  credentials: readonly (string | undefined)[];
}

/** Every call of the description: mostly well meant, often nearly right, sometimes nonsense. */
export function requestsOf(parts: RequestParts): fc.Arbitrary<Sent> {
  const calls = Object.entries(parts.document.paths).flatMap(([path, of]) =>
    Object.entries(of).map(([method, call]) => ({ path, method: method.toUpperCase(), call })),
  );
  const credentials = fc.constantFrom(...parts.credentials);
  const one = calls.map(({ path, method, call }) => ({
    weight: path.startsWith('/memory/') ? 4 : 1,
    arbitrary: callOf(parts, { path, method, call }),
  }));
  return fc.tuple(fc.oneof(...one), credentials, oddHeaders).map(([sent, authorization, headers]) => ({
    ...sent,
    headers: { ...sent.headers, ...(authorization === undefined ? {} : { authorization }), ...headers },
  }));
}

function callOf(parts: RequestParts, given: { path: string; method: string; call: Call }): fc.Arbitrary<Sent> {
  const { path, method, call } = given;
  const otherMethod = fc.oneof(
    { weight: 30, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: fc.constantFrom(...methods) },
  );
  const schema = call.requestBody?.content['application/json']?.schema;
  const body = schema === undefined ? fc.constant(undefined) : bodiesOf(schema, parts.known);
  return fc
    .tuple(otherMethod, addressOf(path, call, parts.known), body, contentTypes)
    .map(([actual, address, content, type]) => {
      const sends = content !== undefined && actual !== 'GET' && actual !== 'HEAD';
      return {
        method: actual,
        path: address,
        headers: sends && type !== '' ? { 'content-type': type } : {},
        ...(sends ? { body: content } : {}),
      };
    });
}

export function bodiesOf(schema: Schema, known: Known): fc.Arbitrary<Buffer> {
  return fc
    .tuple(valuesOf(schema, known), mutations, damages)
    .map(([value, changes, damage]) => damaged(JSON.stringify(mutated(value, changes)) ?? '', damage));
}

function addressOf(path: string, call: Call, known: Known): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const values = names.map((name) => {
    const real = known[name] ?? [];
    return real.length === 0 ? pathPart : fc.oneof(fc.constantFrom(...real), pathPart);
  });
  const listed = (call.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const own = listed.map(({ name, schema }) =>
    fc.oneof(valuesOf(schema, known, name), oddText).map((value) => [name, String(value).toWellFormed()]),
  );
  const chosen = own.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...own), { maxLength: 4 });
  return fc.tuple(fc.tuple(...values), chosen, queries).map(([filled, pairs, extra]) => {
    let next = 0;
    const place = path.replace(/\{\w+\}/g, () => filled[next++] ?? '');
    const query = pairs
      .map(([name = '', value = '']) => `${name}=${encodeURIComponent(value.slice(0, 2_000))}`)
      .join('&');
    return query === '' ? place + extra : `${place}?${query}${extra.replace('?', '&')}`;
  });
}
