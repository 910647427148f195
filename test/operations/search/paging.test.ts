import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invented, turns } from '../../support/conversation.js';
import { atLength } from '../../support/length.js';
import fc from '../../support/properties.js';
import { aService, startService, type TestService } from '../../support/service.js';

const modes = ['chunks', 'compact', 'conversations', 'threads'] as const;

/** What makes an item of a mode itself. */
function keyOf(item: object): string {
  const { id, chunk_index, thread_id } = item as { id: string; chunk_index?: number; thread_id?: string };
  return thread_id ?? `${id} ${chunk_index}`;
}

async function walk(service: TestService, input: object, limit: number): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.search({ ...input, limit, ...(cursor === undefined ? {} : { cursor }) } as never);
    expect(page.results.length).toBeLessThanOrEqual(limit);
    const relevances = page.results.map(({ relevance }) => relevance);
    expect(relevances).toEqual(relevances.toSorted((one, other) => other - one));
    keys.push(...page.results.map(keyOf));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return keys;
}

/** Ties everywhere: some turns are said in many conversations. */
async function fill(service: TestService): Promise<void> {
  const said = ['yes', 'thank you', 'the canoe', 'canoe and paddle'];
  const conversations = Array.from({ length: 60 }, (_, index) => ({
    source: index % 3 === 0 ? 'claude' : 'gemini',
    messages: turns(invented(index, 4), said[index % said.length] ?? '', ...(index % 4 === 0 ? ['canoe'] : [])),
    ...(index % 2 === 0 ? { metadata: { upstream_thread_id: `t${index % 10}` } } : {}),
  }));
  await Promise.all(conversations.map((conversation) => service.insert(conversation)));
}

describe.each(['memory', 'lancedb'] as const)('pages in %s', (vector_db) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      providers: { vector_db },
      retrieval: { keyword_candidate_limit: 5, candidate_multiplier: 2 },
    });
    await fill(service);
    // While points move from the tail to the store their distances may change in the last digit.
    await service.vectorRows();
  });
  afterAll(() => service.close());

  it('neither skip nor repeat anything, whatever their size, mode, query and filter', async () => {
    const request = fc.record(
      {
        query: fc.constantFrom('canoe', 'yes', 'thank you', invented(7, 4), 'nowhere', 'canoe paddle yes'),
        result_mode: fc.constantFrom(...modes),
        source: fc.constantFrom('claude', 'gemini'),
      },
      { requiredKeys: ['query', 'result_mode'] },
    );
    const runs = vector_db === 'memory' ? atLength(10, 30) : atLength(3, 8);
    await fc.assert(
      fc.asyncProperty(request, fc.integer({ min: 2, max: 40 }), async (input, size) => {
        const paged = await walk(service, input, size);
        expect(new Set(paged).size).toBe(paged.length);
        const whole = await walk(service, input, 100);
        if (input.result_mode === 'chunks' || input.result_mode === 'threads')
          expect(paged.toSorted()).toEqual(whole.toSorted());
        else expect(idsIn(paged)).toEqual(idsIn(whole));
      }),
      { numRuns: runs },
    );
  });

  it('together hold everything that is stored', async () => {
    expect(await walk(service, { query: 'canoe', result_mode: 'chunks' }, 7)).toHaveLength(135);
    expect(await walk(service, { query: 'canoe', result_mode: 'conversations' }, 7)).toHaveLength(60);
  });

  it('are the same counted by an offset as walked by the cursor, and none is beyond the end', async () => {
    const request = fc.record({ query: fc.constantFrom('canoe', 'yes'), result_mode: fc.constantFrom(...modes) });
    await fc.assert(
      fc.asyncProperty(request, fc.integer({ min: 5, max: 40 }), async (input, limit) => {
        const walked = await walk(service, input, limit);
        const counted: string[] = [];
        for (let offset = 0; offset < walked.length; offset += limit) {
          const page = await service.search({ ...input, limit, cursor: String(offset) });
          counted.push(...page.results.map(keyOf));
        }
        expect(counted).toEqual(walked);
        for (const beyond of [walked.length, 10_000]) {
          const page = await service.search({ ...input, limit, cursor: String(beyond) });
          expect([page.results, page.cursor]).toEqual([[], null]);
        }
      }),
      { numRuns: vector_db === 'memory' ? atLength(4, 8) : atLength(1, 2) },
    );
  });

  it('continue from the cursor of a counted page', async () => {
    const input = { query: 'canoe', limit: 7 };
    const { results, cursor } = await service.search({ ...input, cursor: '14' });
    const next = await service.search({ ...input, cursor: cursor ?? '' });
    const whole = await walk(service, { query: 'canoe' }, 7);
    expect([...results, ...next.results].map(keyOf)).toEqual(whole.slice(14, 28));
  });

  it('come in the same order every time', async () => {
    const once = await walk(service, { query: 'canoe', result_mode: 'chunks' }, 9);
    expect(await walk(service, { query: 'canoe', result_mode: 'chunks' }, 9)).toEqual(once);
  });
});

/** A conversation is shown by its best chunk, and which that is may depend on how deep the search went. */
function idsIn(keys: readonly string[]): string[] {
  return keys.map((key) => key.split(' ')[0] ?? '').toSorted();
}

describe('a cursor', () => {
  it('is null at the end, also when the last page is full', async () => {
    const service = await aService();
    for (const index of [1, 2, 3, 4]) await service.insert({ messages: turns(`canoe ${index}`) });
    const first = await service.search({ query: 'canoe', limit: 2 });
    expect(first.cursor).toEqual(expect.any(String));
    const second = await service.search({ query: 'canoe', limit: 2, cursor: first.cursor ?? '' });
    expect(second.results).toHaveLength(2);
    expect(second.cursor).toBeNull();
    expect((await service.search({ query: 'canoe', limit: 4 })).cursor).toBeNull();
  });

  it.each(modes)('is null at the end of a full page, also when the stores may hold more: %s', async (result_mode) => {
    const service = await aService();
    for (const index of [1, 2, 3, 4, 5, 6]) {
      const messages = turns(`A kayak plan ${index}`, invented(index), `Kayak ${invented(index + 10)}`);
      await service.insert({ messages, metadata: { tags: ['kayak'] } });
    }
    const limit = result_mode === 'chunks' ? 18 : 6;
    const page = await service.search({ query: 'kayak plan', tags: ['kayak'], result_mode, limit });
    expect([page.results.length, page.cursor]).toEqual([limit, null]);
  });

  it('belongs to its search', async () => {
    const service = await aService();
    for (const index of [1, 2, 3]) await service.insert({ messages: turns(`canoe ${index}`) });
    const { cursor } = await service.search({ query: 'canoe', limit: 1 });
    const others = [
      { query: 'paddle', limit: 1 },
      { query: 'canoe', limit: 2 },
      { query: 'canoe', limit: 1, source: 'x' },
      { query: 'canoe', limit: 1, result_mode: 'compact' },
      { query: 'canoe', limit: 1, memory_status: 'all' },
    ];
    for (const other of others) {
      const { status, body } = await service.request('/memory/search', { ...other, cursor });
      expect({ status, issues: body.issues }).toEqual({
        status: 404,
        issues: [{ path: 'cursor', message: 'belongs to another request; repeat that request to get its next page' }],
      });
    }
    for (const wrong of ['', 'abc', '-5', '10001', `${cursor}x`, 7, null, 'x'.repeat(500)]) {
      expect((await service.request('/memory/search', { query: 'canoe', limit: 1, cursor: wrong })).status).toBe(400);
    }
  });
});

describe('top_k and limit', () => {
  it('bound a page; limit wins over top_k', async () => {
    const service = await aService();
    await Promise.all(Array.from({ length: 12 }, (_, index) => service.insert({ messages: turns(`canoe ${index}`) })));
    const size = async (input: object) => (await service.search({ query: 'canoe', ...input } as never)).results.length;
    expect([
      await size({}),
      await size({ top_k: 1 }),
      await size({ top_k: 100 }),
      await size({ top_k: 2, limit: 7 }),
    ]).toEqual([5, 1, 12, 7]);
  });

  it('refuse what is no number from 1 to 100', async () => {
    const service = await aService();
    for (const value of [0, -1, 101, 1.5, 1e300, '5', null]) {
      for (const key of ['top_k', 'limit']) {
        const { status, body } = await service.request('/memory/search', { query: 'canoe', [key]: value });
        expect({ status, path: (body.issues as { path: string }[])[0]?.path }).toEqual({ status: 400, path: key });
      }
    }
  });

  it('follow limits.max_top_k', async () => {
    const service = await aService({ limits: { max_top_k: 200 } });
    await Promise.all(Array.from({ length: 150 }, (_, index) => service.insert({ messages: turns(`canoe ${index}`) })));
    expect((await service.search({ query: 'canoe', top_k: 150 })).results).toHaveLength(150);
    expect((await service.request('/memory/search', { query: 'canoe', top_k: 201 })).status).toBe(400);
    expect((await service.request('/memory/search', { query: 'canoe', top_k: 201, limit: 5 })).status).toBe(400);
  });
});
