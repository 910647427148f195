import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkedRedirectUri, matchesRegistered } from '../../src/auth/oauth/authorization.js';
import { fetchClientDocument, isPublic } from '../../src/auth/oauth/clients.js';
import { anOAuthServer, authorizeUrl, aVerifier, callback, signedIn } from '../support/oauth.js';

/** A place that answers one path with a document. */
async function aSite(answer: (url: string) => { status?: number; body: string }) {
  const server = createServer((request, response) => {
    const { status = 200, body } = answer(request.url ?? '');
    response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => new Promise((closed) => server.close(() => closed())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a client that is a document', () => {
  it('is shown by its name and redirected to only at its own addresses', async () => {
    const server = await anOAuthServer();
    let id = '';
    const site = await aSite(() => ({
      body: JSON.stringify({ client_id: id, client_name: 'Documented', redirect_uris: [callback] }),
    }));
    id = `${site}/client.json`;
    const { browser } = await signedIn(server, 'nora');
    const ask = { client_id: id, code_challenge: aVerifier().challenge };
    const page = await browser.visit(authorizeUrl(server, ask));
    expect(page.text).toContain('Let Documented use your memory?');
    const wrong = await browser.visit(authorizeUrl(server, { ...ask, redirect_uri: 'http://localhost:1/other' }));
    expect(wrong.status).toBe(400);
  });

  it.each([
    [
      'about someone else',
      { body: '{"client_id":"https://other.example/c","redirect_uris":["http://localhost:1/callback"]}' },
    ],
    ['that is no JSON', { body: '<html>' }],
    ['that is too long', { body: `"${'x'.repeat(30_000)}"` }],
    ['that is elsewhere', { status: 302, body: '' }],
    ['that is not there', { status: 404, body: '{}' }],
  ])('%s is refused', async (_, answer) => {
    const server = await anOAuthServer();
    const site = await aSite(() => answer);
    const { browser } = await signedIn(server, 'nora');
    const page = await browser.visit(
      authorizeUrl(server, { client_id: `${site}/client.json`, code_challenge: aVerifier().challenge }),
    );
    expect(page.status).toBe(400);
  });

  it.each([
    'http://example.com/client.json',
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://10.0.0.1/client.json',
    'https://localhost/client.json',
    'https://example.com/',
    'https://user@example.com/client.json',
  ])('is not fetched from %s by a public server', async (url) => {
    await expect(fetchClientDocument(url, { allowLoopback: false })).rejects.toThrow('cannot be read');
  });

  it('is fetched from public addresses only', () => {
    const inside = ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'];
    for (const address of inside) expect(isPublic(address, 4)).toBe(false);
    for (const address of ['::1', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '2002:7f00:1::', '64:ff9b::7f00:1']) {
      expect(isPublic(address, 6)).toBe(false);
    }
    expect(isPublic('93.184.216.34', 4)).toBe(true);
    expect(isPublic('2606:2800:220:1:248:1893:25c8:1946', 6)).toBe(true);
  });
});

describe('a redirect address', () => {
  it.each(['https://app.example/cb', 'http://localhost:3000/cb', 'http://127.0.0.1/cb', 'cursor://anysphere/cb'])(
    '%s may be registered',
    (uri) => {
      expect(checkedRedirectUri(uri)).toBe(uri);
    },
  );

  it('of an application on this machine may have any port, if it was registered without', () => {
    expect(matchesRegistered('http://localhost:4567/cb', ['http://localhost/cb'])).toBe(true);
    expect(matchesRegistered('http://localhost:4567/cb', ['http://localhost:1/cb'])).toBe(false);
    expect(matchesRegistered('http://localhost:4567/other', ['http://localhost/cb'])).toBe(false);
    expect(matchesRegistered('http://127.0.0.1:4567/cb', ['http://localhost/cb'])).toBe(false);
    expect(matchesRegistered('https://app.example:444/cb', ['https://app.example/cb'])).toBe(false);
    expect(matchesRegistered('http://evil@localhost:4567/cb', ['http://localhost/cb'])).toBe(false);
  });
});
