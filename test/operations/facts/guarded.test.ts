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

  test('learns nothing of a fact by unpinning it', async () => {
    const started = await aService();
    const known = await added(started, 'owns_boat', 'dinghy');
    const unpin = (fact_id: string) => operations.facts_unpin.execute(started.service, as(manager), { fact_id });
    expect(await unpin(known)).toEqual({ status: 'ok', id: known });
    expect(await unpin(unknownId)).toEqual({ status: 'ok', id: unknownId });
    await operations.facts_pin.execute(started.service, call, { fact_id: known });
    expect(await unpin(known)).toEqual({ status: 'ok', id: known });
    expect((await stored(started, known)).pinned_at).toBeUndefined();
    expect(
      await refusalOf(operations.facts_unpin.execute(started.service, call, { fact_id: unknownId })),
    ).toMatchObject({ code: 'not_found' });
  });

  test('nor by a change that cannot be made', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Oslo.', { timestamp: '2025-01-01' }));
    await started.insert(aNote('I live in Rome.', { timestamp: '2025-02-01' }));
    const { results } = await operations.facts_search.execute(started.service, call, { status: 'all' });
    const [rome, oslo] = ['Rome', 'Oslo'].map((city) => results.find((fact) => fact.object_normalized === city)?.id);
    const tries: [keyof typeof operations, Body][] = [
      ['facts_undo', { fact_id: rome }],
      ['facts_pin', { fact_id: oslo }],
      ['facts_correct', { fact_id: oslo, value: 'Bern' }],
      ['facts_restore', { fact_id: rome }],
      ['facts_restore', { fact_id: oslo }],
      ['facts_supersede', { fact_id: rome, superseded_by: unknownId }],
      ['facts_undo', { fact_id: unknownId }],
    ];
    for (const [name, input] of tries) {
      const trying: Promise<object> = operations[name].execute(started.service, as(manager), input);
      const refusal = await refusalOf(trying);
      expect({ name, code: refusal.code, message: refusal.message }).toEqual({
        name,
        code: 'not_found',
        message: 'No fact with this id is visible to you',
      });
    }
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
