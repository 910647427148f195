import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companionOrigin } from '../../src/http/admission.js';
import { aNote } from '../support/conversation.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.insert(aNote('my canoe is green'));
});
afterAll(() => service.close());

const host = '127.0.0.1:8000';
const save = (headers: Record<string, string>, path = '/memory/insert') =>
  service.send(path, {
    method: 'POST',
    headers: { host, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(aNote('saved from a page')),
  });

describe('the browser companion', () => {
  it('has the id that the key in its manifest gives it', () => {
    const { key } = JSON.parse(readFileSync(new URL('../../companion/manifest.json', import.meta.url), 'utf8')) as {
      key: string;
    };
    const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
    const id = [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('');
    expect(companionOrigin).toBe(`chrome-extension://${id}`);
  });

  it('may save a conversation, and its answer opens nothing to pages', async () => {
    const { status, body, headers } = await save({ origin: companionOrigin });
    expect({ status, memory: body.status }).toEqual({ status: 200, memory: 'ok' });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    '/memory/search',
    '/memory/ask',
    '/memory/retrieve',
    '/memory/import',
    '/memory/forget',
    '/memory/insert/x',
    '/mcp',
    '/MEMORY/INSERT',
  ])('is refused at %s', async (path) => {
    const { status, body } = await save({ origin: companionOrigin }, path);
    expect(status).toBe(403);
    expect(JSON.stringify(body)).not.toContain('canoe');
  });

  it('is refused a read of what is stored', async () => {
    for (const path of ['/memory/export', '/memory/projects', '/memory/insert']) {
      expect((await service.send(path, { headers: { host, origin: companionOrigin } })).status).toBe(403);
    }
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'is refused what browsers send without asking: %s',
    async (type) => {
      expect((await save({ origin: companionOrigin, 'content-type': type })).status).toBe(403);
    },
  );

  it('does not open the door to a foreign Host', async () => {
    expect((await save({ origin: companionOrigin, host: 'evil.example' })).status).toBe(403);
  });

  it.each([
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    `${companionOrigin}.evil.example`,
    `https://${companionOrigin.slice('chrome-extension://'.length)}`,
    companionOrigin.toUpperCase(),
    'https://chatgpt.com',
    'null',
  ])('is not %s', async (origin) => {
    expect((await save({ origin })).status).toBe(403);
  });
});

describe('where tokens are asked for', () => {
  it('the companion needs one like any client', async () => {
    const guarded = await startService({ api: { auth: 'bearer_token' } });
    const answer = await guarded.send('/memory/insert', {
      method: 'POST',
      headers: { host, origin: companionOrigin, 'content-type': 'application/json' },
      body: JSON.stringify(aNote('saved from a page')),
    });
    expect(answer.status).toBe(401);
    await guarded.close();
  });
});
