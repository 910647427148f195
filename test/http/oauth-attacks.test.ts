import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBrowser } from '../support/browser.js';
import {
  allowed,
  anOAuthServer,
  authorizeUrl,
  aVerifier,
  callback,
  type OAuthServer,
  projectsWith,
  registered,
  signedIn,
  startOAuthServer,
  tokenCall,
} from '../support/oauth.js';

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuthServer();
});
afterAll(() => server.remove());

async function withCode(at: OAuthServer = server) {
  const { browser, page } = await signedIn(at, 'nora');
  const client_id = await registered(at);
  const { verifier, challenge } = aVerifier();
  const back = await allowed(at, browser, { client_id, code_challenge: challenge });
  const code = back.searchParams.get('code') ?? '';
  const exchange = {
    grant_type: 'authorization_code',
    client_id,
    redirect_uri: callback,
    code,
    code_verifier: verifier,
  };
  return { browser, page, client_id, challenge, exchange };
}

describe('a code', () => {
  it('that is shown twice ends what came of it', async () => {
    const { exchange } = await withCode();
    const [first, second] = await Promise.all([tokenCall(server, exchange), tokenCall(server, exchange)]);
    expect([first.status, second.status].sort()).toEqual([200, 400]);
    const good = first.status === 200 ? first : second;
    expect((await tokenCall(server, exchange)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await projectsWith(server, good.body.access_token ?? '')).toBe(401);
  });

  it.each([
    ['with another verifier', { code_verifier: aVerifier().verifier }],
    ['without a verifier', { code_verifier: '' }],
    ['by another client', { client_id: 'client_other' }],
    ['for another address', { redirect_uri: 'http://localhost:1/other' }],
    ['for another resource', { resource: 'https://other.example/mcp' }],
    ['that was made up', { code: 'made-up' }],
  ])('%s is refused', async (_, changed) => {
    const { exchange } = await withCode();
    const { status, body } = await tokenCall(server, { ...exchange, ...changed });
    expect(status).toBe(400);
    expect(['invalid_grant', 'invalid_target']).toContain(body.error);
    expect(body).not.toHaveProperty('access_token');
  });
});

describe('an application', () => {
  it.each([
    ['https://evil.example/callback'],
    ['http://localhost:1/callback/'],
    ['http://localhost:1/callback?x=1'],
    ['http://localhost:1/Callback'],
    ['http://localhost:2/callback'],
    ['http://localhost:1/callback#x'],
    ['http://user@localhost:1/callback'],
    ['//evil.example'],
    ['javascript:alert(1)'],
  ])('cannot have the answer sent to %s', async (redirect_uri) => {
    const { browser } = await signedIn(server, 'nora');
    const client_id = await registered(server);
    const page = await browser.visit(
      authorizeUrl(server, { client_id, code_challenge: aVerifier().challenge, redirect_uri }),
    );
    expect({ status: page.status, at: new URL(page.url).origin }).toEqual({ status: 400, at: server.url });
    expect(page.text).not.toContain(redirect_uri);
  });

  it.each([
    [['http://evil.example/cb']],
    [['javascript:alert(1)']],
    [['data:text/html,x']],
    [['https://ok.example/cb#x']],
    [['https://user:pass@ok.example/cb']],
    [['https://*.example.com/cb']],
    [[]],
    [undefined],
  ])('cannot register %j', async (redirect_uris) => {
    const answer = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris }),
    });
    expect(answer.status).toBe(400);
    expect(['invalid_redirect_uri', 'invalid_client_metadata']).toContain(
      ((await answer.json()) as { error: string }).error,
    );
  });

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
    ['invalid_scope', { scope: 'memory:everything' }],
  ])('gets %s for %j', async (error, changed) => {
    const { browser } = await signedIn(server, 'nora');
    const client_id = await registered(server);
    const page = await browser.visit(
      authorizeUrl(server, { client_id, code_challenge: aVerifier().challenge, ...changed }),
    );
    const back = new URL(page.url);
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([error, 'xyz']);
  });

  it('with a name of markup is shown as text', async () => {
    const { browser } = await signedIn(server, 'nora');
    const client_id = await registered(server, { client_name: '<script>alert(1)</script>"><b>' });
    const page = await browser.visit(authorizeUrl(server, { client_id, code_challenge: aVerifier().challenge }));
    expect(page.text).toContain('&lt;script&gt;');
    expect(page.text).not.toContain('<script>alert');
  });
});

describe('a form', () => {
  it('of another site, another session or without its secret is refused', async () => {
    const { browser, page } = await signedIn(server, 'nora');
    const { page: other } = await signedIn(server, 'omar');
    const csrf = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const cookie = [...browser.cookies('127.0.0.1')].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = async (headers: Record<string, string>, fields: Record<string, string>) =>
      (
        await fetch(`${server.url}/connect/tokens`, {
          method: 'POST',
          headers: { cookie, ...headers },
          body: new URLSearchParams({ name: 'x', scope: 'memory:read', ...fields }),
        })
      ).status;
    expect(await send({}, { csrf: csrf(page.text) })).toBe(200);
    expect(await send({ origin: 'https://evil.example' }, { csrf: csrf(page.text) })).toBe(403);
    expect(await send({ origin: 'http://localhost:5173' }, { csrf: csrf(page.text) })).toBe(403);
    expect(await send({ origin: 'null' }, { csrf: csrf(page.text) })).toBe(403);
    expect(await send({}, {})).toBe(403);
    expect(await send({}, { csrf: csrf(other.text) })).toBe(403);
    expect(await send({ cookie: '' }, { csrf: csrf(page.text) })).toBe(401);
    expect(await send({ cookie: '__Host-threadkeep_session=planted' }, { csrf: csrf(page.text) })).toBe(401);
  });

  it("cannot revoke another's token or answer another's question", async () => {
    const nora = await signedIn(server, 'nora');
    const omar = await signedIn(server, 'omar');
    const made = await nora.browser.submit(nora.page, '/connect/tokens', {
      name: 'x',
      scope: 'memory:read',
      lifetime: '30d',
    });
    const token = /tk_[A-Za-z0-9_-]{43}/.exec(made.text)?.[0] ?? '';
    const token_id = /name="token_id" value="([^"]+)"/.exec(made.text)?.[1] ?? '';
    const own = await omar.browser.submit(omar.page, '/connect/tokens', {
      name: 'y',
      scope: 'memory:read',
      lifetime: '30d',
    });
    const mixed = {
      ...own,
      text: own.text.replace(/name="token_id" value="[^"]+"/, `name="token_id" value="${token_id}"`),
    };
    expect((await omar.browser.submit(mixed, '/connect/tokens/revoke', {})).status).toBe(404);
    expect(await projectsWith(server, token)).toBe(200);

    const client_id = await registered(server);
    const ask = authorizeUrl(server, { client_id, code_challenge: aVerifier().challenge });
    const [hers, his] = [await nora.browser.visit(ask), await omar.browser.visit(ask)];
    const question = /name="request" value="([^"]+)"/.exec(hers.text)?.[1] ?? '';
    const swapped = {
      ...his,
      text: his.text.replace(/name="request" value="[^"]+"/, `name="request" value="${question}"`),
    };
    const answered = await omar.browser.submit(swapped, '/oauth/consent', { decision: 'allow', scope: 'memory:read' });
    expect(answered.status).toBe(400);
  });
});

describe('a sign-in', () => {
  it('that another browser began cannot be finished here', async () => {
    const attacker = aBrowser();
    const first = await attacker.visit(`${server.url}/auth/test`);
    const consent = await attacker.submit(first, '/interaction/', { login: 'mallory', password: 'x' });
    const back = await attacker.submit(consent, '/interaction/', {});
    expect(back.status).toBe(200);
    const victim = aBrowser();
    const planted = await victim.visit(`${server.url}/auth/test/callback?code=stolen&state=stolen`);
    expect({ status: planted.status, cookies: victim.cookies('127.0.0.1').size }).toEqual({ status: 403, cookies: 0 });
  });

  it('gets another session than the one the browser came with, which ends', async () => {
    const { browser } = await signedIn(server, 'nora');
    const before = browser.cookies('127.0.0.1').get('__Host-threadkeep_session');
    const again = await browser.visit(`${server.url}/auth/test`);
    expect(again.url).toBe(`${server.url}/connect`);
    expect(browser.cookies('127.0.0.1').get('__Host-threadkeep_session')).not.toBe(before);
    const old = await fetch(`${server.url}/connect`, { headers: { cookie: `__Host-threadkeep_session=${before}` } });
    expect(await old.text()).toContain('You are not signed in');
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/memory/insert',
    '/oauth/authorize@evil.example',
  ])('does not lead to %s afterwards', async (place) => {
    const browser = aBrowser();
    const first = await browser.visit(`${server.url}/auth/test?return_to=${encodeURIComponent(place)}`);
    const consent = await browser.submit(first, '/interaction/', { login: 'nora', password: 'x' });
    expect((await browser.submit(consent, '/interaction/', {})).url).toBe(`${server.url}/connect`);
  });

  it('through a provider that cannot be reached is a page that says so, and the log has the cause', async () => {
    const test = { issuer: 'http://127.0.0.1:9', client_id: 'x', client_secret: 'hunter2-secret' };
    const server = await anOAuthServer({ connect: { providers: { test } } });
    const answer = await fetch(`${server.url}/auth/test`, { redirect: 'manual' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('10');
    expect(await answer.text()).toContain('The sign-in provider cannot be reached; try again later');
    const log = await readFile(join(server.folder, 'logs', 'threadkeep.log'), 'utf8');
    const line = log.split('\n').find((each) => each.includes('/auth/{provider}')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      status: 503,
      error: expect.stringMatching(/OAuthError: .+ < /),
    });
    expect(log).not.toContain('hunter2');
  });

  it('through a provider that is not offered is not found', async () => {
    for (const name of ['google', '__proto__', 'constructor', 'nothing']) {
      expect((await fetch(`${server.url}/auth/${name}`, { redirect: 'manual' })).status).toBe(404);
    }
  });
});

describe('the log', () => {
  it('holds no token, code, cookie or secret of a whole flow', async () => {
    const logged = await anOAuthServer({}, { logLevel: 'info' });
    const { browser, exchange } = await withCode(logged);
    const { body } = await tokenCall(logged, exchange);
    await tokenCall(logged, { ...exchange, code: 'made-up' });
    const session = browser.cookies('127.0.0.1').get('__Host-threadkeep_session') ?? '';
    await logged.close();
    const log = await readFile(join(logged.folder, 'logs', 'threadkeep.log'), 'utf8');
    const secrets = [
      body.access_token,
      body.refresh_token,
      exchange.code,
      exchange.code_verifier,
      session,
      logged.provider.client.client_secret,
    ];
    for (const secret of secrets) expect(secret !== undefined && secret !== '' && log.includes(secret)).toBe(false);
    expect(log).toContain('consent_given');
    expect(log).not.toContain('nora');
  });
});

describe('registering repeatedly', () => {
  it('is refused after a while for an address, where requests are counted', async () => {
    const counted = await anOAuthServer({ rate_limits: { enabled: 'on' } });
    const register = async (): Promise<number> => {
      const body = JSON.stringify({ redirect_uris: [callback] });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${counted.url}/oauth/register`, { method: 'POST', headers, body })).status;
    };
    const statuses: number[] = [];
    for (let number = 0; number < 21; number++) statuses.push(await register());
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
  });
});
