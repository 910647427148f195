import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createToken, revokeToken, rotateToken } from '../../src/auth/tokens.js';
import { setUserDisabled } from '../../src/auth/users.js';
import { aUser, bearer, callsWith, type TestUser } from '../support/accounts.js';
import { aNote } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aServer, dial } from '../support/server.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let nora: TestUser;
beforeAll(async () => {
  service = await startService(bearer);
  nora = await aUser(service, 'nora');
  await nora.post('/memory/insert', aNote('my canoe is green'));
});
afterAll(() => service.close());

const search = { method: 'POST', body: '{"query":"canoe"}' };

async function attempt(headers: Record<string, string>, path = '/memory/search') {
  const {
    status,
    headers: answered,
    body,
  } = await service.send(path, {
    ...search,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status, challenge: answered.get('www-authenticate'), body };
}

it.each(['oauth-protected-resource', 'oauth-protected-resource/mcp', 'openid-configuration'])(
  'refuses every other way to send a token: %s',
  async (document) => {
    expect((await service.send(`/.well-known/${document}`)).status).toBe(404);
    expect((await service.send('/nowhere')).status).toBe(401);
  },
);

describe('a bearer token', () => {
  it('opens the memory of its user', async () => {
    const { status, body } = await nora.post('/memory/search', { query: 'canoe' });
    expect({ status, results: body.results }).toMatchObject({ status: 200, results: [{ text: 'my canoe is green' }] });
  });

  const missing = 'Bearer realm="threadkeep", scope="memory:read"';
  const malformed = 'Bearer realm="threadkeep", error="invalid_request", scope="memory:read"';
  const invalid = 'Bearer realm="threadkeep", error="invalid_token", scope="memory:read"';
  it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, string]>([
    ['that is missing', () => ({}), missing],
    ['that is empty', () => ({ authorization: '' }), malformed],
    ['without its scheme', () => ({ authorization: nora.token }), malformed],
    ['as a password', () => ({ authorization: `Basic ${btoa(`nora:${nora.token}`)}` }), malformed],
    ['in another header', () => ({ 'x-api-key': nora.token, cookie: `token=${nora.token}` }), missing],
    ['twice', () => ({ authorization: `Bearer ${nora.token}, Bearer ${nora.token}` }), malformed],
    ['that is unknown', () => ({ authorization: `Bearer tk_${'a'.repeat(43)}` }), invalid],
    ['in another case', () => ({ authorization: `Bearer ${nora.token.toUpperCase()}` }), invalid],
    ['that is cut short', () => ({ authorization: `Bearer ${nora.token.slice(0, -1)}` }), invalid],
    ['that is only its prefix', () => ({ authorization: `Bearer ${nora.token.slice(0, 12)}` }), invalid],
    ['that is only its id', () => ({ authorization: `Bearer ${nora.tokenId}` }), invalid],
    ['that was never signed by anyone', () => ({ authorization: `Bearer ${unsigned()}` }), invalid],
    ['that was revoked', async () => ({ authorization: `Bearer ${await revoked()}` }), invalid],
    ['that expired', async () => ({ authorization: `Bearer ${await expired()}` }), invalid],
  ])('%s is refused', async (_, headersOf, expected) => {
    const headers = await headersOf();
    const { status, challenge, body } = await attempt(headers);
    expect({ status, challenge, code: body.error_code }).toEqual({
      status: 401,
      challenge: expected,
      code: 'unauthenticated',
    });
    expect(JSON.stringify(body)).not.toContain(nora.token.slice(0, 12));
    expect(body).not.toHaveProperty('results');
  });

  it.each(['access_token', 'token'])(
    'in the address as %s is refused, beside a good one too, and not logged',
    async (name) => {
      const { status, challenge } = await attempt(
        { authorization: `Bearer ${nora.token}` },
        `/memory/search?${name}=${nora.token}`,
      );
      expect({ status, challenge }).toEqual({
        status: 401,
        challenge: 'Bearer realm="threadkeep", error="invalid_request", scope="memory:read"',
      });
      expect(service.logLines.join('\n')).not.toContain(nora.token);
    },
  );

  it('without the scope is refused with the scope it lacks', async () => {
    const writer = await aUser(service, 'nora', ['memory:write']);
    const { status, headers, body } = await writer.post('/memory/search', { query: 'canoe' });
    expect({ status, challenge: headers.get('www-authenticate') }).toEqual({
      status: 403,
      challenge: 'Bearer realm="threadkeep", error="insufficient_scope", scope="memory:read"',
    });
    expect(body).toMatchObject({ error_code: 'insufficient_scope', required_scope: 'memory:read' });
  });

  it.each([
    '/memory//search',
    '/MEMORY/SEARCH',
    '/memory/search/../search',
    '/memory/%73earch',
    '/memory/search%2f',
    '/./memory/search',
    '/memory/search;x=1',
    '/health/../memory/search',
    '/health%2f..%2fmemory/search',
    '//memory/search',
    '/connect/../memory/search',
  ])('is asked for at %s', async (path) => {
    expect((await attempt({}, path)).status).toBe(401);
  });

  it.each(['x-forwarded-user', 'x-original-url', 'x-rewrite-url', 'x-http-method-override', 'x-forwarded-for'])(
    'cannot be replaced by the header %s',
    async (name) => {
      expect((await attempt({ [name]: '/health' })).status).toBe(401);
    },
  );
});

describe('what happens to an account', () => {
  it('counts from the next request on', async () => {
    const omar = await aUser(service, 'omar');
    const { administration } = service.runtime.access;
    const status = async () => (await omar.get('/memory/projects')).status;
    expect(await status()).toBe(200);
    await setUserDisabled(administration, 'omar', { disabled: true });
    expect(await status()).toBe(401);
    await setUserDisabled(administration, 'omar', { disabled: false });
    expect(await status()).toBe(200);
    const { token } = await rotateToken(administration, omar.tokenId);
    expect(await status()).toBe(401);
    const renewed = callsWith(service, token);
    expect((await renewed.get('/memory/projects')).status).toBe(200);
    await revokeToken(administration, token.slice(0, 12));
    expect((await renewed.get('/memory/projects')).status).toBe(401);
  });

  it('is in the audit log, with refusals counted together', async () => {
    const { audit } = service.runtime.access.administration;
    await service.runtime.access.flush();
    const events = (await audit.newest({ userId: 'omar', limit: 100 })).map(({ event }) => event);
    expect(new Set(events)).toEqual(
      new Set([
        'user_created',
        'token_created',
        'token_first_used',
        'user_disabled',
        'user_enabled',
        'token_rotated',
        'token_revoked',
      ]),
    );
    const refused = await audit.newest({ event: 'token_refused', limit: 100 });
    expect(refused.some(({ reason, count }) => reason === 'malformed' && count > 1)).toBe(true);
    const denied = await audit.newest({ event: 'access_denied', userId: 'nora', limit: 100 });
    expect(denied).toMatchObject([{ reason: 'insufficient_scope' }]);
    expect(JSON.stringify(await audit.newest({ limit: 1_000 }))).not.toContain(nora.token.slice(0, 12));
  });
});

describe('the server', () => {
  it('keeps no secret in its log or its store', async () => {
    const text = service.logLines.join('\n');
    expect(text).not.toContain(nora.token);
    const rows = await service.service.records.accounts.tokens();
    expect(JSON.stringify(rows)).not.toContain(nora.token);
  });

  it('refuses oversized and smuggled heads on its socket', async () => {
    const server = await aServer(bearer);
    const cases: [string, number[]][] = [
      [
        `GET /memory/projects HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${'a'.repeat(20_000)}\r\n\r\n`,
        [431],
      ],
      [
        'GET /memory/projects HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
        [401],
      ],
      ['GET /memory/projects HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization : Bearer a\r\n\r\n', [400]],
      ['GET /memory/projects HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization:\r\n Bearer a\r\n\r\n', [400, 401]],
      [
        'POST /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /memory/projects HTTP/1.1\r\n\r\n',
        [400, 405],
      ],
      ['GET http://127.0.0.1/memory/projects HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', [400, 401]],
    ];
    for (const [request, expected] of cases) {
      const line = await dial(server.url);
      line.send(request);
      await vi.waitFor(() => expect(line.status()).not.toBe(0), soon);
      expect({
        request: request.slice(0, 90),
        status: expected.includes(line.status()) ? 'expected' : line.status(),
      }).toEqual({
        request: request.slice(0, 90),
        status: 'expected',
      });
      expect(line.received().match(/HTTP\/1\.1 200/g)).toBeNull();
      line.socket.destroy();
    }
  });
});

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: 'nora', scope: 'memory:read' })}.`;
}

async function revoked(): Promise<string> {
  const { administration } = service.runtime.access;
  const { token, row } = await createToken(administration, { user: 'nora' });
  await revokeToken(administration, row.id);
  return token;
}

async function expired(): Promise<string> {
  const { administration } = service.runtime.access;
  const past = { ...administration, now: () => '2026-01-01T00:00:00.000Z' };
  return (await createToken(past, { user: 'nora', lifetime: 60_000 })).token;
}
