import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Memory } from '../../src/sdk/memory.js';
import { kinds, type Opened } from './both.js';

const unknownId = '00000000-0000-4000-8000-000000000000';

describe.each(Object.entries(kinds))('a memory %s', (_name, open) => {
  let opened: Opened;
  let memory: Memory;
  beforeAll(async () => {
    opened = await open();
    memory = opened.memory;
  });
  afterAll(() => opened.remove());

  const text = async (pieces: AsyncIterable<string>): Promise<string> => {
    let whole = '';
    for await (const piece of pieces) whole += piece;
    return whole;
  };

  it('stores, finds, retrieves and answers', async () => {
    const stored = await memory.insert({ messages: [{ role: 'user', text: 'My bicycle is blue.' }], title: 'Cycling' });
    expect(stored).toEqual({
      status: 'ok',
      id: stored.id,
      memory_status: 'active',
      deduplicated: false,
      appended_messages: 0,
      embedded_chunks: 1,
      chunks: 1,
    });
    expect(await memory.insert([{ role: 'user', text: 'My bicycle is blue.' }])).toMatchObject({ status: 'ok' });
    const found = await memory.search('bicycle');
    expect(found.results.map((hit) => hit.text)).toEqual(expect.arrayContaining(['My bicycle is blue.']));
    const { memory: conversation } = await memory.retrieve(stored.id);
    expect(conversation).toMatchObject({ id: stored.id, title: 'Cycling', source: 'unknown' });
    expect((await memory.ask('What colour is my bicycle?')).answer).toContain('blue');
    await memory.forget({ source: 'unknown', dry_run: false });
  });

  it('knows a result by its mode', async () => {
    const { id } = await memory.insert({ source: 'modes', messages: [{ role: 'user', text: 'The kettle whistles.' }] });
    const compact = await memory.search({ query: 'kettle', result_mode: 'compact', source: 'modes' });
    expect(compact.results.map((each) => each.snippet)).toEqual(['The kettle whistles.']);
    const threads = await memory.search({ query: 'kettle', result_mode: 'threads', source: 'modes' });
    expect(threads.results.map((each) => each.thread_id)).toEqual([`conversation:${id}`]);
  });

  it('walks all pages', async () => {
    for (let number = 1; number <= 7; number++) {
      const messages = [{ role: 'user', text: `Lighthouse keeper's note number ${number}` }];
      await memory.insert({ source: 'pages', timestamp: `2026-03-0${number}`, messages });
    }
    const hits: string[] = [];
    for await (const hit of memory.searchAll({ query: 'lighthouse', source: 'pages', limit: 3 })) hits.push(hit.id);
    expect(new Set(hits).size).toBe(7);
    const listed: string[] = [];
    for await (const each of memory.conversations.all({ source: 'pages', limit: 2, order: 'oldest' })) {
      listed.push(each.timestamp);
    }
    expect(listed).toEqual([1, 2, 3, 4, 5, 6, 7].map((day) => `2026-03-0${day}`));
    const first = await memory.conversations.all({ source: 'pages', limit: 2 }).next();
    expect(first.value).toMatchObject({ timestamp: '2026-03-07' });
  });

  it('has facts, a profile, a timeline and counts', async () => {
    const messages = [{ role: 'user', text: 'I live in Lisbon. My name is Nora.' }];
    await memory.insert({ source: 'facts', timestamp: '2026-02-11T08:00:00Z', messages });
    const facts = await memory.facts.search({ source: 'facts' });
    expect(facts.results.map((fact) => fact.object_normalized).sort()).toEqual(['Lisbon', 'Nora']);
    const all: string[] = [];
    for await (const fact of memory.facts.all({ source: 'facts', limit: 1 })) all.push(fact.object_normalized);
    expect(all.sort()).toEqual(['Lisbon', 'Nora']);
    expect((await memory.profile()).subject).toBe('user');
    expect((await memory.timeline('2026-02-11')).results.map(({ source }) => source)).toEqual(['facts']);
    expect((await memory.timelineAll({ day: '2026-02-11', limit: 1 }).next()).value).toMatchObject({ source: 'facts' });
    expect((await memory.activity({ source: 'facts' })).days).toEqual([
      { day: '2026-02-11', source: 'facts', conversations: 1, messages: 1 },
    ]);
    const [one, other] = facts.results;
    if (one === undefined || other === undefined) throw new Error('two facts are expected');
    const superseded = await memory.facts.supersede({ fact_id: one.id, superseded_by: other.id });
    expect(superseded.fact).toMatchObject({ id: one.id, status: 'superseded', superseded_by: other.id });
    expect((await memory.facts.restore(one.id)).fact).toMatchObject({ id: one.id, status: 'active' });
  });

  it('changes titles and tags, lists projects, tells its health', async () => {
    const { id } = await memory.insert({ source: 'tags', messages: [{ role: 'user', text: 'A heron.' }] });
    const changed = await memory.conversations.update({ id, title: 'Birds', add_tags: ['heron'] });
    expect(changed.memory).toMatchObject({ title: 'Birds', metadata: { tags: ['heron'] } });
    const { results } = await memory.projects.list();
    expect(results).toHaveLength(1);
    expect((await memory.projects.default()).project).toEqual(results[0]);
    expect((await memory.projects.get(results[0]?.id ?? '')).project).toEqual(results[0]);
    expect(await memory.projects.members(results[0]?.id ?? '')).toMatchObject({ results: [], may_manage: false });
    expect(await memory.health()).toMatchObject({ status: 'ok', mode: 'ok', metadata_provider: 'sqlite' });
    expect((await memory.ready()).status).toBe('ok');
  });

  it('exports and imports in portions', async () => {
    await memory.insert({ source: 'moving', messages: [{ role: 'user', text: 'Grüße from the moving van 🚚' }] });
    const exported = await text(memory.export({ source: 'moving' }));
    const lines = exported
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual(['threadkeep-export', 'project', 'conversation']);
    expect(await text(memory.export({ source: 'moving', format: 'markdown' }))).toContain('moving van 🚚');
    expect(await memory.forget({ source: 'moving' })).toMatchObject({ dry_run: true, conversations: 1 });
    await memory.forget({ source: 'moving', dry_run: false, allow_return: true });
    const bytes = new TextEncoder().encode(exported);
    async function* portions(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
    }
    const seen: number[] = [];
    const report = await memory.import(
      portions(),
      { format: 'threadkeep', filename: 'memory.jsonl' },
      { onProgress: ({ read }) => seen.push(read) },
    );
    expect(report).toMatchObject({ status: 'ok', read: 1, imported: 1, skipped: 0 });
    for (const data of [exported, bytes, new Blob([exported]), [exported]]) {
      const again = await memory.import(data, { format: 'threadkeep', dry_run: true });
      expect(again).toMatchObject({ read: 1, duplicates: 1, dry_run: true });
    }
    expect((await memory.search({ query: 'van', source: 'moving' })).results).toHaveLength(1);
  });

  it('imports in the background, and shows what is around a message', async () => {
    const chats = JSON.stringify([
      { id: 'ferry', messages: ['The ferry', 'leaves', 'at nine'].map((part) => ({ role: 'user', text: part })) },
    ]);
    const { job } = await memory.imports.create(chats, { filename: 'chats.json', source: 'harbour' });
    const state = async () => (await memory.imports.get(job.id)).job.state;
    await expect.poll(state, { timeout: 60_000, interval: 20 }).toBe('done');
    const { results: jobs } = await memory.imports.list();
    expect(jobs).toMatchObject([{ id: job.id, filename: 'chats.json', report: { read: 1, imported: 1 } }]);
    expect((await memory.imports.cancel(job.id)).job.state).toBe('done');
    await expect(memory.imports.get(unknownId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(memory.imports.create('nothing')).rejects.toMatchObject({ code: 'invalid_input' });
    const [found] = (await memory.search({ query: 'leaves', source: 'harbour', top_k: 1 })).results;
    const around = await memory.context({ id: found?.id ?? '', message_index: 1, before: 1, after: 1 });
    expect(around.results.map((message) => message.text)).toEqual(['The ferry', 'leaves', 'at nine']);
  });

  it('stops exporting when the reader stops', async () => {
    const pieces = memory.export();
    await pieces.next();
    await pieces.return?.();
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
  });

  it('fails with the codes of the interface', async () => {
    await expect(memory.retrieve(unknownId)).rejects.toMatchObject({ name: 'MemoryError', code: 'not_found' });
    await expect(memory.search('  ')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'query must not be blank',
      issues: [{ path: 'query', message: 'must not be blank' }],
    });
    await expect(memory.pending.approve(unknownId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(memory.projects.get('somebody/else s')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(memory.projects.get('nobodys')).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(text(memory.export({ project_id: 'nobodys' }))).rejects.toMatchObject({ code: 'permission_denied' });
    // @ts-expect-error: no such format
    await expect(memory.import('[]', { format: 'diary' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(memory.validate({ id: 'x', messages: [{ role: 'user', text: 'Hello' }] })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await memory.validate([{ role: 'user', text: 'Hello' }])).toEqual({
      status: 'ok',
      valid: true,
      memory_status: 'active',
    });
  });

  it('stops when the signal aborts', async () => {
    const reason = new Error('not needed any more');
    const gone = AbortSignal.abort(reason);
    await expect(memory.search('kettle', { signal: gone })).rejects.toBe(reason);
    await expect(text(memory.export({}, { signal: gone }))).rejects.toBe(reason);
    await expect(memory.import('[]', { format: 'json' }, { signal: gone })).rejects.toBe(reason);
    const controller = new AbortController();
    const asked = memory.ask('Who whistles?', { signal: controller.signal });
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    expect((await memory.search('kettle')).status).toBe('ok');
  });

  it('refuses a field named __proto__ like any other it does not know', async () => {
    const conversation = JSON.parse('{ "messages": [{ "role": "user", "text": "A heron.", "__proto__": {} }] }');
    await expect(memory.insert(conversation)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('stores what it was given, even if the program changes it meanwhile', async () => {
    const message = { role: 'user', text: 'A plover.' };
    const storing = memory.insert({ source: 'birds', messages: [message] });
    message.text = 'A crow.';
    const { id } = await storing;
    expect((await memory.retrieve(id)).memory.messages).toMatchObject([{ text: 'A plover.' }]);
  });

  it('leaves out fields that are undefined', async () => {
    const messages = [{ role: 'user', text: 'An otter.', timestamp: undefined }];
    const stored = await memory.insert({
      source: 'otters',
      title: undefined,
      messages,
      metadata: { model: undefined },
    });
    expect((await memory.retrieve(stored.id)).memory).not.toHaveProperty('title');
    expect((await memory.search({ query: 'otter', thread_id: undefined, source: 'otters' })).results).toHaveLength(1);
  });
});

describe.each(Object.entries(kinds))('reviews %s', (_name, open) => {
  it('are decided', async () => {
    const { memory, remove } = await open({ memory: { insert_policy: 'review_pending' } });
    try {
      const one = await memory.insert([{ role: 'user', text: 'Keep the anchor.' }]);
      const other = await memory.insert([{ role: 'user', text: 'Sell the boat.' }]);
      expect([one.status, other.status]).toEqual(['pending_review', 'pending_review']);
      expect((await memory.search('anchor')).results).toEqual([]);
      expect(await memory.pending.approve(one.id)).toMatchObject({ id: one.id, memory_status: 'active' });
      expect(await memory.pending.reject({ id: other.id })).toEqual({
        status: 'ok',
        id: other.id,
        memory_status: 'rejected',
      });
      expect((await memory.search('anchor')).results.map((hit) => hit.id)).toEqual([one.id]);
      await expect(memory.pending.approve(one.id)).rejects.toMatchObject({
        code: 'memory_not_pending_review',
        fields: { memory_status: 'active' },
      });
    } finally {
      await remove();
    }
    await expect(memory.search('anchor')).rejects.toMatchObject({ code: 'metadata_unavailable' });
    await memory.close();
  });
});
