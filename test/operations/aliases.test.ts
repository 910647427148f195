import { describe, expect, it } from 'vitest';
import { scanFiles } from '../../src/app/verify-forgotten.js';
import { localPrincipal } from '../../src/auth/access.js';
import { threadkeep } from '../../src/importers/formats/threadkeep.js';
import type { Principal } from '../../src/model/access.js';
import { importConversations } from '../../src/operations/import-conversations.js';
import { operations } from '../../src/operations/table.js';
import { aConversation, aNote, turns } from '../support/conversation.js';
import { aFolder, aService, type Body, idsOf, memberOf, startService, type TestService } from '../support/service.js';

const first = aConversation({
  title: 'Bicycle',
  timestamp: '2026-03-01T10:00:00Z',
  metadata: { upstream_thread_id: 'one', tags: ['garden'] },
});
const second = aConversation({
  source: 'claude',
  title: 'Velocipede whereabouts',
  timestamp: '2021-05-06T07:08:09Z',
  metadata: { upstream_thread_id: 'two', tags: ['garden', 'wheels'] },
});
const alias = {
  source: 'claude',
  title: 'Velocipede whereabouts',
  timestamp: '2021-05-06T07:08:09Z',
  thread_id: 'claude:two',
  upstream_thread_id: 'two',
  tags: ['garden', 'wheels'],
  added_at: expect.any(String),
};

async function twice(overrides: Parameters<typeof aService>[0] = {}) {
  const service = await aService(overrides);
  const { id } = await service.insert(first);
  await service.insert(aNote('The ferry leaves at nine.', { source: 'gemini', timestamp: '2024-01-01' }));
  const again = await service.insert(second);
  return { service, id, again };
}

async function memoryOf(service: TestService, id: string): Promise<Body> {
  const { body } = await service.request('/memory/retrieve', { id, memory_status: 'all' });
  return body.memory as Body;
}

async function listed(service: TestService, filter: Body, principal: Principal = localPrincipal): Promise<string[]> {
  const call = { principal, defaultSource: 'x' };
  const answer = await operations.conversations_list.execute(service.service, call, filter);
  expect(answer.total).toBe(answer.results.length);
  return idsOf(answer);
}

async function exported({ service }: TestService, principal: Principal, request = {}): Promise<Body[]> {
  const { pieces } = await operations.export.execute(service, { principal, defaultSource: 'x' }, request);
  const lines: Body[] = [];
  for await (const { text } of pieces) lines.push(JSON.parse(text) as Body);
  return lines;
}

function imported({ service }: TestService, lines: readonly Body[], principal: Principal = localPrincipal) {
  const content = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  const found = threadkeep.read({
    path: 'memory.jsonl',
    async *read() {
      yield content;
    },
  });
  return importConversations(service, { principal, defaultSource: 'x' }, found);
}

/** What only the second capture says. */
const filters: Body[] = [
  { source: 'claude' },
  { thread_id: 'claude:two' },
  { tags: ['wheels'] },
  { tags: ['garden', 'wheels'] },
  { date_from: '2021-05-06', date_to: '2021-05-06' },
  { date_to: '2022-01-01' },
  { source: 'claude', thread_id: 'chatgpt:one', tags: ['wheels'] },
];

describe('a second capture of the same conversation', () => {
  it('is a duplicate and stays beside the first, which is canonical', async () => {
    const { service, id, again } = await twice();
    expect(again).toMatchObject({ id, deduplicated: true, appended_messages: 0, embedded_chunks: 0 });
    const memory = await memoryOf(service, id);
    expect(memory).toMatchObject({ source: 'chatgpt', title: 'Bicycle', timestamp: '2026-03-01T10:00:00Z' });
    expect(memory.metadata).toMatchObject({ tags: ['garden'], thread_id: 'chatgpt:one' });
    expect(memory.aliases).toEqual([alias]);
  });

  it.each(filters)('is found by what it added: %j', async (filter) => {
    const { service, id } = await twice();
    expect(await listed(service, filter)).toEqual([id]);
    expect(idsOf(await service.search({ query: 'bicycle', result_mode: 'conversations', ...filter }))).toEqual([id]);
    const lines = await exported(service, localPrincipal, filter);
    expect(lines.filter(({ type }) => type === 'conversation')).toMatchObject([{ conversation: { id } }]);
  });

  it('is found by what the first one said too, and by nothing else', async () => {
    const { service, id } = await twice();
    for (const filter of [{ source: 'chatgpt' }, { thread_id: 'chatgpt:one' }, { tags: ['garden'] }]) {
      expect(await listed(service, filter)).toEqual([id]);
    }
    const others = [{ source: 'two' }, { thread_id: 'two' }, { tags: ['claude'] }, { date_to: '2021-05-05' }];
    for (const filter of others) expect(await listed(service, filter)).toEqual([]);
  });

  it('is found by the operators of a query, and left out by them', async () => {
    const { service, id } = await twice();
    const found = async (query: string) => idsOf(await service.search({ query, result_mode: 'conversations' }));
    for (const operator of ['source:claude', 'tag:wheels', 'thread:claude:two', 'title:velocipede']) {
      expect(await found(`bicycle ${operator}`)).toEqual([id]);
      expect(await found(operator)).toEqual([id]);
      expect(await found(`bicycle -${operator}`)).not.toContain(id);
    }
    expect(await found('before:2022-01-01 bicycle')).toEqual([id]);
  });

  it('is found by the words of its title', async () => {
    const { service, id } = await twice({ retrieval: { keyword_enabled: true } });
    const { results } = await service.search({ query: 'velocipede whereabouts', result_mode: 'conversations' });
    expect(results[0]?.id).toBe(id);
  });

  it('adds nothing where it says nothing new, or does not say', async () => {
    const { service, id } = await twice();
    const before = await memoryOf(service, id);
    for (const again of [
      first,
      second,
      { messages: first.messages },
      aConversation({ metadata: { tags: ['wheels'] } }),
    ]) {
      expect(await service.insert(again)).toMatchObject({ id, deduplicated: true });
    }
    expect(await memoryOf(service, id)).toEqual(before);
  });

  it('does not count in the calendar, which has every conversation once', async () => {
    const { service } = await twice();
    const { body } = await service.request('/memory/activity', { date_from: '2021-01-01', date_to: '2021-12-31' });
    expect(body.days).toEqual([]);
    const { body: day } = await service.request('/memory/timeline', { day: '2021-05-06' });
    expect(day.results).toEqual([]);
  });

  it('keeps at most a hundred, and says when it keeps no more', async () => {
    const service = await aService();
    const { id } = await service.insert(first);
    for (let index = 0; index < 100; index++) await service.insert(aConversation({ source: `s${index}` }));
    const last = await service.insert(aConversation({ source: 'one too many' }));
    expect(last).toMatchObject({ id, deduplicated: true, alias_left_out: 'limit' });
    expect((await memoryOf(service, id)).aliases).toHaveLength(100);
  });

  it('loses none of two that come at once', async () => {
    const service = await aService();
    const { id } = await service.insert(first);
    const sources = ['a', 'b', 'c'];
    await Promise.all(sources.map((source) => service.insert(aConversation({ source }))));
    const { aliases } = await memoryOf(service, id);
    expect((aliases as { source: string }[]).map(({ source }) => source).sort()).toEqual(sources);
  });

  it('is kept of a shorter capture of a trusted thread too', async () => {
    const service = await aService({ storage: { allow_trusted_appends: true } });
    const whole = aConversation({ messages: turns('One?', 'Two.', 'Three?'), metadata: { upstream_thread_id: 't' } });
    const { id } = await service.insert(whole);
    const part = { ...whole, messages: turns('One?', 'Two.'), tags: ['early'] };
    expect(await service.insert(part)).toMatchObject({ id, deduplicated: true });
    expect(await listed(service, { tags: ['early'] })).toEqual([id]);
  });
});

describe('who sees an alias', () => {
  it('no user of another project, even if both contain the same words', async () => {
    const service = await aService();
    const [ann, bob] = [memberOf('ann-private'), memberOf('bob-private')];
    await service.insert(first, ann);
    await service.insert(second, ann);
    const { id } = await service.insert(first, bob);
    for (const filter of filters) expect(await listed(service, filter, bob)).toEqual([]);
    expect(JSON.stringify(await exported(service, bob))).not.toContain('Velocipede');
    const found = await service.search({ query: 'velocipede', result_mode: 'conversations' }, bob);
    expect(JSON.stringify(found)).not.toContain('Velocipede');
    expect(await listed(service, {}, bob)).toEqual([id]);
  });

  it('no user before review, if the capture would have been held', async () => {
    const service = await aService({ memory: { insert_policy: 'review_pending' } });
    const { id } = await service.insert({ ...first, metadata: { save_intent: 'explicit_user_request' } });
    const again = await service.insert(second);
    expect(again).toMatchObject({ id, memory_status: 'active', deduplicated: true, alias_left_out: 'review' });
    expect((await memoryOf(service, id)).aliases).toBeUndefined();
    const trusted = await service.insert({
      ...second,
      metadata: { ...second.metadata, save_intent: 'user_confirmed' },
    });
    expect(trusted).not.toHaveProperty('alias_left_out');
    expect((await memoryOf(service, id)).aliases).toHaveLength(1);
  });

  it('only those who see a memory that waits for review', async () => {
    const service = await aService({ memory: { insert_policy: 'review_pending' } });
    const { id } = await service.insert(first);
    expect(await service.insert(second)).toMatchObject({ id, status: 'pending_review', deduplicated: true });
    expect(await listed(service, { source: 'claude' })).toEqual([]);
    expect(await listed(service, { source: 'claude', memory_status: 'pending_review' })).toEqual([id]);
    await service.request('/memory/pending/approve', { id });
    expect(await listed(service, { source: 'claude' })).toEqual([id]);
  });

  it('no user, if the title contains a secret under quarantine', async () => {
    const service = await aService({ memory: { secret_policy: 'quarantine' } });
    const { id } = await service.insert(first);
    const again = await service.insert({ ...second, title: 'token ghp_16C7e42F292c6912E7710c838347Ae178B4a' });
    expect(again).toMatchObject({ id, memory_status: 'active', deduplicated: true, alias_left_out: 'review' });
    expect(JSON.stringify(await memoryOf(service, id))).not.toContain('ghp_');
  });
});

describe('what becomes of aliases', () => {
  it('an export holds them, and an import keeps them', async () => {
    const { service, id } = await twice();
    const lines = await exported(service, localPrincipal);
    const other = await aService();
    expect(await imported(other, lines)).toMatchObject({ imported: 2, skipped: 0 });
    expect((await memoryOf(other, id)).aliases).toEqual([alias]);
    for (const filter of filters) expect(await listed(other, filter)).toEqual([id]);
    expect(await imported(other, lines)).toMatchObject({ imported: 0, duplicates: 2 });
    expect((await memoryOf(other, id)).aliases).toHaveLength(1);
    const { pieces } = await operations.export.execute(
      service.service,
      { principal: localPrincipal, defaultSource: 'x' },
      { format: 'markdown' },
    );
    let markdown = '';
    for await (const { text } of pieces) markdown += text;
    expect(markdown).toContain('Velocipede whereabouts');
  });

  it('an import leaves out one that is no alias, and keeps the conversation', async () => {
    const { service, id } = await twice();
    const lines = await exported(service, localPrincipal);
    const broken = lines.map((line) => {
      const { conversation } = line as { conversation?: Body };
      if (conversation?.id !== id) return line;
      return {
        ...line,
        conversation: {
          ...conversation,
          aliases: [
            { source: 7 },
            'x',
            { ...alias, source: 'ok', added_at: 'x' },
            { source: 'late', timestamp: 'never' },
          ],
        },
      };
    });
    const other = await aService();
    expect(await imported(other, broken)).toMatchObject({ imported: 2 });
    expect(await listed(other, { source: 'ok' })).toEqual([id]);
  });

  it('removing a tag removes it from them, and a new title leaves theirs', async () => {
    const { service, id } = await twice();
    await service.request('/memory/conversations/update', { id, remove_tags: ['wheels'], title: 'New' });
    expect(await listed(service, { tags: ['wheels'] })).toEqual([]);
    expect(await listed(service, { tags: ['garden'] })).toEqual([id]);
    expect((await memoryOf(service, id)).aliases).toEqual([{ ...alias, tags: ['garden'] }]);
  });

  it('what is forgotten takes them along, and leaves no byte of them', async () => {
    const folder = await aFolder();
    const service = await startService({ providers: { vector_db: 'lancedb' } }, { folder });
    const canary = 'zyxwquokka-alias';
    const { id } = await service.insert(first);
    await service.insert({ ...second, title: canary, tags: [canary], metadata: { upstream_thread_id: canary } });
    const { body } = await service.request('/memory/forget', { source: 'claude', dry_run: false });
    expect(body).toMatchObject({ conversations: 1 });
    expect((await service.request('/memory/retrieve', { id })).status).toBe(404);
    expect((await scanFiles(service.config.paths.dataDir, [canary])).found).toEqual([]);
    await service.request('/memory/forget', { ids: [id], allow_return: true, dry_run: false });
    const { id: back } = await service.insert({ ...first, title: 'Back' });
    for (const filter of filters) expect(await listed(service, filter)).toEqual([]);
    expect((await memoryOf(service, back)).aliases).toBeUndefined();
    await service.close();
  });

  it('a longer capture of a forgotten alias does not come back', async () => {
    const { service, id } = await twice();
    await service.request('/memory/forget', { ids: [id], dry_run: false });
    const longer = { ...second, messages: [...second.messages, ...turns('And the pump?')] };
    await expect(service.insert(longer)).rejects.toMatchObject({ fields: { reason: 'forgotten' } });
  });

  it('they survive a restart', async () => {
    const folder = await aFolder();
    const before = await startService({}, { folder });
    const { id } = await before.insert(first);
    await before.insert(second);
    await before.close();
    const after = await aService({}, { folder });
    expect(await listed(after, { source: 'claude' })).toEqual([id]);
    expect((await memoryOf(after, id)).aliases).toEqual([alias]);
  });
});
