import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aConversation, aNote } from '../support/conversation.js';
import { aService, idsOf, type TestService } from '../support/service.js';

const hour = 3_600_000;
const noon = Date.parse('2026-11-15T12:00:00.000Z');
let service: TestService;

/** The clock of the whole process stands where it is set; timers run on. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  service = await aService({ storage: { allow_trusted_appends: true } });
});
afterEach(() => {
  vi.useRealTimers();
});

const tagsOf = async (id: string) =>
  ((await service.request('/memory/retrieve', { id })).body.memory as { metadata: { tags?: string[] } }).metadata.tags;

describe('a stopped clock', () => {
  it('loses none of two changes to one conversation', async () => {
    const { id } = await service.insert(aConversation());
    const tag = (name: string) => service.request('/memory/conversations/update', { id, add_tags: [name] });
    await Promise.all(['a', 'b', 'c', 'd'].map(tag));
    expect((await tagsOf(id))?.sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('loses neither a tag nor a turn when both come at once', async () => {
    const capture = (...texts: string[]) => ({
      messages: texts.map((text) => ({ role: 'user', text })),
      metadata: { upstream_thread_id: 'thread' },
    });
    const { id } = await service.insert(capture('One.'));
    await Promise.all([
      service.request('/memory/conversations/update', { id, add_tags: ['kept'] }),
      service.insert(capture('One.', 'Two.')),
      service.request('/memory/conversations/update', { id, add_tags: ['too'] }),
    ]);
    expect((await tagsOf(id))?.sort()).toEqual(['kept', 'too']);
    const { body } = await service.request('/memory/retrieve', { id });
    expect((body.memory as { messages: unknown[] }).messages).toHaveLength(2);
  });

  it('gives the lease of the background work to one of two', async () => {
    const { lease } = service.service.records;
    expect(await lease.take('one', undefined)).toBe(true);
    const seen = await lease.current();
    expect([await lease.take('one', seen), await lease.take('two', seen)]).toEqual([true, false]);
    expect((await lease.current())?.renewed).not.toBe(seen?.renewed);
  });
});

describe('a clock that is set back', () => {
  it('neither skips nor repeats a conversation on the pages that follow', async () => {
    for (let number = 0; number < 5; number++) {
      vi.setSystemTime(noon + number * 1_000);
      await service.insert(aNote(`Note ${number}.`, { title: `Note ${number}` }));
    }
    const list = async (cursor?: unknown) =>
      (await service.request('/memory/conversations/list', { limit: 2, ...(cursor ? { cursor } : {}) })).body as {
        results: { id: string }[];
        cursor: string | null;
      };
    const before = await service.request('/memory/conversations/list', { limit: 50 });
    const first = await list();
    vi.setSystemTime(noon - hour);
    await service.insert(aNote('Said before, by the clock.'));
    const second = await list(first.cursor);
    const third = await list(second.cursor);
    const seen = [first, second, third].flatMap(idsOf);
    const earlier = idsOf(before.body as { results: { id: string }[] });
    expect(seen.slice(0, 5)).toEqual(earlier);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('keeps the order of what was said, when it is a step of seconds', async () => {
    await service.insert(aNote('I live in Lisbon.'));
    vi.setSystemTime(noon - 2_000);
    await service.insert(aNote('I moved: I live in Oslo now.'));
    const { body } = await service.request('/memory/facts/search', { predicate: 'profile_location' });
    expect(body.results).toMatchObject([{ object_normalized: 'Oslo' }]);
  });

  it('does not forget an answer to an Idempotency-Key', async () => {
    const send = () =>
      service.send('/memory/insert', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
        body: JSON.stringify(aConversation()),
      });
    const first = await send();
    vi.setSystemTime(noon - 48 * hour);
    const again = await send();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a clock that jumps ahead', () => {
  it('forgets the answer to an Idempotency-Key, and still stores nothing twice', async () => {
    const send = () =>
      service.send('/memory/insert', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
        body: JSON.stringify(aConversation()),
      });
    const first = await send();
    vi.setSystemTime(noon + 48 * hour);
    expect((await send()).body).toMatchObject({ id: first.body.id, deduplicated: true });
    vi.setSystemTime(noon);
    expect((await send()).body).toMatchObject({ id: first.body.id });
  });

  it('is followed when it is set right again', async () => {
    vi.setSystemTime(noon + 10 * 365 * 24 * hour);
    await service.insert(aNote('Far ahead.'));
    vi.setSystemTime(noon);
    const { id } = await service.insert(aNote('Right again.'));
    const { body } = await service.request('/memory/retrieve', { id });
    expect((body.memory as { timestamp: string }).timestamp).toBe('2026-11-15T12:00:00.000Z');
  });
});
