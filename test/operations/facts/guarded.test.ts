import { describe, expect, test } from 'vitest';
import { localPrincipal, visibilityOf } from '../../../src/auth/access.js';
import { factsAsOf, groupOf } from '../../../src/facts/reconcile.js';
import { threadkeep } from '../../../src/importers/formats/threadkeep.js';
import type { Principal } from '../../../src/model/access.js';
import { type Fact, largestGroup } from '../../../src/model/fact.js';
import { decided } from '../../../src/operations/facts/supersede.js';
import { importConversations } from '../../../src/operations/import-conversations.js';
import { operations } from '../../../src/operations/table.js';
import { groupKey, putFact } from '../../../src/records/facts.js';
import { aNote } from '../../support/conversation.js';
import { refusalOf } from '../../support/failure.js';
import { aService, type Body, type TestService } from '../../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'unknown' };
const manager: Principal = { ...localPrincipal, scopes: ['memory:manage'] };
const unknownId = `fact_${'0'.repeat(32)}`;
const projectId = localPrincipal.defaultProjectId;

async function stored({ service }: TestService, id: string): Promise<Fact> {
  const [fact] = await service.records.facts.byIds(visibilityOf(localPrincipal, {}), [id]);
  if (fact === undefined) throw new Error('the fact is expected');
  return fact;
}

async function added(started: TestService, predicate: string, value: string): Promise<string> {
  return (await operations.facts_add.execute(started.service, call, { predicate, value })).id;
}

/** The same fact with another value and a later time, many times. */
function manyAfter(fact: Fact, count: number): Fact[] {
  return Array.from({ length: count }, (_, number) => {
    const stated_at = new Date(Date.parse('2090-01-01') + number * 1_000).toISOString();
    const id = `fact_${String(number).padStart(32, 'a')}`;
    const sources = fact.sources.map((source) => ({ ...source, stated_at }));
    return { ...fact, id, object_key: `value ${number}`, stated_at, created_at: stated_at, sources };
  });
}

describe('a large group of facts', () => {
  test('as of a date is judged as far as it always is, the newest first', async () => {
    const started = await aService();
    const fact = await stored(started, await added(started, 'owns_boat', 'dinghy'));
    const many = manyAfter(fact, largestGroup + 100);
    const then = factsAsOf([fact, ...many], '2099-01-01T00:00:00.000Z');
    expect(then).toHaveLength(largestGroup);
    expect(then.map(({ id }) => id)).not.toContain(fact.id);
    expect(then.map(({ id }) => id)).toContain(many.at(-1)?.id);
    expect(factsAsOf([fact, ...many], '2080-01-01T00:00:00.000Z').map(({ id }) => id)).toEqual([fact.id]);
  });

  test('is decided about with what an old fact of it says now, not with what was read before', async () => {
    const started = await aService();
    const { records } = started.service;
    const id = await added(started, 'owns_boat', 'dinghy');
    const stale = await stored(started, id);
    await operations.facts_pin.execute(started.service, call, { fact_id: id });
    await records.write(manyAfter(stale, largestGroup).flatMap((fact) => putFact(fact, [], undefined)));
    const { group } = await decided(records, stale, (fact) => fact);
    expect(group.get(id)?.changes?.map(({ kind }) => kind)).toEqual(['added', 'pinned']);
    await expect(decided(records, { ...stale, id: unknownId, object_key: 'none' }, (fact) => fact)).rejects.toThrow();
  });
});

describe('titles and tags as of a date', () => {
  test('are not shown where they may be of later, and not found by', async () => {
    const started = await aService();
    const { id } = await started.insert(aNote('My bicycle is blue.', { title: 'Wheels', timestamp: '2024-01-10' }));
    const ask = async (input: Body) =>
      JSON.stringify(await started.ask({ question: 'What colour is my bicycle?', ...input }));
    expect(await ask({ as_of: '2024-06-30' })).toContain('Wheels');
    await started.request('/memory/conversations/update', { id, title: 'Zebulon', add_tags: ['stolen'] });
    expect(await ask({})).toContain('Zebulon');
    const then = await ask({ as_of: '2024-06-30' });
    expect(then).toContain('blue');
    expect(then).not.toMatch(/Zebulon|stolen|Wheels/);
    expect(await ask({ as_of: '2999-01-01' })).toContain('Zebulon');
    expect(await ask({ as_of: '2024-06-30', tags: ['stolen'] })).not.toContain('blue');
    const named = await started.ask({ question: 'Zebulon', as_of: '2024-06-30' });
    expect(JSON.stringify({ ...named, explanation: undefined }).replaceAll('"Zebulon"', '')).not.toContain('Zebulon');
  });

  test('nor are the names that a later capture gave', async () => {
    const started = await aService();
    await started.insert(aNote('My bicycle is blue.', { timestamp: '2024-01-10' }));
    await started.insert(aNote('My bicycle is blue.', { title: 'Zebulon', source: 'later' }));
    const then = await started.ask({ question: 'What colour is my bicycle?', as_of: '2024-06-30' });
    expect(JSON.stringify(then)).toContain('blue');
    expect(JSON.stringify(then)).not.toMatch(/Zebulon|later/);
    const filtered = await started.ask({ question: 'bicycle', as_of: '2024-06-30', source: 'later' });
    expect(filtered.results).toEqual([]);
  });
});

describe('topics that come back', () => {
  const key = groupKey(projectId, groupOf({ subject: 'user', predicate: 'recurring_topic' }));

  test('raise the revision of their group when they change, and only then', async () => {
    const started = await aService();
    const { records, digests } = started.service;
    const revision = async () => (await records.facts.revisions([key])).get(key) ?? 0;
    const note = (text: string) => started.insert(aNote(text, { metadata: { topics: ['sailing'] } }));
    await note('The wind was good.');
    await note('The sail is torn.');
    await digests.flush();
    const first = await revision();
    expect(first).toBeGreaterThan(0);
    digests.touch(projectId, ['sailing']);
    await digests.flush();
    expect(await revision()).toBe(first);
    await note('The boat is in the harbour.');
    await digests.flush();
    expect(await revision()).toBeGreaterThan(first);
  });
});

describe('a token that may manage and not read', () => {
  const as = (principal: Principal) => ({ principal, defaultSource: 'unknown' });

  /** Facts in every state, by what became of them, and one that is in none. */
  async function inEveryState(): Promise<{ started: TestService; ids: Record<string, string> }> {
    const started = await aService();
    const { service } = started;
    const ids: Record<string, string> = { unknown: unknownId };
    for (const state of ['active', 'pinned', 'retracted', 'corrected', 'superseded', 'unpinned']) {
      ids[state] = await added(started, 'owns_boat', `dinghy ${state}`);
    }
    await operations.facts_pin.execute(service, call, { fact_id: ids.pinned });
    await operations.facts_pin.execute(service, call, { fact_id: ids.unpinned });
    await operations.facts_unpin.execute(service, call, { fact_id: ids.unpinned });
    await operations.facts_retract.execute(service, call, { fact_id: ids.retracted });
    await operations.facts_correct.execute(service, call, { fact_id: ids.corrected, value: 'barge' });
    await operations.facts_supersede.execute(service, call, { fact_id: ids.superseded, superseded_by: ids.active });
    await started.insert(aNote('I live in Oslo.', { timestamp: '2025-01-01' }));
    await started.insert(aNote('I live in Rome.', { timestamp: '2025-02-01' }));
    const { results } = await operations.facts_search.execute(service, call, { status: 'all' });
    for (const city of ['Oslo', 'Rome']) {
      ids[city] = results.find((fact) => fact.object_normalized === city)?.id ?? '';
    }
    return { started, ids };
  }

  const changes: [keyof typeof operations, (ids: Record<string, string>) => Body][] = [
    ['facts_pin', () => ({})],
    ['facts_unpin', () => ({})],
    ['facts_retract', () => ({})],
    ['facts_retract', () => ({ until: '2020-01-01' })],
    ['facts_retract', () => ({ until: '2999-01-01' })],
    ['facts_correct', () => ({ value: 'canoe' })],
    ['facts_correct', () => ({ value: 'dinghy active' })],
    ['facts_undo', () => ({})],
    ['facts_restore', () => ({})],
    ['facts_supersede', ({ active }) => ({ superseded_by: active })],
    ['facts_supersede', () => ({ superseded_by: unknownId })],
  ];

  test.each(changes)('gets one answer from %s, whatever is known (%#)', async (name, more) => {
    const { started, ids } = await inEveryState();
    for (const [state, fact_id] of Object.entries(ids)) {
      const input = { fact_id, ...more(ids) };
      const answer = await operations[name].execute(started.service, as(manager), input);
      const { superseded_by } = input as { superseded_by?: string };
      expect({ state, answer }).toEqual({
        state,
        answer: { status: 'ok', id: fact_id, ...(superseded_by === undefined ? {} : { superseded_by }) },
      });
    }
  });

  test('changes existing facts too', async () => {
    const { started, ids } = await inEveryState();
    const { active = '', pinned = '' } = ids;
    await operations.facts_unpin.execute(started.service, as(manager), { fact_id: pinned });
    expect((await stored(started, pinned)).pinned_at).toBeUndefined();
    await operations.facts_retract.execute(started.service, as(manager), { fact_id: active });
    expect((await stored(started, active)).status).not.toBe('active');
    expect(
      await refusalOf(operations.facts_unpin.execute(started.service, call, { fact_id: unknownId })),
    ).toMatchObject({ code: 'not_found' });
  });

  test('does not hear of a pinned value by adding another, and does not replace it', async () => {
    const started = await aService();
    const add = (value: string) =>
      operations.facts_add.execute(started.service, as(manager), { predicate: 'profile_location', value });
    const before = await add('Bern');
    const pin = await added(started, 'profile_location', 'Lima');
    await operations.facts_pin.execute(started.service, call, { fact_id: pin });
    const after = await add('Oslo');
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const { results } = await operations.facts_search.execute(started.service, call, { predicate: 'profile_location' });
    expect(results.map(({ object_normalized }) => object_normalized)).toEqual(['Lima']);
  });

  test('is refused a project that is not theirs, like any caller', async () => {
    const started = await aService();
    const input = { fact_id: unknownId, project_id: 'of-others' };
    const refusals = [manager, localPrincipal].map((principal) =>
      refusalOf(operations.facts_pin.execute(started.service, as(principal), input)),
    );
    const [one, other] = await Promise.all(refusals);
    expect(one?.code).toBe(other?.code);
  });
});

describe('facts of an export', () => {
  function imported({ service }: TestService, fact: Body, changes: Body[]) {
    const lines = [
      { type: 'threadkeep-export', version: 1 },
      { type: 'fact', fact: { id: unknownId, ...fact }, object_key: 'dinghy', changes },
    ];
    const content = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    const found = threadkeep.read({
      path: 'memory.jsonl',
      async *read() {
        yield content;
      },
    });
    return importConversations(service, call, found);
  }

  test('are checked as when they are entered', async () => {
    const started = await aService();
    const at = '2025-01-01T00:00:00.000Z';
    const entered = [{ kind: 'added', at, value: 'dinghy' }];
    const fact = { subject: 'user', predicate: 'owns_boat' };
    const bad: [Body, Body[]][] = [
      [{ ...fact, subject: 'x'.repeat(1_025) }, entered],
      [{ ...fact, predicate: 'y'.repeat(101) }, entered],
      [{ ...fact, predicate: 'owns a boat' }, entered],
      [fact, [{ kind: 'added', at, value: 'z'.repeat(1_001) }]],
      [fact, [{ kind: 'added', at, value: '…' }]],
      [{ ...fact, predicate: 'recurring_topic' }, entered],
    ];
    for (const [name, changes] of bad) {
      expect(await imported(started, name, changes)).toMatchObject({ skipped: 1 });
      expect((await operations.facts_search.execute(started.service, call, { status: 'all' })).results).toEqual([]);
    }
    expect(await imported(started, fact, entered)).toMatchObject({ skipped: 0 });
    expect((await operations.facts_search.execute(started.service, call, {})).results).toMatchObject([
      { subject: 'user', predicate: 'owns_boat', object_normalized: 'dinghy' },
    ]);
  });
});
