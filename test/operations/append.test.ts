import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { turns } from '../support/conversation.js';
import { embeddingCalls } from '../support/embedding-calls.js';
import { refusalOf } from '../support/failure.js';
import { aService, type TestService } from '../support/service.js';

const trusted = { storage: { allow_trusted_appends: true } };

/** A capture of the thread t1 with these turns. */
function capture(...texts: string[]) {
  return { source: 'claude', messages: turns(...texts), metadata: { upstream_thread_id: 't1' } };
}

/** The turns from this one on, with the roles they have in the whole thread. */
function tail(from: number, ...texts: string[]) {
  const messages = turns(...Array.from({ length: from }, () => ''), ...texts).slice(from);
  return { source: 'claude', messages, metadata: { upstream_thread_id: 't1' } };
}

async function textsOf(service: TestService, id: string): Promise<string[]> {
  const { body } = await service.request('/memory/retrieve', { id });
  return (body.memory as { messages: { text: string }[] }).messages.map(({ text }) => text);
}

describe.each(['memory', 'lancedb'] as const)('trusted captures of one thread with %s', (vector_db) => {
  it('grow one memory, as in the worked example', async () => {
    const service = await aService({ ...trusted, providers: { vector_db } });
    const { id } = await service.insert(capture('alpha one', 'alpha two'));
    const longer = await service.insert(capture('alpha one', 'alpha two', 'alpha three'));
    expect(longer).toEqual({
      status: 'ok',
      id,
      memory_status: 'active',
      deduplicated: false,
      appended_messages: 1,
      embedded_chunks: 1,
      chunks: 3,
    });
    const calls = embeddingCalls(service);
    expect(await service.insert(capture('alpha one'))).toMatchObject({ id, deduplicated: true, embedded_chunks: 0 });
    expect(await service.insert(capture('alpha one', 'alpha two', 'alpha three'))).toMatchObject({
      id,
      deduplicated: true,
    });
    expect(embeddingCalls(service)).toBe(calls);
    expect((await refusalOf(service.insert(capture('beta one')))).code).toBe('duplicate_conflict');
    expect((await refusalOf(service.insert(capture('alpha one', 'beta two', 'alpha three', 'x')))).code).toBe(
      'duplicate_conflict',
    );
    expect(await textsOf(service, id)).toEqual(['alpha one', 'alpha two', 'alpha three']);
    expect(await service.vectorRows()).toBe(3);
    const { results } = await service.search({ query: 'three' });
    expect(results[0]).toMatchObject({ id, chunk_index: 2, text: 'alpha three' });
  });
});

describe('a bare continuation', () => {
  it('that repeats the last stored message appends what follows it', async () => {
    const service = await aService(trusted);
    const { id } = await service.insert(capture('a1', 'a2', 'a3'));
    expect(await service.insert(tail(2, 'a3', 'a4'))).toMatchObject({ id, appended_messages: 1 });
    expect(await service.insert(tail(2, 'a3', 'a4', 'a5', 'a6'))).toMatchObject({ id, appended_messages: 2 });
    expect(await service.insert(tail(4, 'a5', 'a6'))).toMatchObject({ id, deduplicated: true });
    expect(await textsOf(service, id)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
  });

  it('that repeats nothing is a conflict', async () => {
    const service = await aService(trusted);
    await service.insert(capture('a1', 'a2', 'a3'));
    expect((await refusalOf(service.insert(tail(3, 'a4', 'a5')))).code).toBe('duplicate_conflict');
  });
});

describe('after an append', () => {
  // Reference bug 18: the hash lost its project, so the same conversation became a second memory.
  it('the whole conversation is known, with and without its thread', async () => {
    const service = await aService(trusted);
    const { id } = await service.insert(capture('a1', 'a2'));
    await service.insert(capture('a1', 'a2', 'a3'));
    const whole = { source: 'elsewhere', messages: turns('a1', 'a2', 'a3') };
    expect(await service.insert(whole)).toMatchObject({ id, deduplicated: true, embedded_chunks: 0 });
  });

  it('the earlier state alone is a separate memory again', async () => {
    const service = await aService(trusted);
    const { id } = await service.insert(capture('a1', 'a2'));
    await service.insert(capture('a1', 'a2', 'a3'));
    const early = await service.insert({ source: 'elsewhere', messages: turns('a1', 'a2') });
    expect(early).toMatchObject({ deduplicated: false });
    expect(early.id).not.toBe(id);
  });

  it('the metadata stays, gaps are filled, and generated values are recomputed', async () => {
    const service = await aService(trusted);
    const [first, second] = [randomUUID(), randomUUID()];
    const { id } = await service.insert({
      ...capture('a1', 'a2'),
      title: 'First',
      timestamp: '2026-01-01',
      metadata: { upstream_thread_id: 't1', tags: ['mine'], related_conversation_ids: [first] },
    });
    await service.insert({
      ...capture('a1', 'a2', 'Now in Python.'),
      title: 'Second',
      timestamp: '2026-02-02',
      metadata: {
        upstream_thread_id: 't1',
        tags: ['other'],
        parent_conversation_id: second,
        related_conversation_ids: [second, first],
      },
    });
    const { body } = await service.request('/memory/retrieve', { id });
    expect(body.memory).toMatchObject({
      title: 'First',
      timestamp: '2026-01-01',
      metadata: {
        tags: ['mine'],
        parent_conversation_id: second,
        related_conversation_ids: [first, second],
        topics: ['python'],
        auto_tags: ['source:claude', 'python'],
        generated_summary: 'First: user: a1; assistant: a2; user: Now in Python.',
      },
    });
  });
});

describe('a turn without text', () => {
  it('has no chunk, and the chunks after it are numbered like their messages', async () => {
    const service = await aService(trusted);
    const { id } = await service.insert(capture('canoe one', ''));
    const longer = await service.insert(capture('canoe one', '', 'canoe three'));
    expect(longer).toMatchObject({ id, appended_messages: 1, embedded_chunks: 1, chunks: 2 });
    const { results } = await service.search({ query: 'three', top_k: 1 });
    expect(results).toMatchObject([{ id, chunk_index: 2, text: 'canoe three' }]);
  });
});

describe('an explicit id', () => {
  it('is continued when appends are trusted, and refused when the history differs', async () => {
    const service = await aService(trusted);
    const { id } = await service.insert({ messages: turns('a1', 'a2') });
    expect(await service.insert({ id, messages: turns('a1', 'a2', 'a3') })).toMatchObject({ id, appended_messages: 1 });
    expect((await refusalOf(service.insert({ id, messages: turns('b1') }))).code).toBe('unauthorized_update');
  });
});

describe('without trust', () => {
  it('a longer capture is a new conversation of the same thread', async () => {
    const service = await aService();
    const { id } = await service.insert(capture('a1', 'a2'));
    const longer = await service.insert(capture('a1', 'a2', 'a3'));
    expect(longer).toMatchObject({ deduplicated: false, appended_messages: 0, embedded_chunks: 3 });
    expect(longer.id).not.toBe(id);
    const { results } = await service.search({ query: 'a1 a2 a3', result_mode: 'threads' });
    expect(results).toMatchObject([{ thread_id: 'claude:t1', conversation_count: 2 }]);
  });
});

describe('threads', () => {
  it('of other sources, other upstream ids and no id are apart', async () => {
    const service = await aService(trusted);
    await service.insert(capture('a1'));
    for (const other of [
      { ...capture('a1', 'a2'), source: 'gemini' },
      { ...capture('a1', 'a2', 'a3'), metadata: { upstream_thread_id: 't2' } },
      { ...capture('a1', 'a2', 'a3', 'a4'), metadata: {} },
    ]) {
      expect(await service.insert(other)).toMatchObject({ deduplicated: false, appended_messages: 0 });
    }
  });
});
