import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/operations/table.js';
import { aConversation, aNote, invented } from '../../support/conversation.js';
import fc from '../../support/properties.js';
import { aService, idsOf, memberOf } from '../../support/service.js';

const call = (projectId: string) => ({ principal: memberOf(projectId), defaultSource: 'unknown' });

describe('conversations_list', () => {
  it('walks all conversations of the caller in pages, in order, each once', async () => {
    const service = await aService();
    const mine = memberOf('mine');
    for (let index = 0; index < 23; index++) {
      const timestamp = `2026-01-${String(1 + (index % 7)).padStart(2, '0')}`;
      await service.insert(aNote(invented(index), { timestamp }), mine);
    }
    await service.insert(aNote('not mine'), memberOf('theirs'));
    const sizes = fc.record({ limit: fc.integer({ min: 1, max: 30 }), order: fc.constantFrom('newest', 'oldest') });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ limit, order }) => {
        const seen: { id: string; timestamp: string }[] = [];
        let cursor: string | null = null;
        do {
          const page = { limit, order, ...(cursor === null ? {} : { cursor }) };
          const answer = await operations.conversations_list.execute(service.service, call('mine'), page);
          expect(answer.total).toBe(23);
          seen.push(...answer.results);
          cursor = answer.cursor;
        } while (cursor !== null);
        expect(new Set(seen.map(({ id }) => id)).size).toBe(23);
        const times = seen.map(({ timestamp }) => timestamp);
        const sorted = [...times].sort();
        expect(times).toEqual(order === 'oldest' ? sorted : sorted.reverse());
      }),
      { numRuns: 20 },
    );
  });

  it('filters, counts messages and leaves them out', async () => {
    const service = await aService();
    const { id } = await service.insert(
      aConversation({ title: 'Shed', timestamp: '2026-03-01', metadata: { tags: ['home'] } }),
    );
    await service.insert(aNote('elsewhere', { source: 'claude', timestamp: '2026-03-02' }));
    const { body } = await service.request('/memory/conversations/list', { tags: ['home'], date_to: '2026-03-01' });
    expect(body).toMatchObject({
      status: 'ok',
      total: 1,
      cursor: null,
      results: [{ id, title: 'Shed', source: 'chatgpt', message_count: 2, metadata: { tags: ['home'] } }],
    });
    expect(JSON.stringify(body)).not.toContain('"messages"');
  });

  it.each([{ cursor: 'nonsense' }, { cursor: '' }, { limit: 0 }, { limit: 101 }, { order: 'up' }, { tags: null }])(
    'refuses %j',
    async (body) => {
      const service = await aService();
      const answer = await service.request('/memory/conversations/list', body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error_code: 'invalid_input', issues: [{ path: Object.keys(body)[0] }] });
    },
  );

  it('refuses the cursor of another request', async () => {
    const service = await aService();
    for (let index = 0; index < 3; index++) await service.insert(aNote(invented(index)));
    const { body } = await service.request('/memory/conversations/list', { limit: 1 });
    const answer = await service.request('/memory/conversations/list', { limit: 2, cursor: body.cursor });
    expect(answer.body).toMatchObject({ error_code: 'not_found', issues: [{ path: 'cursor' }] });
  });
});

describe('conversations_update', () => {
  it('renames and tags; search and list see it at once', async () => {
    const service = await aService();
    const { id } = await service.insert(aConversation({ title: 'Untitled', metadata: { tags: ['old', 'kept'] } }));
    const change = { id, title: ' Bicycle shed ', add_tags: ['home', 'home'], remove_tags: ['old', 'unknown'] };
    const { body } = await service.request('/memory/conversations/update', change);
    expect(body).toMatchObject({
      status: 'ok',
      id,
      memory: { title: 'Bicycle shed', metadata: { tags: ['kept', 'home'] } },
    });
    const { body: kept } = await service.request('/memory/retrieve', { id });
    expect(kept.memory).toMatchObject({ title: 'Bicycle shed', metadata: { tags: ['kept', 'home'] } });
    expect(String((kept.memory as { metadata: object }).metadata['generated_summary' as never])).toContain(
      'Bicycle shed',
    );
    expect(idsOf(await service.search({ query: 'bicycle', tags: ['home'] }))).toContain(id);
    expect(idsOf(await service.search({ query: 'bicycle', tags: ['old'] }))).toEqual([]);
  });

  it('takes the last tag away', async () => {
    const service = await aService();
    const { id } = await service.insert(aConversation({ metadata: { tags: ['only'] } }));
    const { body } = await service.request('/memory/conversations/update', { id, remove_tags: ['only'] });
    expect((body.memory as { metadata: object }).metadata).not.toHaveProperty('tags');
  });

  it('loses no tag when many are added at once, nor when turns are appended meanwhile', async () => {
    const service = await aService({ storage: { allow_trusted_appends: true } });
    const turn = (count: number) =>
      aConversation({
        messages: Array.from({ length: count }, (_, index) => ({ role: 'user', text: `turn ${index}` })),
        metadata: { upstream_thread_id: 't' },
      });
    const { id } = await service.insert(turn(1));
    const tags = ['a', 'b', 'c'];
    await Promise.all([
      ...tags.map((tag) => service.request('/memory/conversations/update', { id, add_tags: [tag] })),
      service.insert(turn(3)),
    ]);
    const { body } = await service.request('/memory/retrieve', { id });
    const memory = body.memory as { messages: unknown[]; metadata: { tags: string[] } };
    expect([...memory.metadata.tags].sort()).toEqual(tags);
    expect(memory.messages).toHaveLength(3);
  });

  it("does not find another's conversation", async () => {
    const service = await aService();
    const { id } = await service.insert(aNote('secret'), memberOf('theirs'));
    const answer = await service.request('/memory/conversations/update', { id, title: 'Mine now' });
    expect(answer).toMatchObject({ status: 404, body: { error_code: 'not_found' } });
  });

  it.each([
    [{}, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(1_025) }, 'title'],
    [{ add_tags: [''] }, 'add_tags.0'],
    [{ add_tags: 'home' }, 'add_tags'],
  ])('refuses %j at %s', async (fields, path) => {
    const service = await aService();
    const { id } = await service.insert(aConversation());
    const answer = await service.request('/memory/conversations/update', { id, ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([{ path, message: expect.any(String) }]);
  });
});

describe('activity', () => {
  it('counts conversations and messages per UTC day and source', async () => {
    const service = await aService();
    await service.insert(aNote('one', { timestamp: '2026-03-01T23:30:00-02:00' }));
    await service.insert(aConversation({ timestamp: '2026-03-02T08:00:00Z' }));
    await service.insert(aNote('two', { timestamp: '2026-03-02T09:00:00Z', source: 'claude' }));
    await service.insert(aNote('hidden', { timestamp: '2026-03-02T09:00:00Z' }), memberOf('theirs'));
    const { body } = await service.request('/memory/activity', { date_from: '2026-03-01' });
    expect(body).toEqual({
      status: 'ok',
      days: [
        { day: '2026-03-02', source: 'chatgpt', conversations: 2, messages: 3 },
        { day: '2026-03-02', source: 'claude', conversations: 1, messages: 1 },
      ],
    });
  });

  it('counts sources, tags, topics and threads with their months when asked', async () => {
    const service = await aService();
    const labelled = (tags: string[], thread_id: string) => ({ tags, thread_id, topics: ['boats'] });
    await service.insert(
      aNote('one', { timestamp: '2026-01-05', title: 'Old', metadata: labelled(['sea', 'sea'], 't1') }),
    );
    await service.insert(
      aNote('two', { timestamp: '2026-03-02', title: 'New', metadata: labelled(['sea', 'oar'], 't1') }),
    );
    await service.insert(aNote('hidden', { metadata: labelled(['secret'], 't2') }), memberOf('theirs'));
    const { body } = await service.request('/memory/activity', { labels: true });
    const months = [
      { month: '2026-01', conversations: 1 },
      { month: '2026-03', conversations: 1 },
    ];
    const both = { conversations: 2, messages: 2, chunks: 2, first: '2026-01-05', last: '2026-03-02', months };
    const labels = body.labels as { kind: string; name: string }[];
    expect(labels.filter(({ kind, name }) => kind !== 'topic' || name === 'boats')).toEqual([
      { kind: 'source', name: 'chatgpt', ...both },
      { kind: 'tag', name: 'sea', ...both },
      expect.objectContaining({ kind: 'tag', name: 'oar', conversations: 1, first: '2026-03-02' }),
      { kind: 'topic', name: 'boats', ...both },
      { kind: 'thread', name: 't1', title: 'New', ...both },
    ]);
    const early = await service.request('/memory/activity', { labels: true, date_to: '2026-02-01' });
    expect((early.body.labels as { name: string }[]).map(({ name }) => name)).not.toContain('oar');
  });
});
