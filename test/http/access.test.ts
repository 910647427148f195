import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientRoutes, memoryRoutes } from '../../src/http/routes.js';
import { aUser, bearer, type TestUser } from '../support/accounts.js';
import { aService, startService, type TestService } from '../support/service.js';

/** Written here once more by hand: a change of who may do what must be meant. scope-table.test.ts tries every combination. */
const declared: Record<string, string> = {
  '/': 'public',
  '/health': 'public',
  '/ready': 'public',
  '/observability': 'any',
  '/openapi.json': 'any',
  '/docs': 'any',
  '/memory/insert': 'memory:write',
  '/memory/search': 'memory:read',
  '/memory/retrieve': 'memory:read',
  '/memory/context': 'memory:read',
  '/memory/ask': 'memory:read',
  '/memory/facts/search': 'memory:read',
  '/memory/profile/get': 'memory:read',
  '/memory/people': 'memory:read',
  '/memory/facts/supersede': 'read and write',
  '/memory/facts/restore': 'memory:manage',
  '/memory/facts': 'memory:manage',
  '/memory/facts/:fact_id/correct': 'memory:manage',
  '/memory/facts/:fact_id/retract': 'memory:manage',
  '/memory/facts/:fact_id/pin': 'memory:manage',
  '/memory/facts/:fact_id/unpin': 'memory:manage',
  '/memory/facts/:fact_id/detach': 'memory:manage',
  '/memory/facts/:fact_id/undo': 'memory:manage',
  '/memory/conversations/list': 'memory:read',
  '/memory/conversations/update': 'memory:manage',
  '/config': 'service:operate',
  '/metrics': 'service:operate',
  '/clients': 'any',
  '/clients/:client/connect': 'service:operate',
  '/clients/:client/disconnect': 'service:operate',
  '/memory/activity': 'memory:read',
  '/memory/timeline': 'memory:read',
  '/memory/validate': 'memory:read',
  '/memory/forget': 'memory:manage',
  '/memory/export': 'memory:read',
  '/memory/import': 'memory:write',
  '/memory/imports': 'memory:write',
  '/memory/imports/cancel': 'memory:write',
  '/memory/imports/:import_id': 'memory:write',
  '/memory/pending/approve': 'read and write',
  '/memory/pending/reject': 'read and write',
  '/memory/projects': 'memory:read',
  '/memory/projects/default': 'memory:read',
  '/memory/projects/:project_id': 'memory:read',
  '/memory/projects/:project_id/members': 'memory:read',
  '/memory/projects/members/set': 'memory:manage',
  '/memory/projects/members/remove': 'memory:manage',
  '/memory/tokens': 'memory:read',
  '/memory/tokens/revoke': 'memory:manage',
  '/mcp': 'either',
  '/connect': 'public',
};

/** With `oauth_resource_server`: what a stranger needs to get a token. */
const openWithOAuth = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/auth/:provider',
  '/auth/:provider/callback',
  '/auth/logout',
  '/connect/script.js',
  '/connect/style.css',
  '/connect/tokens',
  '/connect/tokens/revoke',
  '/oauth/authorize',
  '/oauth/consent',
  '/oauth/register',
  '/oauth/revoke',
  '/oauth/token',
];

let service: TestService;
let reader: TestUser;
let writer: TestUser;
beforeAll(async () => {
  service = await startService(bearer);
  reader = await aUser(service, 'nora', ['memory:read']);
  writer = await aUser(service, 'nora', ['memory:write']);
});
afterAll(() => service.close());

describe('every route', () => {
  it('is declared with who may use it', () => {
    const served = new Set(service.app.routes.map(({ path }) => path).filter((path) => path !== '/*'));
    expect([...served].sort()).toEqual(Object.keys(declared).sort());
  });

  it('answers only those callers', async () => {
    for (const [path, access] of Object.entries(declared)) {
      const written = path.replace(/:(\w+)/g, '{$1}');
      const posted = memoryRoutes.some((route) => route.path === written && route.method === undefined);
      const method = posted || written in clientRoutes || path === '/memory/import' ? 'post' : 'get';
      const ask = (user: TestUser) => (method === 'post' ? user.post(path, {}) : user.get(path));
      const bare = await service.send(path, { method: method.toUpperCase() });
      expect({ path, refused: bare.status === 401 }).toEqual({ path, refused: access !== 'public' });
      for (const [user, has] of [
        [reader, 'memory:read'],
        [writer, 'memory:write'],
      ] as const) {
        const denied = !['public', 'any', 'either', has].includes(access);
        expect({ path, has, denied: (await ask(user)).status === 403 }).toEqual({ path, has, denied });
      }
    }
  });

  it('to the connect page is open in each mode, and explains the page in modes without sign-in', async () => {
    const none = await aService();
    const closed = await aService({
      api: {
        auth: 'oauth_resource_server',
        connect: { enabled: false },
        oauth: { authorization_servers: ['https://login.example.com'] },
      },
    });
    for (const each of [service, none, closed]) {
      const { status, body } = await each.send('/connect');
      expect({ status, body }).toMatchObject({ status: 404, body: { error_code: 'not_found' } });
      expect(body.error_message).toContain('oauth_resource_server');
    }
  });

  it('of OAuth is public, and there only with oauth_resource_server', async () => {
    const oauth = await aService({ api: { auth: 'oauth_resource_server' } });
    const served = new Set(oauth.app.routes.map(({ path }) => path).filter((path) => path !== '/*'));
    expect([...served].sort()).toEqual([...Object.keys(declared), ...openWithOAuth].sort());
    for (const path of openWithOAuth) {
      expect((await oauth.send(path.replace(':provider', 'x'))).status).not.toBe(401);
      // Documents that a client looks for before it has a token are missed openly.
      const missed = path.startsWith('/.well-known/') ? 404 : 401;
      expect((await service.send(path.replace(':provider', 'x'))).status).toBe(missed);
    }
  });

  it('asks for a token before it says that a method or an address is wrong', async () => {
    for (const path of ['/memory/insert', '/memory/search/', '/nowhere', '/memory', '/memory/projects/x/y']) {
      expect((await service.send(path, { method: 'PUT' })).status).toBe(401);
    }
    expect((await reader.get('/nowhere')).status).toBe(404);
    expect((await reader.get('/memory/insert')).status).toBe(405);
  });
});

describe('the description', () => {
  it('says that a token is needed, and which scope', async () => {
    const { body } = await reader.get('/openapi.json');
    expect(body).toMatchObject({
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      paths: { '/memory/insert': { post: { security: [{ token: [] }], 'x-required-scope': 'memory:write' } } },
    });
  });
});
