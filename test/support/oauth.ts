import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serve } from '../../src/app/serve.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { aBrowser, type Browser, type Page } from './browser.js';
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.mjs';
import { configIn } from './service.js';

export const callback = 'http://localhost:1/callback';

interface Given {
  /** An existing folder, to start again on what was stored; the caller removes it. */
  folder?: string;
  port?: number;
  logLevel?: 'info';
}

/** The real server with `oauth_resource_server` and a real OpenID provider, both on this machine. */
export async function startOAuthServer(overrides: ConfigInput['api'] = {}, given: Given = {}) {
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), 'threadkeep-oauth-')));
  const provider: OpenIdProvider = await startOpenIdProvider();
  const config = await configIn(folder, {
    api: {
      port: given.port ?? 0,
      auth: 'oauth_resource_server',
      connect: { providers: { test: { issuer: provider.issuer, ...provider.client } } },
      ...overrides,
    },
    observability: { log_level: given.logLevel ?? 'error', log_format: 'json' },
  });
  const serving = await serve(config);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= serving.close();
    return closing;
  };
  const { url } = serving;
  provider.serve({ redirectUri: `${url}/auth/test/callback` });
  return {
    url,
    folder,
    provider,
    close,
    port: Number(new URL(url).port),
    async remove(): Promise<void> {
      await close();
      await provider.close();
      if (given.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same, closed and removed when the test ends. */
export async function anOAuthServer(overrides: ConfigInput['api'] = {}, given: Given = {}): Promise<OAuthServer> {
  const server = await startOAuthServer(overrides, given);
  onTestFinished(server.remove);
  return server;
}

export type OAuthServer = Awaited<ReturnType<typeof startOAuthServer>>;

/** Goes through the provider's own pages, from wherever they begin. */
export async function passProvider(browser: Browser, first: Page, login: string): Promise<Page> {
  const consent = await browser.submit(first, '/interaction/', { login, password: 'any' });
  return browser.submit(consent, '/interaction/', {});
}

export async function signedIn(server: OAuthServer, login: string): Promise<{ browser: Browser; page: Page }> {
  const browser = aBrowser();
  const page = await passProvider(browser, await browser.visit(`${server.url}/auth/test`), login);
  return { browser, page };
}

export async function registered({ url }: OAuthServer, metadata: object = {}): Promise<string> {
  const answer = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test client', redirect_uris: [callback], ...metadata }),
  });
  return ((await answer.json()) as { client_id: string }).client_id;
}

export function aVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export function authorizeUrl({ url }: OAuthServer, parameters: Record<string, string>): string {
  const usual = { response_type: 'code', redirect_uri: callback, code_challenge_method: 'S256', state: 'xyz' };
  return `${url}/oauth/authorize?${new URLSearchParams({ ...usual, ...parameters })}`;
}

/** The code that an application gets after the person said yes. */
export async function allowed(server: OAuthServer, browser: Browser, parameters: Record<string, string>): Promise<URL> {
  const page = await browser.visit(authorizeUrl(server, parameters));
  const scopes = ['memory:read', 'memory:write'].filter((scope) => page.text.includes(`value="${scope}"`));
  const back = await browser.submit(page, '/oauth/consent', { decision: 'allow', scope: scopes });
  return new URL(back.url);
}

export async function tokenCall({ url }: OAuthServer, fields: Record<string, string>) {
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, string> };
}

export async function projectsWith({ url }: OAuthServer, token: string): Promise<number> {
  return (await fetch(`${url}/memory/projects`, { headers: { authorization: `Bearer ${token}` } })).status;
}
