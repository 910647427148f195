import { describe, expect, test } from 'vitest';
import { localPrincipal } from '../../../src/auth/access.js';
import { reindex } from '../../../src/indexing/reindex.js';
import { operations } from '../../../src/operations/table.js';
import { aNote } from '../../support/conversation.js';
import { refusalOf } from '../../support/failure.js';
import { aService, memberOf, type TestService } from '../../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'unknown' };
const unknownId = `fact_${'0'.repeat(32)}`;

async function twoCars(): Promise<{ started: TestService; volvo: string; honda: string }> {
  const started = await aService();
  await started.insert(aNote('I drive a Volvo.', { timestamp: '2025-01-01' }));
  await started.insert(aNote('I drive a Honda.', { timestamp: '2025-02-01' }));
  const { results } = await operations.facts_search.execute(started.service, call, { predicate: 'owns_car' });
  const [honda = '', volvo = ''] = results.map(({ id }) => id);
  return { started, volvo, honda };
}

function supersede(started: TestService, fact_id: string, superseded_by: string, principal = localPrincipal) {
  return operations.facts_supersede.execute(started.service, { ...call, principal }, { fact_id, superseded_by });
}

async function activeCars(started: TestService): Promise<string[]> {
  const { results } = await operations.facts_search.execute(started.service, call, { predicate: 'owns_car' });
  return results.map(({ object_raw }) => object_raw);
}

describe('superseding a fact by hand', () => {
  test('leaves it out of what is known, and keeps it as history', async () => {
    const { started, volvo, honda } = await twoCars();
    const done = await supersede(started, volvo, honda);
    expect(done).toMatchObject({ status: 'ok', id: volvo, superseded_by: honda, fact: { status: 'superseded' } });
    expect(await activeCars(started)).toEqual(['a Honda']);
    const history = await operations.facts_search.execute(started.service, call, { status: 'superseded' });
    expect(history.results).toEqual([done.fact]);
  });

  test('sets superseded_at, which is null until then', async () => {
    const { started, volvo, honda } = await twoCars();
    const times = async (): Promise<unknown[]> => {
      const asked = { predicate: 'owns_car', status: 'all' };
      const { results } = await operations.facts_search.execute(started.service, call, asked);
      return [honda, volvo].map((id) => results.find((fact) => fact.id === id)?.superseded_at);
    };
    expect(await times()).toEqual([null, null]);
    const profile = await operations.profile_get.execute(started.service, call, {});
    expect(profile.facts.map(({ superseded_at }) => superseded_at)).toEqual([null, null]);
    const answer = await operations.ask.execute(started.service, call, { question: 'Which cars do I drive?' });
    expect(answer.facts.map(({ superseded_at }) => superseded_at)).toEqual([null, null]);
    await supersede(started, volvo, honda);
    expect(await times()).toEqual([null, expect.any(String)]);
    await operations.facts_restore.execute(started.service, call, { fact_id: volvo });
    expect(await times()).toEqual([null, null]);
  });

  test('changes nothing when it is repeated', async () => {
    const { started, volvo, honda } = await twoCars();
    const first = await supersede(started, volvo, honda);
    expect(await supersede(started, volvo, honda)).toEqual(first);
  });

  test('holds when more is said about the same things', async () => {
    const { started, volvo, honda } = await twoCars();
    await supersede(started, volvo, honda);
    await started.insert(aNote('I drive a Fiat. I no longer own a boat.', { timestamp: '2025-03-01' }));
    await started.insert(aNote('I drive a Volvo!', { timestamp: '2025-03-02' }));
    expect((await activeCars(started)).sort()).toEqual(['a Fiat', 'a Honda']);
  });

  test('ends when it is stated again later', async () => {
    const { started, volvo, honda } = await twoCars();
    await supersede(started, volvo, honda);
    await started.insert(aNote('I drive a Volvo again.', { timestamp: '2999-01-01' }));
    expect((await activeCars(started)).sort()).toEqual(['a Honda', 'a Volvo']);
  });

  test('refuses a fact as its own successor, and a circle', async () => {
    const { started, volvo, honda } = await twoCars();
    expect(await refusalOf(supersede(started, volvo, volvo))).toMatchObject({ code: 'conflict' });
    await supersede(started, volvo, honda);
    expect(await refusalOf(supersede(started, honda, volvo))).toMatchObject({ code: 'conflict' });
    expect(await activeCars(started)).toEqual(['a Honda']);
  });

  test('does not find what does not exist or is not visible', async () => {
    const { started, volvo, honda } = await twoCars();
    expect(await refusalOf(supersede(started, unknownId, honda))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(supersede(started, volvo, unknownId))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(supersede(started, volvo, honda, memberOf('elsewhere')))).toMatchObject({
      code: 'not_found',
    });
    expect(await activeCars(started)).toEqual(['a Honda', 'a Volvo']);
  });

  test.each(['fact-1', 'FACT_1', ' ', 'fact_\0', 'x'.repeat(300)])('does not find %j either', async (id) => {
    const { started, volvo, honda } = await twoCars();
    expect(await refusalOf(supersede(started, id, honda))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(supersede(started, volvo, id))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(supersede(started, id, id))).toMatchObject({ code: 'not_found' });
    const restored = operations.facts_restore.execute(started.service, call, { fact_id: id });
    expect(await refusalOf(restored)).toMatchObject({ code: 'not_found' });
  });

  test('asks for ids and for the scope to write', async () => {
    const { started, volvo, honda } = await twoCars();
    expect(await refusalOf(supersede(started, '', honda))).toMatchObject({ code: 'invalid_input' });
    const reader = { ...localPrincipal, scopes: ['memory:read'] as const };
    expect(await refusalOf(supersede(started, volvo, honda, reader))).toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('a decision against what was said', () => {
  const favourites = async () => {
    const started = await aService();
    for (const [month, editor] of ['Vim', 'Nano', 'Emacs'].entries()) {
      await started.insert(aNote(`My favourite editor is ${editor}.`, { timestamp: `2025-0${month + 1}-01` }));
    }
    const { results } = await operations.facts_search.execute(started.service, call, { status: 'all' });
    const idOf = (value: string): string => results.find(({ object_raw }) => object_raw === value)?.id ?? '';
    return { started, vim: idOf('Vim'), nano: idOf('Nano'), emacs: idOf('Emacs') };
  };

  const known = async (started: TestService, values: object = { status: 'active' }): Promise<string[]> => {
    const input = { predicate: 'favorite_editor', ...values };
    return (await operations.facts_search.execute(started.service, call, input)).results.map((fact) => fact.object_raw);
  };

  test('makes the older value current again, and stays', async () => {
    const { started, vim, emacs } = await favourites();
    expect(await supersede(started, emacs, vim)).toMatchObject({
      fact: { status: 'superseded', superseded_by: vim, superseded_by_hand: true },
    });
    expect(await known(started)).toEqual(['Vim']);
    // What is said about the same is judged anew, with the decision.
    await started.insert(aNote('My favourite editor is Nano!', { timestamp: '2025-02-15' }));
    await started.insert(aNote('My favourite editor is Emacs!', { timestamp: '2025-03-01' }));
    expect(await known(started)).toEqual(['Vim']);
    const report = await reindex(started.service, { includeInactive: false });
    expect(report).toMatchObject({ status: 'ok', failed: 0 });
    expect(await known(started)).toEqual(['Vim']);
    await started.insert(aNote('My favourite editor is Helix.', { timestamp: '2025-04-01' }));
    expect(await known(started)).toEqual(['Helix']);
    expect((await known(started, { status: 'superseded' })).sort()).toEqual(['Emacs', 'Nano', 'Vim']);
  });

  test('is taken back as a whole', async () => {
    const { started, vim, emacs } = await favourites();
    await supersede(started, emacs, vim);
    await operations.facts_restore.execute(started.service, call, { fact_id: emacs });
    expect(await known(started)).toEqual(['Emacs']);
  });

  test('about two older values leaves the newest alone', async () => {
    const { started, vim, nano } = await favourites();
    await supersede(started, nano, vim);
    expect(await known(started)).toEqual(['Emacs']);
  });

  test('holds against a correction', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Berlin.', { timestamp: '2025-01-01' }));
    await started.insert(aNote('Actually, I live in Hamburg, not Berlin.', { timestamp: '2025-02-01' }));
    const search = { predicate: 'profile_location', status: 'all' };
    const { results } = await operations.facts_search.execute(started.service, call, search);
    const idOf = (value: string): string => results.find(({ object_raw }) => object_raw === value)?.id ?? '';
    await supersede(started, idOf('Hamburg'), idOf('Berlin'));
    const now = await operations.facts_search.execute(started.service, call, { predicate: 'profile_location' });
    expect(now.results).toMatchObject([{ object_raw: 'Berlin', status: 'active' }]);
  });

  test('turns a dislike into a like again', async () => {
    const started = await aService();
    await started.insert(aNote('I like olives.', { timestamp: '2025-01-01' }));
    await started.insert(aNote('I hate olives.', { timestamp: '2025-02-01' }));
    const { results } = await operations.facts_search.execute(started.service, call, { status: 'all' });
    const idOf = (predicate: string): string => results.find((fact) => fact.predicate === predicate)?.id ?? '';
    await supersede(started, idOf('dislikes'), idOf('likes'));
    const now = await operations.facts_search.execute(started.service, call, {});
    expect(now.results.map(({ predicate }) => predicate)).toEqual(['likes']);
  });
});
