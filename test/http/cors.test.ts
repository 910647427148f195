import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, startService, type TestService } from '../support/service.js';

const origin = 'chrome-extension://abcdefghijklmnop';

let service: TestService;
beforeAll(async () => {
  service = await startService({ api: { cors_allow_origins: [origin, 'http://localhost:5173'] } });
});
afterAll(() => service.close());

const listOf = (headers: Headers, name: string) =>
  (headers.get(name) ?? '').split(',').map((each) => each.trim().toLowerCase());

describe('a preflight', () => {
  // Reference bug 38: the headers of MCP were neither allowed nor exposed.
  it('of an allowed origin names the methods and headers that may be used', async () => {
    const { status, headers } = await service.send('/memory/insert', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toMatch(/origin/i);
    expect(listOf(headers, 'access-control-allow-methods').sort()).toEqual(['delete', 'get', 'options', 'post']);
    expect(listOf(headers, 'access-control-allow-headers').sort()).toEqual([
      'authorization',
      'content-type',
      'idempotency-key',
      'last-event-id',
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'mcp-session-id',
      'x-request-id',
    ]);
  });

  it('names only the origin that asks', async () => {
    const { headers } = await service.send('/memory/insert', {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  });
});

describe('an answer to an allowed origin', () => {
  it.each([
    ['a success', '/health', 200],
    ['an error', '/nowhere', 404],
  ])('can be read, with its request id: %s', async (_, path, expected) => {
    const { status, headers } = await service.send(path, { headers: { origin } });
    expect(status).toBe(expected);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('vary')).toMatch(/origin/i);
    expect(listOf(headers, 'access-control-expose-headers').sort()).toEqual([
      'idempotency-replayed',
      'mcp-session-id',
      'www-authenticate',
      'x-request-id',
    ]);
  });
});

describe('without configured origins', () => {
  it('no origin may read', async () => {
    const closed = await aService();
    const { headers } = await closed.send('/health', { headers: { origin: 'http://localhost:5173' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
