import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.js';
import { anOAuthServer, callback, type OAuthServer, signedIn } from '../support/oauth.js';

/** What an application keeps for the SDK; the person at the browser says yes. */
function anApplication(server: OAuthServer, browser: Browser) {
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier: string; code: string } = {
    verifier: '',
    code: '',
  };
  const authProvider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'An assistant', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation(client: OAuthClientInformationMixed) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: OAuthTokens) {
      kept.tokens = tokens;
    },
    codeVerifier: () => kept.verifier,
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier;
    },
    async redirectToAuthorization(url: URL) {
      const question = await browser.visit(url.href);
      const scope = ['memory:read', 'memory:write'];
      const back = await browser.submit(question, '/oauth/consent', { decision: 'allow', scope });
      kept.code = new URL(back.url).searchParams.get('code') ?? '';
    },
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider });
  return { kept, transport };
}

async function connected(transport: StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}

describe("the SDK's own OAuth client", () => {
  it('gets in from a bare 401, saves and finds, and refreshes by itself', async () => {
    const server = await anOAuthServer();
    const { browser } = await signedIn(server, 'nora');
    const { kept, transport } = anApplication(server, browser);
    const first = transport();
    await expect(connected(first)).rejects.toBeInstanceOf(UnauthorizedError);
    await first.finishAuth(kept.code);
    expect(kept.tokens).toMatchObject({ scope: 'memory:read memory:write', token_type: 'Bearer' });
    const client = await connected(transport());
    const conversation_json = { messages: [{ role: 'user', text: 'My canoe is green.' }] };
    const saved = await client.callTool({ name: 'memory_insert', arguments: { conversation_json } });
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'canoe' } });
    const idOf = (answer: unknown) =>
      (answer as { structuredContent: { id: string; results: { id: string }[] } }).structuredContent;
    expect(idOf(found).results.map(({ id }) => id)).toEqual([idOf(saved).id]);
    await client.close();

    const { access_token } = kept.tokens ?? {};
    kept.tokens = { ...(kept.tokens ?? { token_type: 'Bearer' }), access_token: 'tk_expired' };
    const again = await connected(transport());
    expect(kept.tokens?.access_token).not.toBe('tk_expired');
    expect(kept.tokens?.access_token).not.toBe(access_token);
    await again.close();
  });
});
