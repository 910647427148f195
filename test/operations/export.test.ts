import { describe, expect, it } from 'vitest';
import { threadkeep } from '../../src/importers/formats/threadkeep.js';
import type { Principal } from '../../src/model/access.js';
import { importConversations } from '../../src/operations/import-conversations.js';
import { operations } from '../../src/operations/table.js';
import { aConversation, aNote, turns } from '../support/conversation.js';
import { aService, type Body, memberOf, type TestService } from '../support/service.js';

async function exported({ service }: TestService, principal: Principal, request = {}): Promise<Body[]> {
  const { pieces } = await operations.export.execute(service, { principal, defaultSource: 'x' }, request);
  const lines: Body[] = [];
  for await (const { text } of pieces) lines.push(JSON.parse(text) as Body);
  return lines;
}

function imported({ service }: TestService, principal: Principal, lines: readonly Body[]) {
  const content = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  const found = threadkeep.read({
    path: 'memory.jsonl',
    async *read() {
      yield content;
    },
  });
  return importConversations(service, { principal, defaultSource: 'x' }, found);
}

/** Without what says when it was written, and which project the ids are made from. */
function content(lines: readonly Body[], own: string): string[] {
  const text = lines.slice(1).map((line) => JSON.stringify(line).replaceAll(own, 'own'));
  const ids = [...new Set(text.join().match(/fact_[0-9a-f]{32}/g))];
  return text.map((line) =>
    line
      .replace(/"(updated_at|created_at)":"[^"]*",?/g, '')
      .replace(/fact_[0-9a-f]{32}/g, (id) => `fact ${ids.indexOf(id)}`),
  );
}

async function filled(principal: Principal): Promise<TestService> {
  const service = await aService();
  const notes = ['I like tea.', 'I like coffee.', 'I like cocoa.', 'I live in Porto.', 'I live in Lisbon now.'];
  for (const [index, text] of notes.entries()) {
    await service.insert(aNote(text, { timestamp: `2026-01-0${index + 1}` }), principal);
  }
  const call = { principal, defaultSource: 'x' };
  const { results } = await operations.facts_search.execute(service.service, call, { status: 'all' });
  const idOf = (value: string) => results.find(({ object_normalized }) => object_normalized === value)?.id;
  const supersede = (fact: string, by: string) =>
    operations.facts_supersede.execute(service.service, call, { fact_id: idOf(fact), superseded_by: idOf(by) });
  await supersede('tea', 'coffee');
  await supersede('coffee', 'cocoa');
  // Against what was said.
  await supersede('Lisbon', 'Porto');
  return service;
}

describe('an export with facts that were superseded by hand', () => {
  it('imported into an empty store gives the same facts, decisions and times, even for another user', async () => {
    const ann = memberOf('ann-private');
    const service = await filled(ann);
    const lines = await exported(service, ann);
    const decided = lines.filter((line) => line.superseded_by_hand !== undefined);
    expect(decided).toHaveLength(3);
    for (const principal of [ann, memberOf('bob-private')]) {
      const other = await aService();
      expect(await imported(other, principal, lines)).toMatchObject({ imported: 5, skipped: 0 });
      const again = await exported(other, principal);
      expect(content(again, principal.defaultProjectId)).toEqual(content(lines, 'ann-private'));
      // A second time changes nothing.
      expect(await imported(other, principal, lines)).toMatchObject({ imported: 0, duplicates: 5, skipped: 0 });
      expect(content(await exported(other, principal), principal.defaultProjectId)).toEqual(
        content(lines, 'ann-private'),
      );
    }
  });
});

describe('an export with facts that were changed by hand', () => {
  it('imported into an empty store gives the same facts, changes and times, even for another user', async () => {
    const ann = memberOf('ann-private');
    const service = await filled(ann);
    const call = { principal: ann, defaultSource: 'x' };
    const { results } = await operations.facts_search.execute(service.service, call, { status: 'all' });
    const idOf = (value: string) => results.find(({ object_normalized }) => object_normalized === value)?.id;
    const added = await operations.facts_add.execute(service.service, call, {
      predicate: 'owns_boat',
      value: 'a sloop',
    });
    await operations.facts_pin.execute(service.service, call, { fact_id: added.id });
    await operations.facts_correct.execute(service.service, call, { fact_id: idOf('Porto'), value: 'Braga' });
    await operations.facts_retract.execute(service.service, call, { fact_id: idOf('cocoa') });
    const until = new Date().toISOString();
    await operations.facts_retract.execute(service.service, call, { fact_id: idOf('tea'), until });
    const lines = await exported(service, ann);
    for (const principal of [ann, memberOf('bob-private')]) {
      const other = await aService();
      for (const times of [1, 2]) {
        expect({ times, ...(await imported(other, principal, lines)) }).toMatchObject({ times, skipped: 0 });
        const again = await exported(other, principal);
        expect(content(again, principal.defaultProjectId)).toEqual(content(lines, 'ann-private'));
      }
      await operations.facts_undo.execute(
        other.service,
        { principal, defaultSource: 'x' },
        {
          fact_id: (await boat(other, principal))?.id,
        },
      );
      expect(await boat(other, principal)).not.toHaveProperty('pinned_at');
    }
  });

  async function boat({ service }: TestService, principal: Principal) {
    const call = { principal, defaultSource: 'x' };
    return (await operations.facts_search.execute(service, call, { predicate: 'owns_boat' })).results[0];
  }

  it('changes nothing for a sender who may not change facts', async () => {
    const ann = memberOf('ann-private');
    const service = await aService();
    const call = { principal: ann, defaultSource: 'x' };
    await operations.facts_add.execute(service.service, call, { predicate: 'owns_boat', value: 'a sloop' });
    const lines = await exported(service, ann);
    const other = await aService();
    const saver = { ...memberOf('bob-private'), scopes: ['memory:write'] as const };
    expect(await imported(other, saver, lines)).toMatchObject({ skipped: 1 });
    expect(await boat(other, memberOf('bob-private'))).toBeUndefined();
  });
});

describe('an export of several projects', () => {
  it('keeps each conversation in its project, and says when that is not here', async () => {
    const shared = new Map([['team', 'writer' as const]]);
    const ann: Principal = { ...memberOf('ann-private'), memberships: shared };
    const service = await aService();
    await service.insert(aConversation({ title: 'Mine' }), ann);
    await service.insert(aConversation({ title: 'Ours', project_id: 'team' }), ann);
    const lines = await exported(service, ann);
    expect(lines.filter(({ type }) => type === 'project')).toMatchObject([{ project: { id: 'ann-private' } }]);
    const team = { type: 'project', project: { id: 'team', name: 'Team', is_default: false } };
    const conversation = {
      source: 'chatgpt',
      title: 'Ours',
      timestamp: '2026-01-01',
      messages: [{ role: 'user', text: 'Shared.' }],
      metadata: { project_id: 'team', memory_status: 'active' },
    };
    const all = [...lines, team, { type: 'conversation', conversation }];
    const other = await aService();
    expect(await imported(other, ann, all)).toMatchObject({ imported: 2, skipped: 0 });
    const found = await other.search({ query: 'Shared', project_id: 'team' }, ann);
    expect(found.results).toMatchObject([{ conversation: { title: 'Ours' } }]);
    const alone = await aService();
    const report = await imported(alone, memberOf('bob-private'), all);
    expect(report).toMatchObject({ imported: 1, skipped: 1 });
    expect(Object.keys(report.reasons)[0]).toContain('--project-id');
  });
});

describe('an export with several captures of one thread', () => {
  const ann = memberOf('ann-private');
  const thread = { upstream_thread_id: 'thread-1' };
  const captures = [
    {
      title: 'Short',
      timestamp: '2026-01-01',
      messages: turns('a1', 'a2'),
      metadata: { ...thread, tags: ['keep-me'] },
    },
    {
      title: 'Long',
      timestamp: '2026-01-02',
      messages: turns('a1', 'a2', 'a3'),
      metadata: { ...thread, tags: ['bath'] },
    },
  ];

  it('gives each of them back with its id, title, time and tags', async () => {
    const service = await aService();
    for (const capture of captures) await service.insert(aConversation(capture), ann);
    const lines = await exported(service, ann);
    const other = await aService();
    expect(await imported(other, ann, lines)).toMatchObject({ imported: 2, appended: 0, skipped: 0 });
    expect(content(await exported(other, ann), 'ann-private')).toEqual(content(lines, 'ann-private'));
    expect(await imported(other, ann, lines)).toMatchObject({ imported: 0, duplicates: 2, skipped: 0 });
  });

  it('continues the memory with the same id that has grown since', async () => {
    const service = await aService({ storage: { allow_trusted_appends: true } });
    const [short, long] = captures;
    await service.insert(aConversation(short), ann);
    const before = await exported(service, ann);
    await service.insert(aConversation(long), ann);
    const after = await exported(service, ann);
    const other = await aService();
    expect(await imported(other, ann, before)).toMatchObject({ imported: 1 });
    expect(await imported(other, ann, after)).toMatchObject({ imported: 0, appended: 1, messages: 1 });
    expect(await imported(other, ann, before)).toMatchObject({ duplicates: 1, skipped: 0 });
    expect(content(await exported(other, ann), 'ann-private')).toEqual(content(after, 'ann-private'));
  });
});

describe('an export of a part', () => {
  const ann = memberOf('ann-private');

  it.each([{ tags: ['work'] }, { source: 'claude' }, { thread_id: 'desk' }, { date_to: '2026-01-15' }])(
    'with %j holds only the facts that its conversations state, with those sources alone',
    async (request) => {
      const service = await aService();
      const work = { tags: ['work'], source: 'claude', metadata: { thread_id: 'desk' } };
      await service.insert(aNote('I speak Polish.', { timestamp: '2026-01-01', ...work }), ann);
      await service.insert(aNote('I speak Polish. I am allergic to nuts.', { timestamp: '2026-02-01' }), ann);
      const lines = await exported(service, ann, request);
      const ids = lines.flatMap(({ conversation }) => (conversation === undefined ? [] : [(conversation as Body).id]));
      expect(ids).toHaveLength(1);
      const facts = lines.flatMap(({ fact }) => (fact === undefined ? [] : [fact]));
      expect(facts).toMatchObject([
        {
          object_normalized: 'Polish',
          last_confirmed_at: '2026-01-01T00:00:00.000Z',
          sources: [{ conversation_id: ids[0] }],
        },
      ]);
      expect(JSON.stringify(lines)).not.toContain('nuts');
    },
  );

  it('of conversations under review contains no facts', async () => {
    const service = await aService();
    await service.insert(aNote('I speak Polish.'), ann);
    const lines = await exported(service, ann, { memory_status: 'pending_review' });
    expect(lines.map(({ type }) => type)).toEqual(['threadkeep-export', 'project']);
  });
});

describe('an export with a detached source', () => {
  it('imported elsewhere leaves the sentence detached, with the time of the change', async () => {
    const ann = memberOf('ann-private');
    const service = await aService();
    await service.insert(aNote('I live in Oslo.', { timestamp: '2025-01-01' }), ann);
    const late = await service.insert(aNote('I live in Oslo now, again.', { timestamp: '2025-06-01' }), ann);
    const call = { principal: ann, defaultSource: 'x' };
    const facts = async (of: TestService) => (await operations.facts_search.execute(of.service, call, {})).results;
    const [before] = await facts(service);
    const input = { fact_id: before?.id, conversation_id: late.id };
    const { fact } = await operations.facts_detach.execute(service.service, call, input);
    const other = await aService();
    await imported(other, ann, await exported(service, ann));
    const [after] = await facts(other);
    expect(after?.sources).toHaveLength(1);
    expect(after?.changes?.map(({ kind, at }) => ({ kind, at }))).toEqual([
      { kind: 'detached', at: fact?.changes?.[0]?.at },
    ]);
    await operations.facts_undo.execute(other.service, call, { fact_id: after?.id });
    expect((await facts(other))[0]?.sources).toHaveLength(2);
  });
});
