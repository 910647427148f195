import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reindex } from '../../src/indexing/reindex.js';
import { aConversation, aNote, turns } from '../support/conversation.js';
import { aFolder, aService, idsOf, startService, type TestService } from '../support/service.js';

const secret = ['sk-', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('');
const note = aNote(`The zebra key is ${secret}, keep it.`, {
  title: `About ${secret}`,
  metadata: { tags: [secret], own: { deep: [secret] } },
});

describe('memory.secret_policy: redact', () => {
  it('replaces secrets before anything is stored', async () => {
    const service = await aService({ memory: { secret_policy: 'redact' } }, { inFolder: true });
    const { body } = await service.request('/memory/insert', note);
    expect(body).toMatchObject({ status: 'ok', memory_status: 'active', redacted_secrets: 4 });
    expect((await service.request('/memory/insert', note)).body).toMatchObject({ deduplicated: true, id: body.id });
    const { results } = await service.search({ query: 'zebra key' });
    expect(results[0]).toMatchObject({ text: 'The zebra key is [redacted:api_key], keep it.' });
    const folder = join(service.folder, 'data');
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      expect((await readFile(join(file.parentPath, file.name))).includes(secret), file.name).toBe(false);
    }
  });

  it('finds them under every key of the metadata, and in the keys', async () => {
    const service = await aService({ memory: { secret_policy: 'redact' } });
    const metadata = {
      aws_access_key_id: ['AKIA', 'ABCDEFGHIJKLMNOP'].join(''),
      x: { client_ids: [secret] },
      password: 'hunter',
      userPasswords: ['one two', 12345678],
      apiKey: secret,
      token: 'abcd1234',
      [secret]: 'v',
      [`${secret}9`]: 'w',
      token_count: 12345678,
      pwd: '/home/anna',
      secret: 'nobody knows it 1',
      upstream_thread_id: `t-${secret}`,
    };
    const { id, ...outcome } = await service.insert(aNote('The zebra.', { metadata }));
    expect(outcome).toMatchObject({ redacted_secrets: 9 });
    const { body } = await service.request('/memory/retrieve', { id });
    expect((body.memory as { metadata: object }).metadata).toMatchObject({
      aws_access_key_id: '[redacted:api_key]',
      x: { client_ids: ['[redacted:api_key]'] },
      password: '[redacted:password]',
      userPasswords: ['[redacted:password]', '[redacted:password]'],
      apiKey: '[redacted:api_key]',
      token: '[redacted:password]',
      '[redacted:api_key]': 'v',
      '[redacted:api_key] 2': 'w',
      token_count: 12345678,
      pwd: '/home/anna',
      secret: 'nobody knows it 1',
      upstream_thread_id: `t-${secret}`,
    });
    expect(
      (await service.insert(aNote('The lion.', { metadata: { password: '[redacted:password]' } }))).redacted_secrets,
    ).toBe(undefined);
  });

  it.each(['redact', 'quarantine'] as const)('refuses one in the source under %s', async (secret_policy) => {
    const service = await aService({ memory: { secret_policy } });
    const { status, body } = await service.request('/memory/insert', aNote('The zebra.', { source: secret }));
    expect([status, body.error_code]).toEqual([400, 'invalid_input']);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('continues a thread that was stored before the policy was switched on', async () => {
    const appending = { storage: { allow_trusted_appends: true } };
    const capture = (...texts: string[]) =>
      aConversation({ messages: turns(...texts), metadata: { upstream_thread_id: 't1' } });
    const said = [`Deploy with ${secret}, please.`, 'Done, deployed.'];
    const folder = await aFolder();
    const before = await startService(appending, { folder });
    const { id } = await before.insert(capture(...said));
    await before.close();
    const service = await aService({ ...appending, memory: { secret_policy: 'redact' } }, { folder });
    const more = `The zebra key is ${secret}.`;
    expect(await service.insert(capture(...said, more))).toMatchObject({ id, appended_messages: 1 });
    expect(await service.insert(capture(...said, more))).toMatchObject({ id, deduplicated: true });
    expect(await service.insert(capture(...said, more, 'Noted.'))).toMatchObject({ id, appended_messages: 1 });
    const { body } = await service.request('/memory/retrieve', { id });
    const texts = [...said, 'The zebra key is [redacted:api_key].', 'Noted.'];
    expect(body.memory).toMatchObject({ messages: texts.map((text) => ({ text })) });
    const other = await service.request('/memory/insert', capture('Deploy without it.', 'Done, deployed!', more));
    expect([other.status, other.body.error_code]).toEqual([409, 'duplicate_conflict']);
  });

  it('replaces those in a new title and in new tags', async () => {
    const service = await aService({ memory: { secret_policy: 'redact' } });
    const { id } = await service.insert(aNote('The zebra.'));
    const change = { id, title: `New ${secret}`, add_tags: [secret, 'home'] };
    const { body } = await service.request('/memory/conversations/update', change);
    expect(body.memory).toMatchObject({
      title: 'New [redacted:api_key]',
      metadata: { tags: ['[redacted:api_key]', 'home'] },
    });
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('keeps all of a note around a secret, and a title and a summary within their limits', async () => {
    const service = await aService({ memory: { secret_policy: 'redact' }, limits: { max_title_length: 30 } });
    const text = 'At first password=abcd1234 in the middle and the important end: ZEBRA';
    const metadata = { note: text, summary: text };
    const { id } = await service.insert(aNote(text, { title: 'My new password=abcd1234 there', metadata }));
    const { body } = await service.request('/memory/retrieve', { id });
    const redacted = 'At first password=[redacted:password] in the middle and the important end: ZEBRA';
    expect(body.memory).toMatchObject({
      title: 'My new password=[redacted:pas…',
      messages: [{ text: redacted }],
      metadata: { note: redacted, summary: redacted },
    });
  });
});

describe('memory.secret_policy: quarantine', () => {
  it('keeps the memory for review, found by nothing until it is approved', async () => {
    const service = await aService({ memory: { secret_policy: 'quarantine' } });
    const { body } = await service.request('/memory/insert', note);
    expect(body).toMatchObject({
      status: 'pending_review',
      memory_status: 'pending_review',
      review_reason: 'secret_detected',
      embedded_chunks: 0,
    });
    const pending = { query: 'zebra', memory_status: 'pending_review' };
    expect((await service.request('/memory/search', pending)).body.results).toEqual([]);
    const held = await service.request('/memory/retrieve', { id: body.id, memory_status: 'all' });
    expect(held.body.memory).toMatchObject({
      metadata: { review_reason: 'secret_detected', secret_kinds: ['api_key'] },
    });
    await service.request('/memory/pending/approve', { id: body.id });
    expect((await service.search({ query: 'zebra' })).results).toHaveLength(1);
  });

  it.each([{ title: `New ${secret}` }, { add_tags: ['home', secret] }])('refuses one in %j', async (change) => {
    const service = await aService({ memory: { secret_policy: 'quarantine' } });
    const { id } = await service.insert(aNote('The zebra.', { title: 'Old' }));
    const { status, body } = await service.request('/memory/conversations/update', { id, ...change });
    expect([status, body.error_code]).toEqual([400, 'invalid_input']);
    const { body: after } = await service.request('/memory/retrieve', { id });
    expect(after.memory).toMatchObject({ title: 'Old' });
  });

  it('accepts what contains no secret', async () => {
    const service = await aService({ memory: { secret_policy: 'quarantine' } });
    const { body } = await service.request('/memory/insert', aNote('The zebra is striped.'));
    expect(body).toMatchObject({ status: 'ok', memory_status: 'active' });
    expect(body).not.toHaveProperty('review_reason');
  });

  describe('and a thread that continues', () => {
    const quarantine = { secret_policy: 'quarantine' } as const;
    const appending = { storage: { allow_trusted_appends: true } };
    const capture = (...texts: string[]) =>
      aConversation({ messages: turns(...texts), metadata: { upstream_thread_id: 't1' } });
    const anywhere = async (service: TestService, query: string) =>
      (await service.search({ query, memory_status: 'all', result_mode: 'compact' })).results.length;
    const leak = `The zebra key is ${secret}.`;

    it('hides what is added to a memory that is quarantined', async () => {
      const service = await aService({ ...appending, memory: quarantine });
      const { id } = await service.insert(capture(leak, 'Noted.'));
      const grown = await service.insert(capture(leak, 'Noted.', 'The giraffe is tall.'));
      expect(grown).toMatchObject({ id, appended_messages: 1, review_reason: 'secret_detected' });
      expect(await anywhere(service, 'giraffe')).toBe(0);
      await service.request('/memory/pending/approve', { id });
      expect(await anywhere(service, 'giraffe')).toBeGreaterThan(0);
    });

    it('hides what is added after the policy was switched off', async () => {
      const folder = await aFolder();
      const before = await startService({ ...appending, memory: quarantine }, { folder });
      const { id } = await before.insert(capture(leak, 'Noted.'));
      await before.close();
      const service = await aService({ ...appending, memory: { insert_policy: 'review_pending' } }, { folder });
      const grown = await service.insert(capture(leak, 'Noted.', 'The giraffe is tall.'));
      expect(grown).toMatchObject({ id, appended_messages: 1 });
      expect(await anywhere(service, 'giraffe')).toBe(0);
    });

    it('quarantines all of a memory that waits for review when a secret is added to it', async () => {
      const memory = { ...quarantine, insert_policy: 'review_pending' } as const;
      const service = await aService({ ...appending, memory, providers: { vector_db: 'lancedb' } });
      const { id } = await service.insert(capture('The giraffe is tall.', 'It is.'));
      await reindex(service.service, { includeInactive: true });
      expect([await anywhere(service, 'giraffe'), await service.vectorRows()]).toEqual([1, 2]);
      const grown = await service.insert(capture('The giraffe is tall.', 'It is.', leak));
      expect(grown).toMatchObject({ id, appended_messages: 1, review_reason: 'secret_detected' });
      expect([await anywhere(service, 'giraffe'), await anywhere(service, 'zebra')]).toEqual([0, 0]);
      expect(await service.vectorRows()).toBe(0);
      const { body } = await service.request('/memory/retrieve', { id, memory_status: 'all' });
      expect(body.memory).toMatchObject({
        metadata: { review_reason: 'secret_detected', secret_kinds: ['api_key'] },
      });
      await service.request('/memory/pending/approve', { id });
      expect([await anywhere(service, 'giraffe'), await anywhere(service, 'zebra')]).not.toContain(0);
    });

    it('asks once about a secret: what follows it is added to what was approved', async () => {
      const service = await aService({ ...appending, memory: quarantine });
      const { id } = await service.insert(capture(leak, 'Noted.'));
      await service.request('/memory/pending/approve', { id });
      const grown = await service.insert(capture(leak, 'Noted.', 'The giraffe is tall.'));
      expect(grown).toMatchObject({ id, memory_status: 'active', appended_messages: 1 });
      expect(grown).not.toHaveProperty('review_reason');
      expect(await service.insert(capture(leak))).toMatchObject({ id, deduplicated: true });
      expect(new Set(idsOf(await service.search({ query: 'giraffe', memory_status: 'all' })))).toEqual(new Set([id]));
      const { body } = await service.request('/memory/retrieve', { id });
      expect(body.memory).toMatchObject({ messages: [{ text: leak }, {}, { text: 'The giraffe is tall.' }] });
      const again = await service.insert(capture(leak, 'Noted.', 'The giraffe is tall.', `And ${secret}9.`));
      expect(again).toMatchObject({ memory_status: 'pending_review', review_reason: 'secret_detected' });
      expect(again.id).not.toBe(id);
    });

    it('asks once about a secret in a conversation with an id of its own', async () => {
      const service = await aService({ ...appending, memory: quarantine });
      const id = '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c';
      await service.insert({ id, messages: turns(leak, 'Noted.') });
      await service.request('/memory/pending/approve', { id });
      const grown = await service.insert({ id, messages: turns(leak, 'Noted.', 'The giraffe is tall.') });
      expect(grown).toMatchObject({ id, memory_status: 'active', appended_messages: 1 });
    });

    it('asks about every capture where captures are not continued', async () => {
      const service = await aService({ memory: quarantine });
      const { id } = await service.insert(capture(leak, 'Noted.'));
      await service.request('/memory/pending/approve', { id });
      const longer = await service.insert(capture(leak, 'Noted.', 'The giraffe is tall.'));
      expect(longer).toMatchObject({ memory_status: 'pending_review', review_reason: 'secret_detected' });
    });

    it('asks again when a rejected thread continues', async () => {
      const service = await aService({ ...appending, memory: quarantine });
      const { id } = await service.insert(capture(leak, 'Noted.'));
      await service.request('/memory/pending/reject', { id });
      const longer = await service.insert(capture(leak, 'Noted.', 'The giraffe is tall.'));
      expect(longer).toMatchObject({ memory_status: 'pending_review', review_reason: 'secret_detected' });
    });

    it('keeps a secret out of a memory that is active: the longer capture waits beside it', async () => {
      const service = await aService({ ...appending, memory: quarantine });
      const { id } = await service.insert(capture('The giraffe is tall.', 'It is.'));
      const grown = await service.insert(capture('The giraffe is tall.', 'It is.', leak));
      expect(grown).toMatchObject({ memory_status: 'pending_review', review_reason: 'secret_detected' });
      expect(grown.id).not.toBe(id);
      expect(idsOf(await service.search({ query: 'zebra', memory_status: 'all' }))).not.toContain(grown.id);
      const { body } = await service.request('/memory/retrieve', { id });
      expect(body.memory).toMatchObject({ messages: [{}, {}] });
    });
  });
});
