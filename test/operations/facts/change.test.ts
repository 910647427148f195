import { describe, expect, test } from 'vitest';
import { localPrincipal } from '../../../src/auth/access.js';
import { reindex } from '../../../src/indexing/reindex.js';
import type { FactOutput } from '../../../src/operations/facts/present.js';
import { operations } from '../../../src/operations/table.js';
import { aNote } from '../../support/conversation.js';
import { refusalOf } from '../../support/failure.js';
import { aService, memberOf, type TestService } from '../../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'unknown' };
const unknownId = `fact_${'0'.repeat(32)}`;

type Verb =
  | 'facts_correct'
  | 'facts_retract'
  | 'facts_pin'
  | 'facts_unpin'
  | 'facts_undo'
  | 'facts_add'
  | 'facts_detach';

async function change(started: TestService, verb: Verb, input: object, principal = localPrincipal) {
  return operations[verb].execute(started.service, { ...call, principal }, input);
}

async function facts(started: TestService, input: object = { status: 'all' }): Promise<FactOutput[]> {
  return (await operations.facts_search.execute(started.service, call, input)).results;
}

async function current(started: TestService, predicate: string): Promise<string[]> {
  return (await facts(started, { predicate })).map(({ object_normalized }) => object_normalized);
}

async function idOf(started: TestService, value: string): Promise<string> {
  const found = (await facts(started)).find(({ object_normalized }) => object_normalized === value);
  if (found === undefined) throw new Error('the fact is expected');
  return found.id;
}

/** Read from the stored messages once more, as an upgrade of the rules would. */
async function extractAgain(started: TestService): Promise<void> {
  expect(await reindex(started.service, { includeInactive: false })).toMatchObject({ status: 'ok', failed: 0 });
}

async function threeHomes(): Promise<TestService> {
  const started = await aService();
  await started.insert(aNote('I live in Oslo.', { timestamp: '2025-01-01' }));
  await started.insert(aNote('I live in Rome.', { timestamp: '2025-02-01' }));
  await started.insert(aNote('I live in Bern.', { timestamp: '2025-03-01' }));
  return started;
}

describe('adding a fact', () => {
  test('makes it known, surely and without a conversation', async () => {
    const started = await aService();
    const { id, fact } = await change(started, 'facts_add', { predicate: 'profile_location', value: 'Lisbon' });
    expect(fact).toMatchObject({
      id,
      subject: 'user',
      object_normalized: 'Lisbon',
      status: 'active',
      confidence: 'high',
      confidence_reason: 'The user entered it.',
      source_quality: 'direct_user_statement',
      sources: [],
      changes: [{ kind: 'added' }],
    });
    expect(await facts(started, {})).toEqual([fact]);
    const answer = await started.ask({ question: 'Where do I live?' });
    expect(answer).toMatchObject({ answer_basis: 'fact_layer', facts: [{ id }], provenance: { conversations: [] } });
    expect(answer.answer).toContain('Lisbon');
  });

  test('replaces earlier statements, and is replaced by later ones', async () => {
    const started = await threeHomes();
    await change(started, 'facts_add', { predicate: 'profile_location', value: 'Lisbon' });
    expect(await current(started, 'profile_location')).toEqual(['Lisbon']);
    await extractAgain(started);
    expect(await current(started, 'profile_location')).toEqual(['Lisbon']);
    await started.insert(aNote('I live in Porto.', { timestamp: '2999-01-01' }));
    expect(await current(started, 'profile_location')).toEqual(['Porto']);
  });

  test('once more changes nothing', async () => {
    const started = await aService();
    const first = await change(started, 'facts_add', { predicate: 'owns_car', value: 'a Fiat' });
    expect(await change(started, 'facts_add', { predicate: 'owns_car', value: 'a Fiat' })).toEqual(first);
  });

  test('wins over a message that is dated later than now', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Oslo.', { timestamp: '2999-01-01' }));
    await change(started, 'facts_add', { predicate: 'profile_location', value: 'Lisbon' });
    expect(await current(started, 'profile_location')).toEqual(['Lisbon']);
  });

  test.each([
    [{ predicate: 'profile_location' }, 'value'],
    [{ predicate: 'profile_location', value: ' ' }, 'value'],
    [{ predicate: 'profile_location', value: '!?' }, 'value'],
    [{ predicate: 'profile_location', value: 'x'.repeat(1_001) }, 'value'],
    [{ predicate: 'Where I live', value: 'Oslo' }, 'predicate'],
    [{ predicate: 'recurring_topic', value: 'tea' }, 'predicate'],
    [{ predicate: 'profile_location', value: 'Oslo', subject: ' ' }, 'subject'],
  ])('refuses %j', async (input, field) => {
    const refusal = await refusalOf(change(await aService(), 'facts_add', input));
    expect(refusal).toMatchObject({ code: 'invalid_input' });
    expect(refusal.message).toContain(field);
  });
});

describe('correcting a fact', () => {
  test('supersedes the old value with a date and keeps it', async () => {
    const started = await threeHomes();
    const bern = await idOf(started, 'Bern');
    const others = (await facts(started)).filter(({ id }) => id !== bern);
    const done = await change(started, 'facts_correct', { fact_id: bern, value: 'Basel' });
    expect(done).toMatchObject({
      fact: {
        object_normalized: 'Basel',
        status: 'active',
        source_quality: 'corrected_by_user',
        confidence_reason: 'The user corrected it.',
        changes: [{ kind: 'added', corrects: bern }],
      },
      superseded: {
        id: bern,
        status: 'superseded',
        superseded_at: expect.stringMatching(/^\d{4}-/),
        superseded_by: done.id,
        changes: [{ kind: 'corrected', by: done.id }],
      },
    });
    expect(await current(started, 'profile_location')).toEqual(['Basel']);
    // The others of the group are what they were, to the letter.
    const now = await facts(started);
    expect(now.filter(({ id }) => id !== bern && id !== done.id)).toEqual(others);
  });

  test('outweighs the same evidence and yields to a newer message', async () => {
    const started = await threeHomes();
    await change(started, 'facts_correct', { fact_id: await idOf(started, 'Bern'), value: 'Basel' });
    await extractAgain(started);
    await started.insert(aNote('I live in Bern, as I said.', { timestamp: '2025-03-02' }));
    expect(await current(started, 'profile_location')).toEqual(['Basel']);
    await started.insert(aNote('I live in Bern again.', { timestamp: '2999-01-01' }));
    expect(await current(started, 'profile_location')).toEqual(['Bern']);
  });

  test('of one of many values leaves the others alone', async () => {
    const started = await aService();
    await started.insert(aNote('I drive a Volvo.', { timestamp: '2025-01-01' }));
    await started.insert(aNote('I drive a red Volvo.', { timestamp: '2025-02-01' }));
    await change(started, 'facts_correct', { fact_id: await idOf(started, 'a Volvo'), value: 'a Saab' });
    expect(await current(started, 'owns_car')).toEqual(['a Saab', 'a red Volvo']);
  });

  test('of the wording alone stays the same fact', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Bern.', { timestamp: '2025-01-01' }));
    const [before] = await facts(started, {});
    const fact_id = before?.id ?? '';
    const done = await change(started, 'facts_correct', { fact_id, value: 'BERN' });
    expect(done).toMatchObject({ id: fact_id, fact: { object_normalized: 'BERN', status: 'active' } });
    expect(done).not.toHaveProperty('superseded');
    await change(started, 'facts_undo', { fact_id });
    expect(await facts(started, {})).toEqual([before]);
  });

  test('applies to current facts only', async () => {
    const started = await threeHomes();
    const fact_id = await idOf(started, 'Oslo');
    expect(await refusalOf(change(started, 'facts_correct', { fact_id, value: 'Bergen' }))).toMatchObject({
      code: 'conflict',
    });
  });

  test('once more changes nothing', async () => {
    const started = await threeHomes();
    const input = { fact_id: await idOf(started, 'Bern'), value: 'Basel' };
    const first = await change(started, 'facts_correct', input);
    expect(await change(started, 'facts_correct', input)).toEqual(first);
  });
});

describe('retracting a fact', () => {
  test('supersedes it alone, and reading the messages again does not bring it back', async () => {
    const started = await threeHomes();
    const bern = await idOf(started, 'Bern');
    const others = (await facts(started)).filter(({ id }) => id !== bern);
    const { fact } = await change(started, 'facts_retract', { fact_id: bern });
    expect(fact).toMatchObject({ status: 'superseded', superseded_at: expect.stringMatching(/^\d{4}-/) });
    expect(fact).not.toHaveProperty('superseded_by');
    expect(await current(started, 'profile_location')).toEqual([]);
    await extractAgain(started);
    await started.insert(aNote('I live in Bern!', { timestamp: '2025-03-01' }));
    expect(await current(started, 'profile_location')).toEqual([]);
    expect((await facts(started)).filter(({ id }) => id !== bern)).toEqual(others);
    expect((await started.ask({ question: 'Where do I live?' })).facts).toEqual([]);
  });

  test('holds until it is said again later', async () => {
    const started = await threeHomes();
    await change(started, 'facts_retract', { fact_id: await idOf(started, 'Bern') });
    await started.insert(aNote('I live in Bern again.', { timestamp: '2999-01-01' }));
    expect(await current(started, 'profile_location')).toEqual(['Bern']);
  });

  test('wins over a message that is dated later than now', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Oslo.', { timestamp: '2999-01-01' }));
    await change(started, 'facts_retract', { fact_id: await idOf(started, 'Oslo') });
    expect(await current(started, 'profile_location')).toEqual([]);
  });

  test('until a date ends it then and keeps it as history', async () => {
    const started = await threeHomes();
    const fact_id = await idOf(started, 'Bern');
    const { fact } = await change(started, 'facts_retract', { fact_id, until: '2025-06-30' });
    expect(fact).toMatchObject({
      status: 'superseded',
      superseded_at: '2025-06-30T23:59:59.999Z',
      changes: [{ kind: 'retracted', until: '2025-06-30T23:59:59.999Z' }],
    });
    expect(fact).not.toHaveProperty('superseded_by');
    expect(await current(started, 'profile_location')).toEqual([]);
    await extractAgain(started);
    expect(await current(started, 'profile_location')).toEqual([]);
    await started.insert(aNote('I live in Porto.', { timestamp: '2025-07-01' }));
    const told = async () => (await started.ask({ question: 'Where do I live?' })).answer;
    expect(await told()).toMatch(/Porto.*Bern/);
    await change(started, 'facts_retract', { fact_id });
    expect(await told()).not.toContain('Bern');
  });

  test('until a date can be undone', async () => {
    const started = await threeHomes();
    const fact_id = await idOf(started, 'Bern');
    await change(started, 'facts_retract', { fact_id, until: '2025-06-30' });
    expect((await change(started, 'facts_undo', { fact_id })).fact).toMatchObject({ status: 'active' });
  });

  test('until a date again changes nothing, until another date changes it', async () => {
    const started = await threeHomes();
    const fact_id = await idOf(started, 'Bern');
    const until = '2025-06-30';
    const first = await change(started, 'facts_retract', { fact_id, until });
    expect(await change(started, 'facts_retract', { fact_id, until })).toEqual(first);
    const today = new Date().toISOString().slice(0, 10);
    const second = await change(started, 'facts_retract', { fact_id, until: today });
    expect(second.fact?.superseded_at).toBe(second.fact?.changes?.[1]?.at);
    expect(await change(started, 'facts_retract', { fact_id, until: today })).toEqual(second);
    const never = await change(started, 'facts_retract', { fact_id });
    expect(never.fact?.changes?.[2]).not.toHaveProperty('until');
  });

  test.each([
    ['2999-01-01', 'later than now'],
    ['2025-02-28', 'before the fact was first stated'],
    ['yesterday', 'must be a date'],
  ])('refuses %s as its end', async (until, reason) => {
    const started = await threeHomes();
    const fact_id = await idOf(started, 'Bern');
    const refusal = await refusalOf(change(started, 'facts_retract', { fact_id, until }));
    expect(refusal.message).toContain(reason);
  });

  test('cannot be restored, only undone', async () => {
    const started = await threeHomes();
    const fact_id = await idOf(started, 'Bern');
    await change(started, 'facts_retract', { fact_id });
    const refusal = await refusalOf(operations.facts_restore.execute(started.service, call, { fact_id }));
    expect(refusal.message).toContain('undo');
  });
});

describe('pinning a fact', () => {
  test('keeps it current until it is unpinned', async () => {
    const started = await threeHomes();
    const fact_id = await idOf(started, 'Bern');
    const { fact } = await change(started, 'facts_pin', { fact_id });
    expect(fact).toMatchObject({ status: 'active', pinned_at: expect.stringMatching(/^\d{4}-/) });
    await started.insert(aNote('I live in Porto.', { timestamp: '2999-01-01' }));
    await started.insert(aNote('I no longer live in Bern.', { timestamp: '2999-02-01' }));
    expect(await current(started, 'profile_location')).toEqual(['Bern']);
    expect((await started.ask({ question: 'Where do I live?' })).facts).toMatchObject([{ id: fact_id }]);
    await change(started, 'facts_unpin', { fact_id });
    expect(await current(started, 'profile_location')).toEqual(['Porto']);
  });

  test('lists it first, on every page', async () => {
    const started = await aService();
    const values = ['tea', 'chess', 'rain', 'jazz', 'figs'];
    for (const [month, value] of values.entries()) {
      await started.insert(aNote(`I like ${value}.`, { timestamp: `2025-0${month + 1}-01` }));
    }
    for (const value of ['tea', 'rain']) await change(started, 'facts_pin', { fact_id: await idOf(started, value) });
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const input: object = { predicate: 'likes', limit: 1, ...(cursor === null ? {} : { cursor }) };
      const page = await operations.facts_search.execute(started.service, call, input);
      listed.push(...page.results.map(({ object_raw }) => object_raw));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(listed).toEqual(['rain', 'tea', 'figs', 'jazz', 'chess']);
    const profile = await operations.profile_get.execute(started.service, call, {});
    expect(profile.facts.map(({ object_raw }) => object_raw)).toEqual(listed);
    expect(profile.summary.text).toMatch(/^likes: rain; likes: tea; likes: figs/);
  });

  test('goes over to the corrected value, and away with a retraction', async () => {
    const started = await threeHomes();
    const bern = await idOf(started, 'Bern');
    await change(started, 'facts_pin', { fact_id: bern });
    const { id, fact } = await change(started, 'facts_correct', { fact_id: bern, value: 'Basel' });
    expect(fact).toHaveProperty('pinned_at');
    await started.insert(aNote('I live in Porto.', { timestamp: '2999-01-01' }));
    expect(await current(started, 'profile_location')).toEqual(['Basel']);
    const gone = await change(started, 'facts_retract', { fact_id: id });
    expect(gone.fact).not.toHaveProperty('pinned_at');
    expect(await current(started, 'profile_location')).toEqual(['Porto']);
  });

  test('applies to current facts only, and keeps out another value by hand', async () => {
    const started = await threeHomes();
    const oslo = await idOf(started, 'Oslo');
    expect(await refusalOf(change(started, 'facts_pin', { fact_id: oslo }))).toMatchObject({ code: 'conflict' });
    await change(started, 'facts_pin', { fact_id: await idOf(started, 'Bern') });
    const adding = change(started, 'facts_add', { predicate: 'profile_location', value: 'Lisbon' });
    expect((await refusalOf(adding)).message).toContain('pinned');
  });
});

describe('undoing a change', () => {
  test.each(['facts_retract', 'facts_pin', 'facts_correct', 'facts_add'] as const)('takes back %s', async (verb) => {
    const started = await threeHomes();
    const before = await facts(started);
    const bern = await idOf(started, 'Bern');
    const inputs = {
      facts_retract: { fact_id: bern },
      facts_pin: { fact_id: bern },
      facts_correct: { fact_id: bern, value: 'Basel' },
      facts_add: { predicate: 'profile_location', value: 'Lisbon' },
    };
    const { id } = await change(started, verb, inputs[verb]);
    expect(await facts(started)).not.toEqual(before);
    await change(started, 'facts_undo', { fact_id: id });
    expect(await facts(started)).toEqual(before);
  });

  test('goes back change by change', async () => {
    const started = await threeHomes();
    const before = await facts(started);
    const fact_id = await idOf(started, 'Bern');
    await change(started, 'facts_pin', { fact_id });
    await change(started, 'facts_unpin', { fact_id });
    await change(started, 'facts_retract', { fact_id });
    const undo = async () => (await operations.facts_undo.execute(started.service, call, { fact_id })).undone;
    expect([await undo(), await undo(), await undo()]).toEqual(['retracted', 'unpinned', 'pinned']);
    expect(await facts(started)).toEqual(before);
    expect(await refusalOf(undo())).toMatchObject({ code: 'conflict' });
  });

  test('of a correction works from either fact, the last correction first', async () => {
    const started = await threeHomes();
    const before = await facts(started);
    const bern = await idOf(started, 'Bern');
    const { id: basel } = await change(started, 'facts_correct', { fact_id: bern, value: 'Basel' });
    await change(started, 'facts_correct', { fact_id: basel, value: 'Zug' });
    expect(await refusalOf(change(started, 'facts_undo', { fact_id: bern }))).toMatchObject({ code: 'conflict' });
    await change(started, 'facts_undo', { fact_id: basel });
    expect(await current(started, 'profile_location')).toEqual(['Basel']);
    await change(started, 'facts_undo', { fact_id: bern });
    expect(await facts(started)).toEqual(before);
  });

  test('takes back that a fact was superseded by hand', async () => {
    const started = await threeHomes();
    const before = await facts(started);
    const [bern, oslo] = [await idOf(started, 'Bern'), await idOf(started, 'Oslo')];
    const input = { fact_id: bern, superseded_by: oslo };
    await operations.facts_supersede.execute(started.service, call, input);
    expect(await current(started, 'profile_location')).toEqual(['Oslo']);
    expect(await change(started, 'facts_undo', { fact_id: bern })).toMatchObject({ undone: 'superseded' });
    expect(await facts(started)).toEqual(before);
  });
});

describe('every change of a fact', () => {
  const verbs = ['facts_correct', 'facts_retract', 'facts_pin', 'facts_unpin', 'facts_undo'] as const;
  const inputOf = (verb: Verb, fact_id: string) => ({
    fact_id,
    ...(verb === 'facts_correct' ? { value: 'Basel' } : {}),
  });

  test.each(verbs)('%s finds only existing, visible facts', async (verb) => {
    const started = await threeHomes();
    const bern = await idOf(started, 'Bern');
    expect(await refusalOf(change(started, verb, inputOf(verb, unknownId)))).toMatchObject({ code: 'not_found' });
    const stranger = memberOf('elsewhere');
    const refused = await refusalOf(change(started, verb, inputOf(verb, bern), stranger));
    expect(refused).toMatchObject({ code: 'not_found' });
    expect(await current(started, 'profile_location')).toEqual(['Bern']);
  });

  test('is refused to a token that may only read, or read and save', async () => {
    const started = await threeHomes();
    const bern = await idOf(started, 'Bern');
    const before = await facts(started);
    for (const scopes of [['memory:read'], ['memory:read', 'memory:write']] as const) {
      const principal = { ...localPrincipal, scopes };
      const adding = { predicate: 'profile_location', value: 'Lisbon' };
      expect(await refusalOf(change(started, 'facts_add', adding, principal))).toMatchObject({
        code: 'insufficient_scope',
      });
      for (const verb of verbs) {
        expect(await refusalOf(change(started, verb, inputOf(verb, bern), principal))).toMatchObject({
          code: 'insufficient_scope',
        });
      }
    }
    expect(await facts(started)).toEqual(before);
  });

  test('shows no text to a token that may not read', async () => {
    const started = await threeHomes();
    const principal = { ...localPrincipal, scopes: ['memory:manage'] as const };
    const done = await change(
      started,
      'facts_correct',
      { fact_id: await idOf(started, 'Bern'), value: 'Zug' },
      principal,
    );
    expect(Object.keys(done).sort()).toEqual(['id', 'status']);
  });

  test('is in the audit log, once', async () => {
    const started = await threeHomes();
    const fact_id = await idOf(started, 'Bern');
    await change(started, 'facts_pin', { fact_id });
    await change(started, 'facts_pin', { fact_id });
    const { id } = await change(started, 'facts_correct', { fact_id, value: 'Basel' });
    await change(started, 'facts_undo', { fact_id: id });
    const rows = await started.service.audit.newest({ limit: 10 });
    expect(rows.map(({ event, targets }) => ({ event, targets }))).toEqual([
      { event: 'fact_change_undone', targets: [fact_id, id].sort((one) => (one === fact_id ? -1 : 1)) },
      { event: 'fact_corrected', targets: [fact_id, id] },
      { event: 'fact_pinned', targets: [fact_id] },
    ]);
  });

  test('loses none when many are made at once', async () => {
    const started = await aService();
    const values = Array.from({ length: 8 }, (_, index) => `thing ${index}`);
    await Promise.all(values.map((value) => change(started, 'facts_add', { predicate: 'likes', value })));
    expect((await current(started, 'likes')).sort()).toEqual(values);
  });
});

describe('memory.secret_policy', () => {
  const secret = ['sk-', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('');
  const added = { predicate: 'uses', value: `the key ${secret}` };

  test('replaces secrets in what is entered by hand', async () => {
    const started = await aService({ memory: { secret_policy: 'redact' } });
    await change(started, 'facts_add', added);
    const { id } = await change(started, 'facts_add', { predicate: 'likes', value: 'tea' });
    await change(started, 'facts_correct', { fact_id: id, value: `tea and ${secret}` });
    expect(JSON.stringify(await facts(started))).not.toContain(secret);
  });

  test('refuses them where they would be held for review', async () => {
    const started = await aService({ memory: { secret_policy: 'quarantine' } });
    await expect(change(started, 'facts_add', added)).rejects.toThrow('value');
    expect(await facts(started)).toEqual([]);
  });
});

describe('a large group', () => {
  test('keeps what is known of its oldest facts when they are entered again', async () => {
    const started = await aService();
    const { id } = await change(started, 'facts_add', { predicate: 'likes', value: 'the oldest thing' });
    await change(started, 'facts_pin', { fact_id: id });
    for (let index = 0; index < 510; index++) {
      await change(started, 'facts_add', { predicate: 'likes', value: `thing ${index}` });
    }
    await change(started, 'facts_add', { predicate: 'likes', value: 'the oldest thing' });
    await change(started, 'facts_undo', { fact_id: id });
    expect((await facts(started)).find((fact) => fact.id === id)).toMatchObject({ status: 'active' });
  });
});

describe('forgetting a conversation', () => {
  test('takes its facts and leaves what was entered by hand', async () => {
    const started = await aService();
    const { id } = await started.insert(aNote('I live in Bern.', { timestamp: '2025-03-01' }));
    await change(started, 'facts_correct', { fact_id: await idOf(started, 'Bern'), value: 'Basel' });
    await operations.forget.execute(started.service, call, { ids: [id], dry_run: false });
    const left = await facts(started);
    expect(left).toMatchObject([{ object_normalized: 'Basel', status: 'active' }]);
    await change(started, 'facts_undo', { fact_id: left[0]?.id });
    expect(await facts(started)).toEqual([]);
  });
});

describe('detaching a source', () => {
  async function saidTwice() {
    const started = await aService();
    const first = await started.insert(aNote('I live in Oslo.', { timestamp: '2025-01-01' }));
    const second = await started.insert(aNote('I live in Oslo now, again.', { timestamp: '2025-06-01' }));
    return { started, first: String(first.id), second: String(second.id), id: await idOf(started, 'Oslo') };
  }

  test('the fact rests on the other conversations, and the change is in its history', async () => {
    const { started, first, second, id } = await saidTwice();
    const { fact } = await change(started, 'facts_detach', { fact_id: id, conversation_id: second });
    expect(fact).toMatchObject({
      status: 'active',
      last_confirmed_at: '2025-01-01T00:00:00.000Z',
      sources: [{ conversation_id: first }],
      changes: [{ kind: 'detached', sources: [{ conversation_id: second, message_index: 0 }] }],
    });
    expect(fact?.sources).toHaveLength(1);
    expect(
      (await change(started, 'facts_detach', { fact_id: id, conversation_id: second })).fact?.changes,
    ).toHaveLength(1);
  });

  test('a fact that nothing else states no longer holds, and undo brings it back', async () => {
    const { started, first, second, id } = await saidTwice();
    const before = await facts(started);
    await change(started, 'facts_detach', { fact_id: id, conversation_id: second, message_index: 0 });
    const { fact } = await change(started, 'facts_detach', { fact_id: id, conversation_id: first });
    expect(fact).toMatchObject({ status: 'superseded', sources: [] });
    expect(await current(started, 'profile_location')).toEqual([]);
    await change(started, 'facts_undo', { fact_id: id });
    expect(await current(started, 'profile_location')).toEqual(['Oslo']);
    await change(started, 'facts_undo', { fact_id: id });
    expect(await facts(started)).toEqual(before);
  });

  test('lets an older value hold again that only this sentence replaced', async () => {
    const started = await threeHomes();
    const bern = (await facts(started)).find(({ object_normalized }) => object_normalized === 'Bern');
    const conversation_id = bern?.sources[0]?.conversation_id;
    await change(started, 'facts_detach', { fact_id: bern?.id, conversation_id });
    expect(await current(started, 'profile_location')).toEqual(['Rome']);
  });

  test('holds when the conversation is read again, and for a pinned fact leaves the pin', async () => {
    const { started, second, id } = await saidTwice();
    await change(started, 'facts_pin', { fact_id: id });
    await change(started, 'facts_detach', { fact_id: id, conversation_id: second });
    await extractAgain(started);
    const [fact] = await facts(started);
    expect(fact?.sources.map(({ conversation_id }) => conversation_id)).not.toContain(second);
    expect(fact?.pinned_at).toBeDefined();
  });

  test('was not yet so before: as of then the sentence still counts', async () => {
    const { started, second, id } = await saidTwice();
    await change(started, 'facts_detach', { fact_id: id, conversation_id: second });
    const [then] = await facts(started, { as_of: '2025-07-01' });
    expect(then).toMatchObject({ last_confirmed_at: '2025-06-01T00:00:00.000Z' });
    expect(then?.sources).toHaveLength(2);
  });

  test('forgetting the conversation takes the detached sentence too', async () => {
    const { started, first, second, id } = await saidTwice();
    await change(started, 'facts_detach', { fact_id: id, conversation_id: second });
    await started.request('/memory/forget', { ids: [second], dry_run: false });
    const [fact] = await facts(started);
    expect(fact).not.toHaveProperty('changes');
    await change(started, 'facts_detach', { fact_id: id, conversation_id: first });
    await started.request('/memory/forget', { ids: [first], dry_run: false });
    expect(await facts(started)).toEqual([]);
  });

  test('is refused for a conversation that does not state it, and for an invisible one', async () => {
    const { started, second, id } = await saidTwice();
    const other = '3b241101-e2bb-4255-8caf-4136c566a962';
    const input = { fact_id: id, conversation_id: other };
    expect(await refusalOf(change(started, 'facts_detach', input))).toMatchObject({ code: 'not_found' });
    const stranger = change(started, 'facts_detach', { fact_id: id, conversation_id: second }, memberOf('theirs'));
    expect(await refusalOf(stranger)).toMatchObject({ code: 'not_found' });
    const unknown = change(started, 'facts_detach', { fact_id: unknownId, conversation_id: second });
    expect(await refusalOf(unknown)).toMatchObject({ code: 'not_found' });
  });
});
