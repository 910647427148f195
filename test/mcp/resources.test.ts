import { describe, expect, it } from 'vitest';
import { memoryTools } from '../../src/mcp/tools/table.js';
import { aConversation, aNote } from '../support/conversation.js';
import { aSession, opening, postStateless } from '../support/mcp.js';
import { aService, type Body } from '../support/service.js';

type Session = Awaited<ReturnType<typeof aSession>>;

async function read(session: Session, uri: string): Promise<Body> {
  const { contents } = (await session.result('resources/read', { uri })) as { contents: Body[] };
  expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }]);
  return JSON.parse(contents[0]?.text as string) as Body;
}

describe('resources', () => {
  it('are listed with their templates as JSON', async () => {
    const session = await aSession(await aService());
    const { resources } = (await session.result('resources/list')) as { resources: Body[] };
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['memory://conversation/example', 'application/json'],
      ['memory://health', 'application/json'],
    ]);
    const { resourceTemplates } = (await session.result('resources/templates/list')) as { resourceTemplates: Body[] };
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'memory://conversation/{id}',
      'memory://search/{query}',
      'memory://timeline/{day}',
      'memory://health',
    ]);
  });

  it('give a conversation, an example of one, and the health of the service', async () => {
    const service = await aService();
    const { id } = await service.insert(aConversation({ tags: ['home'], timestamp: '2026-05-02T10:00:00Z' }));
    const session = await aSession(service);
    expect(await read(session, `memory://conversation/${id.toUpperCase()}`)).toMatchObject({
      status: 'ok',
      id,
      memory: { messages: [{ text: 'Where is the bicycle?' }, { text: 'It is in the shed.' }] },
      metadata: { id, source: 'chatgpt', timestamp: '2026-05-02T10:00:00Z', tags: ['home'] },
    });
    expect(await read(session, 'memory://conversation/example')).toMatchObject({ status: 'ok', id: 'example' });
    expect(await read(session, 'memory://health')).toMatchObject({
      status: 'ok',
      mode: 'ok',
      vector_provider: 'memory',
    });
  });

  it('search for a percent-encoded query', async () => {
    const service = await aService();
    await service.insert(aNote('Der Kranich heißt Özil.'));
    const found = await read(await aSession(service), `memory://search/${encodeURIComponent('Kranich Özil?')}`);
    expect(found).toMatchObject({
      status: 'ok',
      id: 'search:Kranich Özil?',
      results: [{ text: 'Der Kranich heißt Özil.' }],
      cursor: null,
      metadata: { query: 'Kranich Özil?', top_k: 5 },
    });
  });

  it('search on from the cursor of the page before', async () => {
    const service = await aService();
    for (let index = 0; index < 8; index++) await service.insert(aNote(`Crane number ${index}.`));
    const session = await aSession(service);
    const first = await read(session, 'memory://search/crane');
    const second = await read(session, `memory://search/crane?cursor=${first.cursor}`);
    const ids = [...(first.results as Body[]), ...(second.results as Body[])].map(({ id }) => id);
    expect(new Set(ids).size).toBe(8);
    expect(second.cursor).toBeNull();
    const other = await session.request('resources/read', { uri: `memory://search/heron?cursor=${first.cursor}` });
    expect(other.error).toMatchObject({ code: -32602, message: expect.stringContaining('belongs to another request') });
  });

  it('list a UTC day whole and in order, whatever the offsets say', async () => {
    const service = await aService();
    const at = async (timestamp: string) => (await service.insert(aNote(`At ${timestamp}.`, { timestamp }))).id;
    const late = await at('2026-03-02T00:30:00+02:00');
    const early = await at('2026-03-01T00:00:00Z');
    const noon = await at('2026-03-01T12:00:00Z');
    await at('2026-03-02T00:00:00Z');
    await at('2026-02-28T23:59:59Z');
    const day = await read(await aSession(service), 'memory://timeline/2026-03-01');
    expect((day.results as Body[]).map(({ id }) => id)).toEqual([early, noon, late]);
    expect(day).toMatchObject({ id: 'timeline:2026-03-01', cursor: null, metadata: { day: '2026-03-01', count: 3 } });
  });

  it.each([
    ['an unknown address', 'memory://nothing', -32002],
    ['an unknown id', 'memory://conversation/00000000-0000-4000-8000-000000000000', -32002],
    ['an id that is none', 'memory://conversation/7', -32002],
    ['a day that is none', 'memory://timeline/2026-02-30', -32602],
    ['a broken percent sign', 'memory://search/100%', -32002],
    ['a blank query', 'memory://search/%20', -32602],
  ])('refuse %s', async (_, uri, code) => {
    const { error } = await (await aSession(await aService())).request('resources/read', { uri });
    expect(error).toMatchObject({ code });
  });

  it('that are missing have the code of the revision that was negotiated', async () => {
    const service = await aService();
    const uri = 'memory://conversation/00000000-0000-4000-8000-000000000000';
    for (const protocolVersion of ['2025-06-18', '2025-11-25']) {
      const { error } = await (await aSession(service, { ...opening, protocolVersion })).request('resources/read', {
        uri,
      });
      expect(error).toMatchObject({ code: -32002, data: { uri } });
    }
    const { body } = await postStateless(service, 'resources/read', { uri });
    expect(body.error).toMatchObject({ code: -32602, data: { uri } });
  });

  it('stay in the project of the caller', async () => {
    const service = await aService();
    const other = { userId: 'other', scopes: ['memory:read', 'memory:write'], defaultProjectId: 'other' } as const;
    const { id } = await service.insert(aNote('Not yours.'), other);
    const { error } = await (await aSession(service)).request('resources/read', { uri: `memory://conversation/${id}` });
    expect(error).toMatchObject({ message: 'There is no such resource' });
  });
});

describe('prompts', () => {
  it('are offered when the tools they name exist', async () => {
    const { prompts } = (await (await aSession(await aService())).result('prompts/list')) as { prompts: Body[] };
    expect(prompts.map(({ name }) => name)).toEqual([
      'save_conversation',
      'search_memory',
      'ask_memory',
      'summarize_conversation',
    ]);
  });

  it('quote what they are given', async () => {
    const session = await aSession(await aService());
    const given = { name: 'search_memory', arguments: { query: 'the "blue" one\nand more' } };
    const { messages } = (await session.result('prompts/get', given)) as { messages: { content: Body }[] };
    expect(messages[0]?.content.text).toContain(String.raw`memory_search with query="the \"blue\" one\nand more"`);
    const missing = await session.request('prompts/get', { name: 'search_memory' });
    expect(missing.error).toMatchObject({ code: -32602, message: 'The argument query is required' });
  });
});

describe('completion', () => {
  it('suggests ids and days that exist, newest first, and nothing for free text', async () => {
    const service = await aService();
    const ids: string[] = [];
    for (const timestamp of [
      '2025-12-31T10:00:00Z',
      '2026-01-05T10:00:00Z',
      '2026-01-05T12:00:00Z',
      '2026-02-01T00:00:00Z',
    ]) {
      ids.push((await service.insert(aNote(`At ${timestamp}.`, { timestamp }))).id);
    }
    const session = await aSession(service);
    const complete = async (ref: Body, name: string, value: string) => {
      const { completion } = await session.result('completion/complete', { ref, argument: { name, value } });
      return (completion as { values: string[] }).values;
    };
    const timeline = { type: 'ref/resource', uri: 'memory://timeline/{day}' };
    expect(await complete(timeline, 'day', '')).toEqual(['2026-02-01', '2026-01-05', '2025-12-31']);
    expect(await complete(timeline, 'day', '2026-01')).toEqual(['2026-01-05']);
    const conversation = { type: 'ref/resource', uri: 'memory://conversation/{id}' };
    expect(await complete(conversation, 'id', '')).toEqual([...ids].reverse());
    const [first = ''] = ids;
    expect(await complete(conversation, 'id', first.slice(0, 8))).toEqual([first]);
    expect(await complete({ type: 'ref/prompt', name: 'summarize_conversation' }, 'id', first.slice(0, 8))).toEqual([
      first,
    ]);
    expect(await complete({ type: 'ref/prompt', name: 'search_memory' }, 'query', 'a')).toEqual([]);
  });
});

describe('lists', () => {
  it('come in pages of the configured size', async () => {
    const session = await aSession(await aService({ mcp: { list_page_size: 3 } }));
    const names: unknown[] = [];
    let cursor: unknown;
    let pages = 0;
    do {
      const page = await session.result('tools/list', cursor === undefined ? {} : { cursor });
      names.push(...(page.tools as Body[]).map(({ name }) => name));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    const all = memoryTools.length;
    expect({ pages, names: names.length, different: new Set(names).size }).toEqual({
      pages: Math.ceil(all / 3),
      names: all,
      different: all,
    });
  });
});
