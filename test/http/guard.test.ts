import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOrigin, isLoopback } from '../../src/http/admission.js';
import { refusal } from '../support/failure.js';
import { startService, type TestService } from '../support/service.js';

const extension = 'chrome-extension://abcdefghijklmnop';
const allowed = new Set([extension, 'https://app.example.com']);

describe('isLoopback', () => {
  it.each(['localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'])('knows %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.0.0.1.example.com', 'localhost.example.com', ''])(
    'does not take %s for it',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('checkOrigin', () => {
  it.each([
    [{}],
    [{ host: 'localhost:8000' }],
    [{ host: '127.0.0.1' }],
    [{ host: '[::1]:8000' }],
    [{ host: 'LOCALHOST:8000' }],
    [{ host: '127.0.0.1:8000', origin: 'http://127.0.0.1:8000' }],
    [{ host: '127.0.0.1:8000', origin: 'http://localhost:5173' }],
    [{ host: '127.0.0.1:8000', origin: 'https://[::1]:5173' }],
    [{ host: '127.0.0.1:8000', origin: extension }],
    [{ host: '127.0.0.1:8000', origin: 'https://app.example.com' }],
  ])('lets %j in', (headers) => {
    expect(checkOrigin(new Headers(headers), allowed)).toBeUndefined();
  });

  it.each([
    [{ host: 'evil.example' }, 'Host'],
    [{ host: 'evil.example:8000' }, 'Host'],
    [{ host: '127.0.0.1.evil.example' }, 'Host'],
    [{ host: '192.168.1.5:8000' }, 'Host'],
    [{ host: 'not a host' }, 'Host'],
    [{ host: '127.0.0.1', origin: 'https://evil.example' }, 'Origin'],
    [{ host: '127.0.0.1', origin: 'https://app.example.com.evil.example' }, 'Origin'],
    [{ host: '127.0.0.1', origin: 'http://app.example.com' }, 'Origin'],
    [{ host: '127.0.0.1', origin: 'http://localhost.evil.example' }, 'Origin'],
    [{ host: '127.0.0.1', origin: 'chrome-extension://other' }, 'Origin'],
    [{ host: '127.0.0.1', origin: 'null' }, 'Origin'],
    [{ host: '127.0.0.1', origin: 'file://' }, 'Origin'],
  ])('keeps %j out for its %s', (headers, header) => {
    const failure = refusal(() => checkOrigin(new Headers(headers), allowed));
    expect(failure.code).toBe('permission_denied');
    expect(failure.message).toContain(`foreign ${header}`);
    expect(failure.message).toContain(header === 'Host' ? 'api.public_base_url' : 'api.cors_allow_origins');
    expect(failure.message).not.toContain('evil');
  });
});

describe('behind a proxy', () => {
  const own = 'https://memory.example.com';
  it('lets the own public name in, as Host and as Origin', () => {
    const headers = new Headers({ host: 'memory.example.com', origin: own });
    expect(checkOrigin(headers, new Set(), own)).toBeUndefined();
  });

  it.each([
    { host: 'memory.example.com:444' },
    { host: 'x.memory.example.com' },
    { host: 'memory.example.com', origin: 'http://memory.example.com' },
    { host: 'memory.example.com', origin: 'https://evil.example' },
  ])('keeps %j out', (headers) => {
    expect(refusal(() => checkOrigin(new Headers(headers), new Set(), own)).code).toBe('permission_denied');
  });

  it('does not know a public name without authentication', async () => {
    const open = await startService({ api: { public_base_url: own } });
    expect((await open.send('/health', { headers: { host: 'memory.example.com' } })).status).toBe(403);
    await open.close();
  });
});

describe('the door', () => {
  let local: TestService;
  let exposed: TestService;
  beforeAll(async () => {
    local = await startService({ api: { cors_allow_origins: [extension] } });
    exposed = await startService({}, { exposed: true });
  });
  afterAll(async () => {
    await local.close();
    await exposed.close();
  });

  it.each(['/health', '/ready', '/docs', '/memory/search', '/nowhere'])(
    'keeps a foreign page out of %s on this machine',
    async (path) => {
      for (const headers of [{ origin: 'https://evil.example' }, { host: 'evil.example' }]) {
        const { status, headers: sent } = await local.send(path, { headers });
        expect(status).toBe(403);
        expect(sent.get('access-control-allow-origin')).toBeNull();
      }
    },
  );

  it('keeps a foreign page out of a preflight too', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const { status, headers: sent } = await local.send('/memory/insert', { method: 'OPTIONS', headers });
    expect(status).toBe(403);
    expect(sent.get('access-control-allow-origin')).toBeNull();
  });

  it('answers a page of this machine, without letting it read across origins', async () => {
    const { status, headers } = await local.send('/health', { headers: { origin: 'http://localhost:5173' } });
    expect({ status, allowed: headers.get('access-control-allow-origin') }).toEqual({ status: 200, allowed: null });
  });

  it('does not judge names when it is bound to more than this machine', async () => {
    const { status } = await exposed.send('/health', {
      headers: { host: 'memory.example.com', origin: 'https://other.example' },
    });
    expect(status).toBe(200);
  });
});
