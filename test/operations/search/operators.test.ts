import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aConversation, turns } from '../../support/conversation.js';
import { aService, idsOf, startService, type TestService } from '../../support/service.js';

let service: TestService;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await startService();
  const stored = {
    react: aConversation({
      source: 'claude',
      title: 'React notes',
      tags: ['react'],
      timestamp: '2025-05-31T10:00:00Z',
      messages: turns(
        'How does the hook useDebounce work?',
        'Call `useDebounce(value)`; see https://react.dev for it.',
      ),
    }),
    draft: aConversation({
      source: 'chatgpt',
      title: 'Drafts',
      timestamp: '2025-06-01T10:00:00Z',
      messages: turns('A draft about hooks for fishing.', 'Fishing hooks come in sizes. ![a hook](hook.png)'),
    }),
  };
  for (const [name, conversation] of Object.entries(stored)) ids[name] = (await service.insert(conversation)).id;
});
afterAll(() => service.close());

const found = async (query: string, more: object = {}): Promise<(string | undefined)[]> => {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return [...new Set(idsOf(await service.search({ query, top_k: 20, ...more })).map((id) => names.get(id)))].toSorted();
};

describe('operators', () => {
  it.each([
    ['hooks source:claude', ['react']],
    ['hooks -source:claude', ['draft']],
    ['hooks tag:react', ['react']],
    ['hooks title:notes', ['react']],
    ['hooks before:2025-06-01', ['react']],
    ['hooks after:2025-05-31', ['draft']],
    ['hooks on:2025-05', ['react']],
    ['hooks has:code', ['react']],
    ['hooks has:link', ['react']],
    ['hooks has:image', ['draft']],
    ['hook -fishing', ['react']],
    ['"hooks for fishing"', ['draft']],
    ['"for hooks fishing"', []],
    ['source:chatgpt', ['draft']],
    ['before:2025-06-01', ['react']],
    ['after:2025-05-31', ['draft']],
    ['on:2025-05', ['react']],
    ['on:2025-05 source:chatgpt', []],
    ['debounce source:chatgpt has:code', []],
    ['unknown:operator hook', ['draft', 'react']],
  ])('%s', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  it('role: leaves the messages of one role', async () => {
    const { results } = await service.search({ query: 'hook role:assistant', top_k: 20 });
    expect(results.length).toBe(2);
    expect(results.every((item) => 'role' in item && item.role === 'assistant')).toBe(true);
  });

  it('a wrong value is refused with its place', async () => {
    const { status, body } = await service.request('/memory/search', { query: 'hook role:admin' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error_code: 'invalid_input', query_start: '5', query_end: '15' });
    expect(JSON.stringify(body)).not.toContain('admin');
  });

  it('results come in the order of time where that is asked for', async () => {
    const times = async (sort: string) =>
      (await service.search({ query: 'hooks', sort, result_mode: 'compact' })).results.map(({ id }) => id);
    expect(await times('newest')).toEqual([ids.draft, ids.react]);
    expect(await times('oldest')).toEqual([ids.react, ids.draft]);
  });

  it('nonsense has weak matches, and none when strong ones are asked for', async () => {
    const { results, total } = await service.search({ query: 'zzqqxxv' });
    expect(results.map(({ match }) => match)).toEqual(results.map(() => 'weak'));
    expect(total).toBeGreaterThanOrEqual(results.length);
    expect(await service.search({ query: 'zzqqxxv', match: 'strong' })).toMatchObject({ results: [], total: 0 });
    expect((await service.search({ query: 'fishing', match: 'strong' })).results[0]).toMatchObject({ match: 'strong' });
  });

  it('what operators alone list has all that was asked for', async () => {
    const { results } = await service.search({ query: 'source:claude has:code', match: 'strong' });
    expect(results.map(({ match }) => match)).toEqual(['strong']);
  });

  it('dates alone list the first message of that time, with its time', async () => {
    const own = await aService();
    const { id } = await own.insert(
      aConversation({
        timestamp: '2025-03-01T10:00:00Z',
        messages: [
          { role: 'user', text: 'The boat is ready.', timestamp: '2025-03-01T10:00:00Z' },
          { role: 'assistant', text: 'Then sail.', timestamp: '2025-03-01T10:01:00Z' },
          { role: 'user', text: 'The mast broke.', timestamp: '2025-04-02T09:00:00Z' },
        ],
      }),
    );
    await own.insert(aConversation({ timestamp: '2025-05-01T10:00:00Z', messages: turns('A new mast.') }));
    const { results, total } = await own.search({ query: 'on:2025-04' });
    expect(results).toMatchObject([{ id, text: 'The mast broke.', timestamp: '2025-04-02T09:00:00Z' }]);
    expect(total).toBe(1);
    expect(await own.search({ query: 'role:assistant', date_from: '2025-04-01' })).toMatchObject({ results: [] });
  });

  it('a version number is found with and without its v', async () => {
    const own = await aService();
    const texts = ['It broke in v1.2.3 of it.', 'Take 1 spoon, 2 eggs and 3 apples.', 'Since 4.5.6 it works.'];
    for (const text of texts) await own.insert(aConversation({ messages: turns(text) }));
    const first = async (query: string) => (await own.search({ query })).results[0];
    expect(await first('1.2.3')).toMatchObject({ text: texts[0], match: 'strong' });
    expect(await first('v4.5.6')).toMatchObject({ text: texts[2], match: 'strong' });
  });

  it('a part of an identifier is found and marked, by its place in the text', async () => {
    const { results } = await service.search({ query: 'debounce', top_k: 1 });
    const [first] = results;
    if (first === undefined || !('text' in first)) throw new Error('nothing found');
    const marked = first.highlights.map(({ start, end }) => first.text.slice(start, end));
    expect(marked).toEqual(['Debounce']);
    expect(first.match).toBe('strong');
  });

  it('the part of a long message that matches is shown', async () => {
    const own = await aService();
    const paragraphs = Array.from({ length: 120 }, (_, index) => `Paragraph ${index + 1} is about the garden.`);
    await own.insert(aConversation({ messages: turns(paragraphs.join('\n\n')) }));
    const [compact] = (await own.search({ query: 'Paragraph 97', result_mode: 'compact' })).results;
    expect(compact).toMatchObject({ snippet: expect.stringContaining('Paragraph 97 ') });
    const [chunk] = (await own.search({ query: 'Paragraph 97' })).results;
    if (chunk === undefined || !('text' in chunk)) throw new Error('nothing found');
    expect(chunk.text.slice(chunk.excerpt.start, chunk.excerpt.end)).toContain('Paragraph 97 ');
  });
});

describe('a query of the same phrase hundreds of times', () => {
  it('finds what the phrase finds, instead of keeping the metadata store busy until it times out', async () => {
    const fresh = await aService();
    for (let at = 0; at < 40; at++) {
      await fresh.insert(aConversation({ messages: turns(`${at} ${'the roses bloom in the garden. '.repeat(250)}`) }));
    }
    const once = await fresh.search({ query: '"the roses"' });
    const often = await fresh.search({ query: '"the roses" '.repeat(2_600) });
    expect(idsOf(often).toSorted()).toEqual(idsOf(once).toSorted());
  });
});
