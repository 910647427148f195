import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aConversation, aNote, turns } from '../support/conversation.js';
import { embeddingCalls } from '../support/embedding-calls.js';
import { changes, meanwhile } from '../support/meanwhile.js';
import { aService, idsOf, memberOf, type TestService } from '../support/service.js';

const review = { memory: { insert_policy: 'review_pending' } } as const;

const found = async (service: TestService, memory_status: string): Promise<string[]> =>
  idsOf(await service.search({ query: 'bicycle', memory_status, result_mode: 'conversations' }));

describe('a memory that waits for review', () => {
  it('is stored, not embedded, and hidden', async () => {
    const service = await aService(review);
    const outcome = await service.insert(aConversation());
    expect(outcome).toEqual({
      status: 'pending_review',
      id: outcome.id,
      memory_status: 'pending_review',
      deduplicated: false,
      appended_messages: 0,
      embedded_chunks: 0,
      chunks: 2,
    });
    expect(embeddingCalls(service)).toBe(0);
    expect(await found(service, 'active')).toEqual([]);
    expect((await service.request('/memory/retrieve', { id: outcome.id })).status).toBe(404);
  });

  it('is found by its words also where searches go by vectors alone', async () => {
    const service = await aService({ ...review, retrieval: { keyword_enabled: false } });
    const { id } = await service.insert(aConversation());
    expect(await found(service, 'pending_review')).toEqual([id]);
    const { answer_basis } = await service.ask({ question: 'Where is the bicycle?', memory_status: 'all' });
    expect(answer_basis).toBe('direct_memory');
  });

  it('is seen by reads that ask for it', async () => {
    const service = await aService(review);
    const { id } = await service.insert(aConversation());
    expect(await found(service, 'pending_review')).toEqual([id]);
    expect(await found(service, 'all')).toEqual([id]);
    expect(await found(service, 'rejected')).toEqual([]);
    const { status, body } = await service.request('/memory/retrieve', { id, memory_status: 'pending_review' });
    expect({ status, memory: body.memory }).toMatchObject({
      status: 200,
      memory: { metadata: { memory_status: 'pending_review' } },
    });
  });

  // Reference bug 17: sent again it answered ok and was embedded, yet stayed hidden.
  it('stays pending when it is sent again, and the answer says so', async () => {
    const service = await aService(review);
    const { id } = await service.insert(aConversation());
    const again = await service.insert(aConversation());
    expect(again).toMatchObject({
      status: 'pending_review',
      id,
      memory_status: 'pending_review',
      deduplicated: true,
      embedded_chunks: 0,
    });
    expect(embeddingCalls(service)).toBe(0);
  });

  it('is active at once with a save intent', async () => {
    const service = await aService(review);
    const outcome = await service.insert(aConversation({ metadata: { save_intent: 'explicit_user_request' } }));
    expect(outcome).toMatchObject({ status: 'ok', memory_status: 'active', embedded_chunks: 2 });
  });
});

describe('approving', () => {
  it('indexes it and makes it visible', async () => {
    const service = await aService({ ...review, providers: { vector_db: 'lancedb' } });
    const { id } = await service.insert(aConversation());
    const { status, body } = await service.request('/memory/pending/approve', { id: id.toUpperCase() });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      id,
      memory_status: 'active',
      deduplicated: false,
      appended_messages: 0,
      embedded_chunks: 2,
      chunks: 2,
    });
    expect(await found(service, 'active')).toEqual([id]);
    expect(await found(service, 'pending_review')).toEqual([]);
    const { body: read } = await service.request('/memory/retrieve', { id });
    expect(read.memory).toMatchObject({ metadata: { save_intent: 'user_confirmed', approved_at: expect.any(String) } });
  });

  it('a second time is refused', async () => {
    const service = await aService(review);
    const { id } = await service.insert(aConversation());
    await service.request('/memory/pending/approve', { id });
    for (const verb of ['approve', 'reject']) {
      expect(await service.request(`/memory/pending/${verb}`, { id })).toMatchObject({
        status: 409,
        body: { error_code: 'memory_not_pending_review', memory_status: 'active' },
      });
    }
  });

  // Reference bug 22: an unknown id was said not to be pending.
  it('what is unknown, or of another project, is not found', async () => {
    const service = await aService(review);
    const { id } = await service.insert(aConversation(), memberOf('elsewhere'));
    for (const unknown of [id, randomUUID()]) {
      for (const verb of ['approve', 'reject']) {
        expect((await service.request(`/memory/pending/${verb}`, { id: unknown })).status).toBe(404);
      }
    }
  });
});

describe('rejecting', () => {
  it('keeps it hidden', async () => {
    const service = await aService(review);
    const { id } = await service.insert(aConversation());
    const { status, body } = await service.request('/memory/pending/reject', { id });
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', id, memory_status: 'rejected' } });
    expect(await found(service, 'active')).toEqual([]);
    expect(await found(service, 'pending_review')).toEqual([]);
    expect(await found(service, 'rejected')).toEqual([id]);
    expect(embeddingCalls(service)).toBe(3);
  });

  it('holds when it is sent again, under any policy', async () => {
    const service = await aService(review);
    const { id } = await service.insert(aConversation());
    await service.request('/memory/pending/reject', { id });
    const intended = aConversation({ metadata: { save_intent: 'user_confirmed' } });
    for (const payload of [aConversation(), intended]) {
      expect(await service.insert(payload)).toMatchObject({
        status: 'ok',
        id,
        memory_status: 'rejected',
        deduplicated: true,
        embedded_chunks: 0,
      });
    }
    expect(await found(service, 'active')).toEqual([]);
  });
});

describe('deciding during concurrent writes', () => {
  const texts = ['Where is the bicycle?', 'It is in the shed.'];
  const capture = (...more: string[]) =>
    aConversation({ messages: turns(...texts, ...more), metadata: { upstream_thread_id: 't1' } });
  const both = { ...review, storage: { allow_trusted_appends: true } };
  const decides = changes('patch', 'conversations');

  it('approves turns that are added in between as well', async () => {
    const moment = meanwhile();
    const service = await aService(both, { around: moment.around });
    const { id } = await service.insert(capture());
    moment.before(decides, () => service.insert(capture('The ginkgo stands beside it.', 'I see.')));
    const { body } = await service.request('/memory/pending/approve', { id });
    expect(body).toMatchObject({ memory_status: 'active', chunks: 4, embedded_chunks: 4 });
    const chunks = await service.service.records.chunks.ofConversation(id);
    expect(new Set(chunks.map(({ scope }) => scope))).toEqual(new Set(['project:local-default']));
    expect(idsOf(await service.search({ query: 'ginkgo', result_mode: 'conversations' }))).toEqual([id]);
  });

  it.each(['approve', 'reject'])('keeps what a rename and a tag changed: %s', async (verb) => {
    const moment = meanwhile();
    const service = await aService(both, { around: moment.around });
    const { id } = await service.insert(capture());
    moment.before(decides, () =>
      service.request('/memory/conversations/update', { id, title: 'Renamed', add_tags: ['kept'] }),
    );
    expect((await service.request(`/memory/pending/${verb}`, { id })).status).toBe(200);
    const { body } = await service.request('/memory/retrieve', { id, memory_status: 'all' });
    expect(body.memory).toMatchObject({ title: 'Renamed', metadata: { tags: ['kept'] } });
  });

  it('rejects turns that are added in between as well', async () => {
    const moment = meanwhile();
    const service = await aService(both, { around: moment.around });
    const { id } = await service.insert(capture());
    moment.before(decides, () => service.insert(capture('The ginkgo stands beside it.', 'I see.')));
    await service.request('/memory/pending/reject', { id });
    const chunks = await service.service.records.chunks.ofConversation(id);
    expect(chunks.map(({ scope }) => scope)).toEqual(Array(4).fill('project:local-default:rejected'));
  });

  it('tells the second reviewer how the first has decided', async () => {
    const moment = meanwhile();
    const service = await aService(both, { around: moment.around });
    const { id } = await service.insert(capture());
    moment.before(decides, () => service.request('/memory/pending/reject', { id }));
    expect(await service.request('/memory/pending/approve', { id })).toMatchObject({
      status: 409,
      body: { error_code: 'memory_not_pending_review', memory_status: 'rejected' },
    });
  });

  it.each([
    ['approve', 'approved_at'],
    ['reject', 'rejected_at'],
  ])('counts as a change of the memory: %s', async (verb, field) => {
    const service = await aService(both);
    const { id } = await service.insert(capture());
    await service.request(`/memory/pending/${verb}`, { id });
    const row = await service.service.records.conversations.holderOfId(id);
    expect(row?.metadata).toMatchObject({ updated_at: row?.updated_at, [field]: row?.updated_at });
  });
});

describe('a trusted append', () => {
  it('joins a pending capture while it waits, and never an active one with a pending one', async () => {
    const service = await aService({ ...review, storage: { allow_trusted_appends: true } });
    const capture = (texts: string[], intent?: string) => ({
      ...aNote('x', { messages: texts.map((text) => ({ role: 'user', text })) }),
      metadata: { upstream_thread_id: 't1', ...(intent === undefined ? {} : { save_intent: intent }) },
    });
    const first = await service.insert(capture(['one']));
    expect(await service.insert(capture(['one', 'two']))).toMatchObject({
      id: first.id,
      status: 'pending_review',
      appended_messages: 1,
    });
    const wanted = await service.insert(capture(['one', 'two', 'three'], 'user_confirmed'));
    expect(wanted).toMatchObject({ status: 'ok', deduplicated: false, appended_messages: 0 });
    expect(wanted.id).not.toBe(first.id);
    expect(embeddingCalls(service)).toBe(1);
  });
});
