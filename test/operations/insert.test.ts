import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idWithin } from '../../src/model/ids.js';
import { operations } from '../../src/operations/table.js';
import { aConversation, aNote, turns } from '../support/conversation.js';
import { embeddingCalls } from '../support/embedding-calls.js';
import { refusalOf } from '../support/failure.js';
import { aFolder, aService, memberOf } from '../support/service.js';

const stores = ['memory', 'lancedb'] as const;

describe.each(stores)('insert with %s', (vector_db) => {
  it('stores a new conversation and indexes every chunk', async () => {
    const service = await aService({ providers: { vector_db } });
    const outcome = await service.insert(aConversation());
    expect(outcome).toEqual({
      status: 'ok',
      id: outcome.id,
      memory_status: 'active',
      deduplicated: false,
      appended_messages: 0,
      embedded_chunks: 2,
      chunks: 2,
    });
    expect(await service.vectorRows()).toBe(2);
  });

  // Reference bug 19: a duplicate was embedded again, whole.
  it('answers a duplicate with the stored id and makes no embedding call', async () => {
    const service = await aService({ providers: { vector_db } });
    const { id } = await service.insert(aConversation());
    const before = embeddingCalls(service);
    const again = await service.insert(
      aConversation({ title: 'Other', source: 'claude', timestamp: '2020-01-01', tags: ['x'] }),
    );
    expect(again).toEqual({
      status: 'ok',
      id,
      memory_status: 'active',
      deduplicated: true,
      appended_messages: 0,
      embedded_chunks: 0,
      chunks: 2,
    });
    expect(embeddingCalls(service)).toBe(before);
    expect(await service.vectorRows()).toBe(2);
  });
});

async function stored(service: Awaited<ReturnType<typeof aService>>, id: string) {
  const { body } = await service.request('/memory/retrieve', { id });
  return body.memory as { messages: object[]; metadata: Record<string, unknown>; [key: string]: unknown };
}

describe('what is stored', () => {
  it('is what was sent, with what the server adds', async () => {
    const service = await aService();
    const { id } = await service.insert(
      aConversation({
        title: 'Python trip',
        timestamp: '2026-11-15T09:30:00+02:00',
        metadata: { upstream_thread_id: 't1', tags: ['mine'], summary: 'A hint.', own: { deep: [null, 1] } },
      }),
    );
    const memory = await stored(service, id);
    expect(memory).toEqual({
      id,
      source: 'chatgpt',
      title: 'Python trip',
      timestamp: '2026-11-15T09:30:00+02:00',
      messages: turns('Where is the bicycle?', 'It is in the shed.'),
      metadata: {
        tags: ['mine'],
        summary: 'A hint.',
        own: { deep: [null, 1] },
        upstream_thread_id: 't1',
        thread_id: 'chatgpt:t1',
        auto_tags: ['source:chatgpt'],
        tag_sources: { 'source:chatgpt': ['source'] },
        generated_summary: 'Python trip: user: Where is the bicycle?; assistant: It is in the shed.',
        imported_at: expect.any(String),
        updated_at: expect.any(String),
        project_id: 'local-default',
        memory_status: 'active',
      },
    });
  });

  // Reference bugs 13 and 30: hashes were shown, and every payload held its text twice.
  it('shows no hash, no owner and no second copy of the text', async () => {
    const service = await aService();
    const { id } = await service.insert(aConversation());
    const { body } = await service.request('/memory/search', { query: 'bicycle' });
    for (const shown of [JSON.stringify(await stored(service, id)), JSON.stringify(body)]) {
      expect(shown).not.toMatch(/sha256|hash|owner_id|index_chunks|chunk_id/);
    }
  });

  it('keeps any text as it was', async () => {
    const service = await aService();
    const texts = [
      '  indented\n\tcode\r\n  here',
      '東京 привет café 👩‍🚀 \u202Eabc',
      '"quotes" \\ and \u0001',
      'x'.repeat(500_000),
    ];
    const { id } = await service.insert({ messages: turns(...texts) });
    expect((await stored(service, id)).messages).toEqual(turns(...texts));
  });

  // Reference bug 20.
  it('keeps messages that repeat each other, and finds each', async () => {
    const service = await aService();
    const yes = { role: 'user', text: 'yes indeed' };
    const outcome = await service.insert({ messages: [yes, yes, yes] });
    expect(outcome).toMatchObject({ chunks: 3, embedded_chunks: 3 });
    expect((await stored(service, outcome.id)).messages).toEqual([yes, yes, yes]);
    expect((await service.search({ query: 'indeed' })).results).toHaveLength(3);
  });

  it('is another memory in another project', async () => {
    const service = await aService();
    const mine = await service.insert(aConversation(), memberOf('one'));
    const yours = await service.insert(aConversation(), memberOf('two'));
    expect(yours).toMatchObject({ deduplicated: false });
    expect(yours.id).not.toBe(mine.id);
  });

  // Reference bug 16.
  it('is visible whatever the client says about its status', async () => {
    const service = await aService();
    for (const status of ['rejected', 'pending_review', 'anything']) {
      const { id } = await service.insert(
        aNote(`Status ${status}`, { metadata: { memory_status: status, owner_id: 'x' } }),
      );
      expect((await stored(service, id)).metadata).toMatchObject({ memory_status: 'active' });
    }
  });
});

describe('an explicit id', () => {
  it('is used, in its canonical form', async () => {
    const service = await aService();
    const id = randomUUID();
    expect(await service.insert(aConversation({ id: id.toUpperCase() }))).toMatchObject({ id, deduplicated: false });
    expect(await service.insert(aConversation({ id }))).toMatchObject({ id, deduplicated: true });
  });

  it('is replaced by the id of the same content', async () => {
    const service = await aService();
    const { id } = await service.insert(aConversation());
    expect(await service.insert(aConversation({ id: randomUUID() }))).toMatchObject({ id, deduplicated: true });
  });

  it('of other content is refused', async () => {
    const service = await aService();
    const { id } = await service.insert(aConversation());
    expect((await refusalOf(service.insert(aNote('Else', { id })))).code).toBe('unauthorized_update');
    expect(JSON.stringify(await service.search({ query: 'Else' }))).not.toContain('"Else"');
  });

  it('of a user with a token gets the same kind of answer whether or not another user has it', async () => {
    const service = await aService();
    const one = { ...memberOf('one'), tokenId: 'token-one' };
    const two = { ...memberOf('two'), tokenId: 'token-two' };
    const [taken, free] = [randomUUID(), randomUUID()];
    await service.insert(aNote('First.', { id: taken }), one);
    for (const id of [taken, free]) {
      const stored = await service.insert(aNote(`Of ${id}.`, { id }), two);
      expect(stored.id).toBe(idWithin('two', id));
      const call = { principal: two, defaultSource: 'unknown' };
      for (const known of [id, stored.id]) {
        const { memory } = await operations.retrieve.execute(service.service, call, { id: known });
        expect(memory.messages?.[0]?.text).toBe(`Of ${id}.`);
        expect(await service.insert(aNote(`Of ${id}.`, { id: known }), two)).toMatchObject({ id: stored.id });
      }
    }
  });

  it('that another project has is stored like any other, and found again by its sender', async () => {
    const service = await aService();
    const [one, two] = [memberOf('one'), memberOf('two')];
    const call = (principal: typeof one) => ({ principal, defaultSource: 'unknown' });
    const { id } = await service.insert(aNote('First.'), one);
    const stored = await service.insert(aNote('Second.', { id }), two);
    expect(stored).toMatchObject({ status: 'ok', deduplicated: false, embedded_chunks: 1 });
    expect(stored.id).not.toBe(id);
    // The same sender repeats it, and sends other content under the same id: as if the id were theirs alone.
    expect(await service.insert(aNote('Second.', { id }), two)).toMatchObject({ id: stored.id, deduplicated: true });
    expect((await refusalOf(service.insert(aNote('Third.', { id }), two))).code).toBe('unauthorized_update');
    const textOf = async (principal: typeof one) =>
      (await operations.retrieve.execute(service.service, call(principal), { id })).memory.messages?.[0]?.text;
    expect([await textOf(one), await textOf(two)]).toEqual(['First.', 'Second.']);
    const forgotten = { ids: [id], dry_run: false };
    const gone = await operations.forget.execute(service.service, call(two), forgotten);
    expect(gone.conversations).toBe(1);
    expect(await textOf(one)).toBe('First.');
  });
});

describe('a schema of the operator', () => {
  async function withSchema(change: (schema: { required: string[] }) => void) {
    const folder = await aFolder();
    const schema = JSON.parse(
      await readFile(new URL('../../schema/conversation.schema.json', import.meta.url), 'utf8'),
    );
    change(schema);
    await writeFile(join(folder, 'strict.json'), JSON.stringify(schema));
    return aService({ schema: { file: join(folder, 'strict.json') } }, { folder });
  }

  it('is held against every insert', async () => {
    const service = await withSchema(({ required }) => required.push('title'));
    expect((await refusalOf(service.insert(aConversation()))).code).toBe('invalid_input');
    expect(await service.insert(aConversation({ title: 'T' }))).toMatchObject({ status: 'ok' });
  });

  it('that forgets what is needed stops the start', async () => {
    await expect(withSchema((schema) => (schema.required = []))).rejects.toMatchObject({ code: 'schema_invalid' });
  });

  it('that is no file stops the start', async () => {
    await expect(aService({ schema: { file: './nowhere.json' } })).rejects.toMatchObject({ code: 'schema_invalid' });
  });
});

describe('chunking by token', () => {
  it('counts as the exact tokenizer does', async () => {
    const service = await aService({ chunking: { strategy: 'token', max_tokens: 9, overlap_tokens: 0 } });
    // Nine tokens of cl100k_base; the heuristic counts seventeen.
    const { chunks } = await service.insert(aNote('The quick brown fox jumps over the lazy dog'));
    expect(chunks).toBe(1);
  });

  it('cuts long messages into windows that are all searched', async () => {
    const service = await aService({ chunking: { strategy: 'token', max_tokens: 20, overlap_tokens: 4 } });
    const filler = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const outcome = await service.insert(aNote(`${filler} quokka ${filler}`));
    expect(outcome.chunks).toBeGreaterThan(5);
    const [best] = (await service.search({ query: 'quokka', result_mode: 'chunks' })).results;
    expect(best).toMatchObject({ id: outcome.id, text: expect.stringContaining('quokka') });
    expect((best as { text: string }).text.length).toBeLessThan(200);
  });
});
