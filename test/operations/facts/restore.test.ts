import { describe, expect, test } from 'vitest';
import { localPrincipal } from '../../../src/auth/access.js';
import { operations } from '../../../src/operations/table.js';
import { aNote } from '../../support/conversation.js';
import { refusalOf } from '../../support/failure.js';
import { aService, memberOf, type TestService } from '../../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'unknown' };

async function facts(started: TestService, predicate: string) {
  const input = { predicate, status: 'all' };
  return (await operations.facts_search.execute(started.service, call, input)).results;
}

async function twoCars() {
  const started = await aService();
  await started.insert(aNote('I drive a Volvo.', { timestamp: '2025-01-01' }));
  await started.insert(aNote('I drive a Honda.', { timestamp: '2025-02-01' }));
  const [honda, volvo] = await facts(started, 'owns_car');
  if (honda === undefined || volvo === undefined) throw new Error('two cars are expected');
  const input = { fact_id: volvo.id, superseded_by: honda.id };
  const superseded = await operations.facts_supersede.execute(started.service, call, input);
  return { started, volvo, superseded: superseded.fact };
}

function restore(started: TestService, fact_id: string, principal = localPrincipal) {
  return operations.facts_restore.execute(started.service, { ...call, principal }, { fact_id });
}

describe('restoring a fact', () => {
  test('makes it what it was before it was superseded by hand', async () => {
    const { started, volvo, superseded } = await twoCars();
    expect(superseded).toMatchObject({ status: 'superseded', superseded_by_hand: true });
    expect(await restore(started, volvo.id)).toEqual({ status: 'ok', id: volvo.id, fact: volvo });
    expect((await facts(started, 'owns_car')).map(({ status }) => status)).toEqual(['active', 'active']);
  });

  test('changes nothing when it is repeated', async () => {
    const { started, volvo } = await twoCars();
    const first = await restore(started, volvo.id);
    expect(await restore(started, volvo.id)).toEqual(first);
  });

  test('lets what was said decide', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Oslo.', { timestamp: '2025-01-01' }));
    await started.insert(aNote('I live in Rome.', { timestamp: '2025-02-01' }));
    const [rome, oslo] = await facts(started, 'profile_location');
    expect(await refusalOf(restore(started, oslo?.id ?? ''))).toMatchObject({ code: 'conflict' });
    await started.insert(aNote('I own a boat.', { timestamp: '2025-03-01' }));
    const [boat] = await facts(started, 'owns_boat');
    const input = { fact_id: oslo?.id, superseded_by: boat?.id };
    await operations.facts_supersede.execute(started.service, call, input);
    const { fact } = await restore(started, oslo?.id ?? '');
    expect(fact).toMatchObject({ status: 'superseded', superseded_by: rome?.id });
    expect(fact).not.toHaveProperty('superseded_by_hand');
  });

  test('does not find what is not visible, and asks for the scope to write', async () => {
    const { started, volvo } = await twoCars();
    expect(await refusalOf(restore(started, volvo.id, memberOf('elsewhere')))).toMatchObject({ code: 'not_found' });
    const reader = { ...localPrincipal, scopes: ['memory:read'] as const };
    expect(await refusalOf(restore(started, volvo.id, reader))).toMatchObject({ code: 'insufficient_scope' });
    expect(await refusalOf(restore(started, 'fact-1'))).toMatchObject({ code: 'not_found' });
  });
});
