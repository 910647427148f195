import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUserDisabled } from '../../src/auth/users.js';
import { callsWith } from '../support/accounts.js';
import { startService, type TestService } from '../support/service.js';

const resource = 'https://memory.example.com/mcp';

interface Key {
  kid: string;
  alg: string;
  sign(claims: Record<string, unknown>, header?: object): Promise<string>;
  jwk: object;
}

async function aKey(kid: string, alg = 'RS256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    kid,
    alg,
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    sign: (claims, header = {}) => new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  };
}

/** An authorization server of others: metadata and keys, and how often they were asked for. */
async function anIssuer() {
  const asked: string[] = [];
  let keys: Key[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` },
      '/keys': { keys: keys.map(({ jwk }) => jwk) },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    publish: (...published: Key[]) => {
      keys = published;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
  return issuer;
}

let issuer: Awaited<ReturnType<typeof anIssuer>>;
let service: TestService;
let key: Key;
beforeAll(async () => {
  issuer = await anIssuer();
  key = await aKey('first');
  issuer.publish(key);
  service = await startService({
    api: {
      auth: 'oauth_resource_server',
      public_base_url: 'https://memory.example.com',
      oauth: { authorization_servers: [issuer.url] },
    },
  });
});
afterAll(async () => {
  await service.close();
  await issuer.close();
});

function claims(changed: Record<string, unknown> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: issuer.url, aud: resource, sub: 'nora', scope: 'memory:read', iat: now, exp: now + 300, ...changed };
}

async function answer(token: string) {
  const { status, headers, body } = await callsWith(service, token).get('/memory/projects');
  return { status, challenge: headers.get('www-authenticate'), body };
}

describe('a token of a configured issuer', () => {
  it('is asked about when the first one comes, and then remembered', async () => {
    expect(issuer.asked).toEqual([]);
    for (let count = 0; count < 3; count++) expect((await answer(await key.sign(claims()))).status).toBe(200);
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it('belongs to one user, with a private project', async () => {
    const [one, again, other] = await Promise.all(
      ['ida', 'ida', 'omar'].map(async (sub) => (await answer(await key.sign(claims({ sub })))).body.results),
    );
    expect(one).toMatchObject([{ is_default: true, role: 'admin' }]);
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it.each(['RS256', 'ES256', 'EdDSA'])('may be signed with %s', async (alg) => {
    const mine = await aKey(`key-${alg}`, alg);
    issuer.publish(key, mine);
    const fresh = await startService({
      api: {
        auth: 'oauth_resource_server',
        public_base_url: 'https://memory.example.com',
        oauth: { authorization_servers: [issuer.url] },
      },
    });
    expect((await callsWith(fresh, await mine.sign(claims())).get('/memory/projects')).status).toBe(200);
    await fresh.close();
  });

  it.each([
    ['for others', { aud: 'https://other.example.com/mcp' }],
    ['without an audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that expired', { exp: 1_700_000_000 }],
    ['without an end', { exp: undefined }],
    ['from the future', { nbf: 4_000_000_000 }],
    ['without a subject', { sub: undefined }],
  ])('%s is refused', async (_, changed) => {
    const { status, challenge, body } = await answer(await key.sign(claims(changed)));
    expect({ status, code: body.error_code }).toEqual({ status: 401, code: 'unauthenticated' });
    expect(challenge).toContain('error="invalid_token"');
    expect(challenge).toContain('resource_metadata="https://memory.example.com/.well-known/oauth-protected-resource"');
  });

  it('is refused without a signature, with another key, with a secret, changed, or with a key of its own', async () => {
    const stranger = await aKey('first');
    const [header = '', , signature = ''] = (await key.sign(claims())).split('.');
    const changed = Buffer.from(JSON.stringify(claims({ sub: 'admin' }))).toString('base64url');
    const secret = new TextEncoder().encode(JSON.stringify(key.jwk));
    const forged = [
      new UnsecuredJWT(claims()).encode(),
      await stranger.sign(claims()),
      await stranger.sign(claims(), { jwk: stranger.jwk }),
      await stranger.sign(claims(), { jku: `${issuer.url}/keys`, kid: 'other' }),
      await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret),
      `${header}.${changed}.${signature}`,
      `${header}.${changed}.`,
      'a.b.c',
    ];
    for (const token of forged) expect((await answer(token)).status).toBe(401);
  });

  it('has the scopes it names and no others', async () => {
    const post = async (scope: unknown, name = 'scope') => {
      const token = await key.sign(claims({ scope: undefined, [name]: scope }));
      return (await callsWith(service, token).post('/memory/insert', {})).body.error_code;
    };
    expect(await post('memory:read')).toBe('insufficient_scope');
    expect(await post('')).toBe('insufficient_scope');
    expect(await post(undefined)).toBe('insufficient_scope');
    expect(await post('memory:write openid')).toBe('invalid_input');
    expect(await post(['memory:write'], 'scp')).toBe('invalid_input');
  });

  it('is refused when its user is disabled', async () => {
    const token = await key.sign(claims({ sub: 'gone' }));
    expect((await answer(token)).status).toBe(200);
    const { administration } = service.runtime.access;
    const users = await administration.accounts.users();
    const last = users.sort((one, other) => (one.created_at < other.created_at ? 1 : -1))[0];
    await setUserDisabled(administration, last?.id ?? '', { disabled: true });
    expect((await answer(token)).status).toBe(401);
  });

  it('leaves nothing of itself in the log', async () => {
    const token = await key.sign(claims({ sub: 'sentinelsubject' }), { kid: 'unknown' });
    await answer(token);
    const log = service.logLines.join('\n');
    expect(log).not.toContain(token);
    expect(log).not.toContain('sentinelsubject');
  });
});

describe('a token of a provider that is down', () => {
  it('is refused, and others continue', async () => {
    const down = await startService({
      api: {
        auth: 'oauth_resource_server',
        public_base_url: 'https://memory.example.com',
        oauth: { authorization_servers: ['http://127.0.0.1:9'] },
      },
    });
    const token = await key.sign(claims({ iss: 'http://127.0.0.1:9' }));
    expect((await callsWith(down, token).get('/memory/projects')).status).toBe(401);
    expect((await down.send('/health')).status).toBe(200);
    await down.close();
  });
});
