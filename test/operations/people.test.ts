import { describe, expect, test } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { operations } from '../../src/operations/table.js';
import { aNote } from '../support/conversation.js';
import { aService, memberOf, type TestService } from '../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'unknown' };

async function people(started: TestService, input: object = {}, principal = localPrincipal) {
  return (await operations.people_list.execute(started.service, { ...call, principal }, input)).results;
}

describe('the people of a memory', () => {
  test('are who was told about, since when, and where', async () => {
    const started = await aService();
    const first = await started.insert(aNote('My sister Fiona lives abroad.', { timestamp: '2024-01-01' }));
    const again = await started.insert(aNote("My sister's name is Fiona, you know.", { timestamp: '2025-01-01' }));
    await started.insert(aNote('I have a dog named Biscuit.', { timestamp: '2025-02-01' }));
    const found = await people(started);
    expect(found).toMatchObject([
      { kind: 'pet', name: 'Biscuit', relations: ['dog'] },
      {
        kind: 'person',
        name: 'Fiona',
        relations: ['sister'],
        confidence: 'high',
        since: '2024-01-01T00:00:00.000Z',
        last_confirmed_at: '2025-01-01T00:00:00.000Z',
      },
    ]);
    expect(found[1]?.conversation_ids.sort()).toEqual([first.id, again.id].sort());
  });

  test('say by which subjects the facts about them are found', async () => {
    const started = await aService();
    await started.insert(aNote('My sister Fiona lives abroad.', { timestamp: '2024-01-01' }));
    expect(await people(started)).toMatchObject([{ name: 'Fiona', subjects: [] }]);
    for (const subject of ['Fiona', 'my sister']) {
      await operations.facts_add.execute(started.service, call, {
        subject,
        predicate: 'profile_location',
        value: 'Cork',
      });
    }
    const [fiona] = await people(started);
    expect(fiona?.subjects.sort()).toEqual(['Fiona', 'my sister']);
  });

  test('follow the changes of facts, and the time asked for', async () => {
    const started = await aService();
    await started.insert(aNote("My daughter's name is Mia.", { timestamp: '2024-01-01' }));
    const [mia] = await people(started);
    expect(await people(started, { as_of: '2023-12-31' })).toEqual([]);
    const fact_id = mia?.fact_ids[0];
    await operations.facts_correct.execute(started.service, call, { fact_id, value: 'Maya' });
    expect(await people(started)).toMatchObject([{ name: 'Maya', relations: ['daughter'], conversation_ids: [] }]);
    expect(await people(started, { as_of: '2024-12-31' })).toMatchObject([{ name: 'Mia' }]);
  });

  test('are those of the project', async () => {
    const started = await aService();
    await started.insert(aNote('My boss is Karen Whitfield.'), memberOf('elsewhere'));
    expect(await people(started)).toEqual([]);
    expect(await people(started, {}, memberOf('elsewhere'))).toMatchObject([{ name: 'Karen Whitfield' }]);
  });

  test('are asked for by address over HTTP', async () => {
    const started = await aService();
    await started.insert(aNote('My boss is Karen Whitfield.', { timestamp: '2025-01-01' }));
    expect((await started.send('/memory/people')).body.results).toMatchObject([{ name: 'Karen Whitfield' }]);
    expect((await started.send('/memory/people?as_of=2024-01-01')).body.results).toEqual([]);
    expect((await started.send('/memory/people?as_of=then')).status).toBe(400);
    expect((await started.send('/memory/people?project_id=other')).status).toBe(403);
    const { body } = await started.send('/openapi.json');
    expect((body.paths as Record<string, unknown>)['/memory/people']).toMatchObject({
      get: {
        parameters: [
          { name: 'project_id', in: 'query' },
          { name: 'as_of', in: 'query' },
        ],
      },
    });
  });
});
