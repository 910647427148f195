import { describe, expect, it } from 'vitest';
import { aBrowser } from '../support/browser.js';
import {
  allowed,
  anOAuthServer,
  authorizeUrl,
  aVerifier,
  callback,
  passProvider,
  projectsWith,
  registered,
  signedIn,
  tokenCall,
} from '../support/oauth.js';

describe('the connect page', () => {
  it('shows the address, the ways in and the clients to anyone, and loads nothing from elsewhere', async () => {
    const server = await anOAuthServer();
    const { status, text, headers } = await aBrowser().visit(`${server.url}/connect`);
    expect(status).toBe(200);
    for (const words of [`${server.url}/mcp`, 'Sign in with Test', 'Google: not available', 'Claude Code', 'Codex']) {
      expect(text).toContain(words);
    }
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!\/connect\/|data:,)/);
    expect(text).not.toMatch(/style="|onclick=|<style|<script>/);
  });

  it('lets a person sign in, make a token, use it, revoke it and sign out', async () => {
    const server = await anOAuthServer();
    const { browser, page } = await signedIn(server, 'nora');
    expect(page.url).toBe(`${server.url}/connect`);
    expect(page.text).toContain('nora Example');
    const made = await browser.submit(page, '/connect/tokens', {
      name: 'My <b>laptop</b>',
      lifetime: '90d',
      scope: ['memory:read'],
    });
    const token = /tk_[A-Za-z0-9_-]{43}/.exec(made.text)?.[0] ?? '';
    expect(made.text).toContain('My &lt;b&gt;laptop&lt;/b&gt;');
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(await projectsWith(server, token)).toBe(200);
    const again = await browser.visit(`${server.url}/connect`);
    expect(again.text).not.toContain(token);
    expect(again.text).toContain(token.slice(0, 12));
    await browser.submit(again, '/connect/tokens/revoke', {});
    expect(await projectsWith(server, token)).toBe(401);
    const out = await browser.submit(again, '/auth/logout', {});
    expect(out.text).toContain('You are not signed in');
    expect(browser.cookies('127.0.0.1').size).toBe(0);
  });
});

describe('the metadata', () => {
  it('leads from a bare 401 to the place that issues tokens', async () => {
    const server = await anOAuthServer();
    const bare = await fetch(`${server.url}/mcp`, { method: 'POST' });
    const document = `${server.url}/.well-known/oauth-protected-resource`;
    expect({ status: bare.status, challenge: bare.headers.get('www-authenticate') }).toEqual({
      status: 401,
      challenge: `Bearer realm="threadkeep", scope="memory:read memory:write", resource_metadata="${document}/mcp"`,
    });
    for (const path of ['', '/mcp']) {
      expect(await (await fetch(document + path)).json()).toMatchObject({
        resource: `${server.url}/mcp`,
        authorization_servers: [server.url],
        scopes_supported: ['memory:read', 'memory:write'],
        bearer_methods_supported: ['header'],
      });
      const issuer = await fetch(`${server.url}/.well-known/oauth-authorization-server${path}`);
      expect(await issuer.json()).toMatchObject({
        issuer: server.url,
        code_challenge_methods_supported: ['S256'],
        client_id_metadata_document_supported: true,
      });
    }
  });
});

describe('an application', () => {
  it('gets what the person allows, refreshes it, and loses it when it is revoked', async () => {
    const server = await anOAuthServer();
    const client_id = await registered(server);
    const { verifier, challenge } = aVerifier();
    const browser = aBrowser();
    // Not signed in yet: the way leads through the provider and back to the question.
    const first = await browser.visit(
      authorizeUrl(server, { client_id, code_challenge: challenge, scope: 'memory:read' }),
    );
    const link = /href="(\/auth\/test\?return_to=[^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&');
    const question = await passProvider(browser, await browser.visit(`${server.url}${link}`), 'nora');
    expect(question.text).toContain('Let Test client use your memory?');
    expect(question.text).not.toContain('value="memory:write"');
    const back = new URL(
      (await browser.submit(question, '/oauth/consent', { decision: 'allow', scope: 'memory:read' })).url,
    );
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'xyz', iss: server.url });
    const code = back.searchParams.get('code') ?? '';
    const exchange = {
      grant_type: 'authorization_code',
      client_id,
      redirect_uri: callback,
      code,
      code_verifier: verifier,
    };
    const granted = await tokenCall(server, exchange);
    expect(granted).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 3600, scope: 'memory:read' },
    });
    expect(granted.headers.get('cache-control')).toBe('no-store');
    const { access_token = '', refresh_token = '' } = granted.body;
    expect(await projectsWith(server, access_token)).toBe(200);
    const renewed = await tokenCall(server, { grant_type: 'refresh_token', client_id, refresh_token });
    expect(renewed.body.refresh_token).not.toBe(refresh_token);
    expect(await projectsWith(server, renewed.body.access_token ?? '')).toBe(200);
    expect(await projectsWith(server, access_token)).toBe(401);
    // The old refresh token shown again: someone has stolen one of the two, so both end.
    expect((await tokenCall(server, { grant_type: 'refresh_token', client_id, refresh_token })).body.error).toBe(
      'invalid_grant',
    );
    expect(await projectsWith(server, renewed.body.access_token ?? '')).toBe(401);
    const last = { grant_type: 'refresh_token', client_id, refresh_token: renewed.body.refresh_token ?? '' };
    expect((await tokenCall(server, last)).body.error).toBe('invalid_grant');
  });

  it('survives a restart of the server: its registration, its code, its tokens, the browser session', async () => {
    const before = await anOAuthServer();
    const { browser } = await signedIn(before, 'nora');
    const client_id = await registered(before);
    const { verifier, challenge } = aVerifier();
    const back = await allowed(before, browser, { client_id, code_challenge: challenge });
    await before.close();
    const server = await anOAuthServer({}, { folder: before.folder, port: before.port });
    const { body } = await tokenCall(server, {
      grant_type: 'authorization_code',
      client_id,
      redirect_uri: callback,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
    });
    expect(await projectsWith(server, body.access_token ?? '')).toBe(200);
    expect((await browser.visit(`${server.url}/connect`)).text).toContain('Test client');
    const renewed = await tokenCall(server, {
      grant_type: 'refresh_token',
      client_id,
      refresh_token: body.refresh_token ?? '',
    });
    expect(renewed.status).toBe(200);
    await fetch(`${server.url}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: renewed.body.refresh_token ?? '' }),
    });
    expect(await projectsWith(server, renewed.body.access_token ?? '')).toBe(401);
  });

  it('is told when the person declines', async () => {
    const server = await anOAuthServer();
    const { browser } = await signedIn(server, 'nora');
    const client_id = await registered(server);
    const page = await browser.visit(authorizeUrl(server, { client_id, code_challenge: aVerifier().challenge }));
    const back = new URL(
      (await browser.submit(page, '/oauth/consent', { decision: 'deny', scope: 'memory:read' })).url,
    );
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('code')).toBeNull();
  });
});

describe('signing in', () => {
  it('is for those who are invited, by verified address', async () => {
    const server = await anOAuthServer();
    await server.close();
    const providers = {
      test: { issuer: server.provider.issuer, ...server.provider.client, allowed_emails: ['nora@example.com'] },
    };
    const closed = await anOAuthServer({ connect: { providers } });
    server.provider.serve({ redirectUri: `${closed.url}/auth/test/callback` });
    expect((await signedIn(closed, 'nora')).page.status).toBe(200);
    const { page, browser } = await signedIn(closed, 'omar');
    expect({ status: page.status, session: browser.cookies('127.0.0.1').size }).toEqual({ status: 403, session: 0 });
  });
});
