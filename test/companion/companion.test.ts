import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAddress } from '../../companion/address.js';
import { conversationOf, obstacleOf } from '../../companion/conversation.js';
import { sendConversation, testService } from '../../companion/send.js';
import { siteOf } from '../../companion/sites.js';

const readJson = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../companion/${path}`, import.meta.url), 'utf8')) as Record<string, unknown>;

const page = {
  title: 'Canoe',
  threadId: 't1',
  messages: [{ role: 'user' as const, text: 'Mine is green' }],
  unreadable: 0,
  unfinished: false,
};

describe('the address of the service', () => {
  it.each([
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000'],
    [' http://localhost:8000/ ', 'http://localhost:8000'],
    ['https://memory.example.com', 'https://memory.example.com'],
    ['https://example.com/memory/', 'https://example.com/memory'],
  ])('may be %s', (typed, address) => {
    expect(checkAddress(typed)).toEqual({ kind: 'ok', address });
  });

  it.each([
    ['http://example.com', 'addressForeign'],
    ['http://192.168.1.5:8000', 'addressForeign'],
    ['http://127.0.0.1.example.com', 'addressForeign'],
    ['http://localhost.example.com', 'addressForeign'],
    ['http://127.0.0.1@example.com', 'addressInvalid'],
    ['https://user:secret@example.com', 'addressInvalid'],
    ['https://example.com/?to=x', 'addressInvalid'],
    ['ftp://127.0.0.1', 'addressInvalid'],
    ['javascript:alert(1)', 'addressInvalid'],
    ['127.0.0.1:8000', 'addressInvalid'],
    ['', 'addressInvalid'],
  ])('cannot be %s', (typed, reason) => {
    expect(checkAddress(typed)).toEqual({ kind: 'refused', reason });
  });
});

describe('what is sent', () => {
  it('is a conversation with the thread of the site, and who wanted it saved', () => {
    expect(conversationOf({ site: 'claude', page, automatic: false }, '1.2.3')).toEqual({
      source: 'claude',
      title: 'Canoe',
      messages: [{ role: 'user', text: 'Mine is green' }],
      metadata: {
        upstream_thread_id: 't1',
        platform: 'claude',
        capture_client: 'threadkeep-companion',
        capture_client_version: '1.2.3',
        save_intent: 'explicit_user_request',
        save_intent_source: 'threadkeep-companion',
      },
    });
    expect(conversationOf({ site: 'claude', page, automatic: true }, '1').metadata.save_intent).toBe(
      'client_auto_save',
    );
  });

  it('is nothing while an answer is written, without messages and without a thread', () => {
    const { threadId: _, ...threadless } = page;
    expect([page, { ...page, unfinished: true }, { ...page, messages: [] }, threadless].map(obstacleOf)).toEqual([
      undefined,
      'unfinished',
      'noMessages',
      'noThread',
    ]);
  });
});

describe('what the service answers', () => {
  let server: Server;
  let address: string;
  let answer: { status: number; body: string; headers?: Record<string, string> };
  let requests: number;
  beforeAll(async () => {
    server = createServer((_, response) => {
      requests += 1;
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const conversation = conversationOf({ site: 'claude', page, automatic: false }, '1');
  const send = async (status: number, body: unknown, token = 'tk', headers: Record<string, string> = {}) => {
    requests = 0;
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body), headers };
    return await sendConversation({ address, token }, conversation);
  };

  it('is reported as saved, held, appended or unchanged', async () => {
    const plain = { id: 'm1', deduplicated: false, appended_messages: 0, memory_status: 'active' };
    expect(await send(200, plain)).toEqual({ kind: 'saved', messages: 1, held: false, id: 'm1' });
    expect(await send(200, { ...plain, memory_status: 'pending_review' })).toMatchObject({ held: true });
    expect(await send(200, { ...plain, appended_messages: 2 })).toEqual({ kind: 'appended', messages: 2, id: 'm1' });
    expect(await send(200, { ...plain, deduplicated: true })).toEqual({ kind: 'unchanged', id: 'm1' });
  });

  it.each([
    [401, { error_code: 'unauthenticated' }, 'tk', 'tokenWrong'],
    [401, { error_code: 'unauthenticated' }, '', 'tokenMissing'],
    [403, { error_code: 'insufficient_scope' }, 'tk', 'mayNotWrite'],
    [403, { error_code: 'permission_denied' }, 'tk', 'originRefused'],
    [409, { error_code: 'duplicate_conflict' }, 'tk', 'historyDiffers'],
    [409, { error_code: 'duplicate_conflict', reason: 'forgotten' }, 'tk', 'forgotten'],
    [413, { error_code: 'payload_too_large' }, 'tk', 'tooLarge'],
    [429, { error_code: 'rate_limited' }, 'tk', 'tooMany'],
    [400, { error_code: 'invalid_input' }, 'tk', 'refused'],
    [503, { error_code: 'metadata_unavailable' }, 'tk', 'serviceFault'],
    [200, '<html>', 'tk', 'notThreadkeep'],
    [200, { hello: 'world' }, 'tk', 'notThreadkeep'],
    [404, { message: 'Not Found' }, 'tk', 'notThreadkeep'],
  ])('%i %j with the token "%s" is a failure: %s', async (status, body, token, reason) => {
    expect(await send(status, body, token)).toEqual({ kind: 'failed', reason });
  });

  it('is not followed to another address', async () => {
    const outcome = await send(307, '', 'tk', { location: `${address}/elsewhere` });
    expect({ outcome, requests }).toEqual({ outcome: { kind: 'failed', reason: 'notRunning' }, requests: 1 });
  });

  it('is not asked for where the address is foreign', async () => {
    requests = 0;
    expect(await testService({ address: 'http://example.com', token: 'tk' })).toEqual({
      kind: 'failed',
      reason: 'addressForeign',
    });
    expect(requests).toBe(0);
  });
});

describe('the extension', () => {
  it('asks for no more than it needs', () => {
    const { permissions, host_permissions, optional_host_permissions, ...manifest } = readJson('manifest.json');
    expect({ permissions, host_permissions, optional_host_permissions }).toEqual({
      permissions: ['activeTab', 'scripting', 'storage'],
      host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'],
      optional_host_permissions: ['https://chatgpt.com/*', 'https://claude.ai/*', 'https://gemini.google.com/*'],
    });
    for (const key of ['content_scripts', 'externally_connectable', 'web_accessible_resources'])
      expect(manifest).not.toHaveProperty(key);
  });

  it('says everything in English and in German', () => {
    const [english, german] = ['en', 'de'].map((language) => readJson(`_locales/${language}/messages.json`));
    expect(Object.keys(german ?? {})).toEqual(Object.keys(english ?? {}));
    for (const [name, { message = '' }] of Object.entries(german as Record<string, { message?: string }>))
      expect(message, name).not.toBe('');
  });

  it.each([
    ['https://chatgpt.com/c/1', 'chatgpt'],
    ['https://claude.ai/chat/1', 'claude'],
    ['https://gemini.google.com/app/1', 'gemini'],
    ['http://chatgpt.com/c/1', undefined],
    ['https://chatgpt.com.evil.example/c/1', undefined],
    ['chrome://extensions', undefined],
    [undefined, undefined],
  ])('knows %s as %s', (address, name) => {
    expect(siteOf(address)?.name).toBe(name);
  });
});
