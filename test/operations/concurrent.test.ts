import { describe, expect, it } from 'vitest';
import { aConversation, invented, turns } from '../support/conversation.js';
import { aService, idsOf } from '../support/service.js';

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.each(['memory', 'lancedb'] as const)('at the same time, with %s', (vector_db) => {
  it('twenty identical inserts make one memory', async () => {
    const service = await aService({ providers: { vector_db } });
    const outcomes = await Promise.all(times(20).map(() => service.insert(aConversation())));
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(1);
    expect(outcomes.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1);
    await service.service.indexer.settled();
    expect(await service.vectorRows()).toBe(2);
    expect((await service.search({ query: 'bicycle', result_mode: 'conversations' })).results).toHaveLength(1);
  });

  it('appends of growing captures keep every message once', async () => {
    const service = await aService({ providers: { vector_db }, storage: { allow_trusted_appends: true } });
    const texts = times(12).map((index) => `turn ${index} ${invented(index, 3)}`);
    const capture = (length: number) => ({
      source: 'claude',
      messages: turns(...texts.slice(0, length)),
      metadata: { upstream_thread_id: 't1' },
    });
    const { id } = await service.insert(capture(1));
    const outcomes = await Promise.all(times(11).map((index) => service.insert(capture(index + 2))));
    expect(new Set(outcomes.map((outcome) => outcome.id))).toEqual(new Set([id]));
    expect(outcomes.reduce((sum, { appended_messages }) => sum + appended_messages, 0)).toBe(11);
    const { body } = await service.request('/memory/retrieve', { id });
    expect((body.memory as { messages: object[] }).messages).toEqual(turns(...texts));
    await service.service.indexer.settled();
    expect(await service.vectorRows()).toBe(12);
  });
});

describe('at the same time', () => {
  it('first captures of one thread make one memory', async () => {
    const service = await aService({ storage: { allow_trusted_appends: true } });
    const capture = (length: number) => ({
      source: 'claude',
      messages: turns(...times(length).map((index) => `turn ${index}`)),
      metadata: { upstream_thread_id: 't1' },
    });
    await Promise.all(times(6).map((index) => service.insert(capture(index + 1))));
    const { results } = await service.search({ query: 'turn', result_mode: 'conversations', top_k: 20 });
    expect(idsOf({ results })).toHaveLength(1);
  });

  it('many different inserts and searches are all served', async () => {
    const service = await aService();
    const outcomes = await Promise.all(
      times(60).flatMap((index) => [
        service.insert({ messages: turns(invented(index)) }).then(() => true),
        service.search({ query: invented(index, 2) }).then(() => true),
      ]),
    );
    expect(outcomes).toHaveLength(120);
    expect(await service.vectorRows()).toBe(60);
  });

  it('two reviewers decide once', async () => {
    const service = await aService({ memory: { insert_policy: 'review_pending' } });
    const { id } = await service.insert(aConversation());
    const answers = await Promise.all([
      service.request('/memory/pending/approve', { id }),
      service.request('/memory/pending/reject', { id }),
      service.request('/memory/pending/approve', { id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { status } = await service.request('/memory/retrieve', { id });
    expect(status).toBe(answers[1]?.status === 200 ? 404 : 200);
  });
});
