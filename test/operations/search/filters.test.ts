import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aNote, invented, type SentConversation } from '../../support/conversation.js';
import { aService, idsOf, startService, type TestService } from '../../support/service.js';

const notes: Record<string, Partial<SentConversation>> = {
  first: { source: 'claude', timestamp: '2026-03-01T00:00:00Z', tags: ['red', 'round'] },
  second: {
    source: 'claude',
    timestamp: '2026-03-01T23:59:59.999Z',
    tags: ['red'],
    metadata: { upstream_thread_id: 't1' },
  },
  third: {
    source: 'gemini',
    timestamp: '2026-03-02T00:30:00+02:00',
    tags: ['Red', 'blue'],
    metadata: { thread_id: 'mine' },
  },
  fourth: { source: 'gemini', timestamp: '2026-03-02', metadata: { upstream_thread_id: 't1' } },
};

let service: TestService;
const nameOf = new Map<string, string>();
beforeAll(async () => {
  service = await startService();
  for (const [name, parts] of Object.entries(notes)) {
    nameOf.set((await service.insert(aNote(`The ${name} apple`, parts))).id, name);
  }
});
afterAll(() => service.close());

async function found(filter: object): Promise<string[]> {
  const answer = await service.search({ query: 'apple', top_k: 50, ...filter });
  return idsOf(answer)
    .map((id) => nameOf.get(id) ?? '?')
    .sort();
}

describe('a filter', () => {
  it.each([
    [{}, ['first', 'fourth', 'second', 'third']],
    [{ source: 'claude' }, ['first', 'second']],
    [{ source: 'Claude' }, []],
    [{ source: ' claude ' }, ['first', 'second']],
    [{ thread_id: ' mine ' }, ['third']],
    [{ tags: ['red'] }, ['first', 'second']],
    [{ tags: ['red', 'round'] }, ['first']],
    [{ tags: ['red', 'blue'] }, []],
    [{ tags: ['Red'] }, ['third']],
    [{ tags: ['source:claude'] }, []],
    [{ tags: [] }, ['first', 'fourth', 'second', 'third']],
    [{ thread_id: 'claude:t1' }, ['second']],
    [{ thread_id: 'gemini:t1' }, ['fourth']],
    [{ thread_id: 't1' }, []],
    [{ thread_id: 'mine' }, ['third']],
    [{ date_from: '2026-03-02' }, ['fourth']],
    [{ date_to: '2026-03-01' }, ['first', 'second', 'third']],
    [{ date_from: '2026-03-01', date_to: '2026-03-01' }, ['first', 'second', 'third']],
    [{ date_from: '2026-03-01T00:00:00Z', date_to: '2026-03-01T00:00:00Z' }, ['first']],
    [{ date_from: '2026-03-01T00:00:00.001Z' }, ['fourth', 'second', 'third']],
    [{ date_from: '2026-03-01T23:59:59.999Z', date_to: '2026-03-02T00:00:00Z' }, ['fourth', 'second']],
    [{ date_from: '2026-03-02T00:30:00+02:00', date_to: '2026-03-01T22:30:00Z' }, ['third']],
    [{ date_from: '2026-03-02T02:00:00+02:00' }, ['fourth']],
    [{ date_from: '2026-03-03', date_to: '2026-03-01' }, []],
    [{ source: 'gemini', tags: ['blue'], date_to: '2026-03-01' }, ['third']],
  ])('%j finds %j', async (filter, names) => {
    expect(await found(filter)).toEqual(names);
  });

  it.each([
    { date_from: 'yesterday' },
    { date_to: '2026-02-30' },
    { date_to: 20260301 },
    { tags: 'red' },
    { tags: [1] },
    { source: null },
    { source: '' },
    { source: '  ' },
    { thread_id: '' },
    { tags: null },
    { thread_id: null },
    { date_from: null },
    { since: '2026-03-01' },
  ])('%j is refused', async (filter) => {
    const { status, body } = await service.request('/memory/search', { query: 'apple', ...filter });
    expect({ status, code: body.error_code }).toEqual({ status: 400, code: 'invalid_input' });
  });
});

describe('a broad filter', () => {
  it('over more than a thousand conversations finds the right one, and nothing of others', async () => {
    const crowd = await aService({ retrieval: { keyword_candidate_limit: 10 } });
    const texts = Array.from({ length: 1_500 }, (_, index) => index);
    await Promise.all(
      texts.map((index) =>
        crowd.insert(
          aNote(index % 5 === 4 ? `apple apple number ${index}` : `the apple of day ${index}`, {
            source: index % 5 === 4 ? 'other' : 'many',
          }),
        ),
      ),
    );
    const narrow = await crowd.search({ query: 'apple 77', source: 'many', top_k: 5, result_mode: 'chunks' });
    expect(narrow.results[0]).toMatchObject({ text: 'the apple of day 77' });
    const sources = new Set<string>();
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await crowd.search({
        query: 'apple',
        source: 'many',
        limit: 100,
        result_mode: 'compact',
        ...(cursor && { cursor }),
      });
      for (const item of page.results as { id: string; source: string }[]) {
        expect(seen.has(item.id)).toBe(false);
        seen.add(item.id);
        sources.add(item.source);
      }
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(sources).toEqual(new Set(['many']));
    expect(seen.size).toBe(1_200);
  });

  it('finds what is far from the query behind hundreds of others that are near', async () => {
    const crowd = await aService();
    const canoe = 'The canoe was varnished by Elmer for 80 euros.';
    const near = Array.from({ length: 580 }, (_, index) =>
      aNote(`Boat repair note ${index}: the boat hull was sanded, painted and looked after.`, { source: 'chatgpt' }),
    );
    const far = Array.from({ length: 1_000 }, (_, index) => aNote(invented(index), { source: 'claude' }));
    const all = [...near, ...far, aNote(canoe, { source: 'claude' })];
    await Promise.all(all.map((conversation) => crowd.insert(conversation)));
    for (const top_k of [1, 3, 5]) {
      const { results } = await crowd.search({ query: 'boat repair', source: 'claude', top_k });
      expect(results).toHaveLength(top_k);
      expect(results[0]).toMatchObject({ text: canoe });
    }
    const question = 'Who looked after the boat and what did it cost?';
    expect((await crowd.ask({ question, source: 'claude' })).results[0]).toMatchObject({ text: canoe });
  });
});
