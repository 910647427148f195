import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkedRedirectUri } from '../../src/auth/oauth/authorization.js';
import { refuseCrossSite } from '../../src/http/admission.js';
import { challengeOf } from '../../src/http/errors.js';
import { MemoryError } from '../../src/model/errors.js';
import { aNote } from '../support/conversation.js';
import { refusal } from '../support/failure.js';
import { aFolder, aService, startService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ api: { cors_allow_origins: ['http://localhost:3000'] } });
  await service.insert(aNote('my canoe is green'));
});
afterAll(() => service.close());

const line = `${JSON.stringify({ type: 'conversation', conversation: aNote('planted by a page') })}\n`;

function importWith(headers: Record<string, string>): Promise<{ status: number }> {
  const host = { host: '127.0.0.1:8000' };
  return service.send('/memory/import?format=threadkeep', {
    method: 'POST',
    headers: { ...host, ...headers },
    body: line,
  });
}

describe('a page on another port of this machine', () => {
  const page = { origin: 'http://127.0.0.1:5173' };

  it.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ])('cannot post an import as %s, which browsers send without asking', async (type) => {
    expect((await importWith({ ...page, 'content-type': type })).status).toBe(403);
    const { body } = await service.request('/memory/search', { query: 'planted by a page' });
    expect(JSON.stringify(body.results)).not.toContain('planted');
  });

  it('is not allowed to post JSON when its browser asks', async () => {
    const headers = { ...page, host: '127.0.0.1:8000', 'access-control-request-method': 'POST' };
    const { headers: sent } = await service.send('/memory/import', { method: 'OPTIONS', headers });
    expect(sent.get('access-control-allow-origin')).toBeNull();
  });

  it('of the service itself, or one that is listed, may', async () => {
    for (const origin of ['http://127.0.0.1:8000', 'http://localhost:3000']) {
      expect((await importWith({ origin, 'content-type': 'text/plain' })).status).toBe(200);
    }
  });
});

describe('a request that another site has a browser send', () => {
  const reads = ['/memory/export', '/memory/projects', '/observability', '/config', '/metrics', '/memory/search'];

  it.each(reads)('is refused at %s', async (path) => {
    for (const site of ['cross-site', 'same-site']) {
      const { status, body } = await service.send(path, { headers: { 'sec-fetch-site': site } });
      expect({ path, status }).toEqual({ path, status: path === '/memory/search' ? 405 : 403 });
      expect(JSON.stringify(body)).not.toContain('canoe');
    }
  });

  it.each(['same-origin', 'none'])('is answered when the site is %s', async (site) => {
    expect((await service.send('/memory/export', { headers: { 'sec-fetch-site': site } })).status).toBe(200);
  });

  it('is answered for an origin that was checked', () => {
    const headers = new Headers({ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' });
    expect(refuseCrossSite(headers)).toBeUndefined();
    expect(refusal(() => refuseCrossSite(new Headers({ 'sec-fetch-site': 'cross-site' }))).code).toBe(
      'permission_denied',
    );
  });

  it('reaches the pages that others link to', async () => {
    for (const path of ['/docs', '/health', '/openapi.json']) {
      expect((await service.send(path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
    }
  });
});

describe('every answer', () => {
  it.each(['/docs', '/openapi.json', '/memory/export', '/memory/projects', '/health', '/nowhere', '/'])(
    'of %s is read only as its own type, in no frame and by no other origin',
    async (path) => {
      const { headers } = await service.send(path);
      expect({
        sniff: headers.get('x-content-type-options'),
        frame: headers.get('x-frame-options'),
        resource: headers.get('cross-origin-resource-policy'),
      }).toEqual({ sniff: 'nosniff', frame: 'DENY', resource: 'same-origin' });
    },
  );

  it('of /docs runs only its own script', async () => {
    const { headers, body } = await service.send('/docs');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const script = /<script>([\s\S]*?)<\/script>/.exec(String(body.text))?.[1] ?? '';
    const { createHash } = await import('node:crypto');
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  });

  it('of an export runs nothing', async () => {
    const { headers } = await service.send('/memory/export');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
  });
});

describe('a redirect address', () => {
  it.each(['com.example.app:/cb', 'com.example.my-app://cb', 'https://app.example/cb', 'http://127.0.0.1:7/cb'])(
    'may be %s',
    (uri) => {
      expect(checkedRedirectUri(uri)).toBe(uri);
    },
  );

  it.each([
    'myapp://cb',
    'mailto:x@example.com',
    'intent://x',
    'ms-settings:x',
    'search-ms:x',
    'view-source:https://x.example',
    'http://example.com/cb',
    'https://a.example;script-src/cb',
    "https://a.example';x/cb",
    '.app:/cb',
  ])('cannot be %s', (uri) => {
    expect(() => checkedRedirectUri(uri)).toThrow('redirect_uri');
  });
});

describe('a header', () => {
  it('contains no character that would end its value', () => {
    const error = new MemoryError('unauthenticated', 'x');
    const written = challengeOf(error, { scope: 'a"b\\c\r\nSet-Cookie: x', resourceMetadata: 'http://é' });
    expect(written).toBe('Bearer realm="threadkeep", scope="a\\"b\\\\cSet-Cookie: x", resource_metadata="http://"');
  });
});

describe.skipIf(process.platform === 'win32')('the data on disk', () => {
  it('is its owner’s alone', async () => {
    const { folder } = await aService({}, { inFolder: true });
    const modeOf = (...path: string[]) => statSync(join(folder, 'data', ...path)).mode & 0o777;
    expect(modeOf()).toBe(0o700);
    expect(modeOf('metadata.sqlite3')).toBe(0o600);
    expect(modeOf('metadata.sqlite3-wal')).toBe(0o600);
  });

  it('is warned of when others may read it', async () => {
    const folder = await aFolder();
    mkdirSync(join(folder, 'data'));
    chmodSync(join(folder, 'data'), 0o755);
    const started = await startService({}, { folder });
    await started.close();
    const warnings = started.logLines.filter((each) => each.includes('data_readable_by_others'));
    expect(warnings).toHaveLength(1);
    expect(JSON.parse(warnings[0] ?? '{}')).toMatchObject({ level: 'warn', mode: '755', file: join(folder, 'data') });
  });
});
