import { describe, expect, test } from 'vitest';
import { localPrincipal } from '../../../src/auth/access.js';
import { reindex } from '../../../src/indexing/reindex.js';
import type { FactSearchOutput } from '../../../src/operations/facts/search.js';
import { operations } from '../../../src/operations/table.js';
import { aConversation, aNote, turns } from '../../support/conversation.js';
import { refusalOf } from '../../support/failure.js';
import { aService, type Body, memberOf, type TestService } from '../../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'unknown' };

function searchFacts(test: TestService, input: Body = {}, principal = localPrincipal): Promise<FactSearchOutput> {
  return operations.facts_search.execute(test.service, { ...call, principal }, input);
}

async function valuesOf(test: TestService, input: Body = {}): Promise<string[]> {
  return (await searchFacts(test, input)).results.map(({ object_normalized }) => object_normalized);
}

describe('facts of stored conversations', () => {
  test('are stored when the insert is answered, with the sentence they come from', async () => {
    const started = await aService();
    const { id } = await started.insert(
      aConversation({
        messages: turns('Hello!', 'Hi.', 'My name is alex prism. I live in Berlin.'),
        timestamp: '2025-05-01',
      }),
    );
    const { results } = await searchFacts(started, { predicate: 'profile_location' });
    expect(results).toEqual([
      {
        id: expect.stringMatching(/^fact_[0-9a-f]{32}$/),
        project_id: 'local-default',
        subject: 'user',
        predicate: 'profile_location',
        object_raw: 'Berlin',
        object_normalized: 'Berlin',
        qualifiers: { source_role: 'user' },
        source_quality: 'direct_user_statement',
        confidence: 'high',
        confidence_reason: 'The user said so.',
        status: 'active',
        stated_at: '2025-05-01T00:00:00.000Z',
        created_at: '2025-05-01T00:00:00.000Z',
        updated_at: '2025-05-01T00:00:00.000Z',
        last_confirmed_at: '2025-05-01T00:00:00.000Z',
        superseded_at: null,
        sources: [
          {
            conversation_id: id,
            message_index: 2,
            chunk_index: 2,
            start: 23,
            end: 40,
            source: 'chatgpt',
            stated_at: '2025-05-01T00:00:00.000Z',
            role: 'user',
          },
        ],
      },
    ]);
  });

  test('become tags of the conversation', async () => {
    const started = await aService();
    const { id } = await started.insert(aNote('I live in Berlin.'));
    const answer = await started.request('/memory/retrieve', { id });
    expect(answer.body).toMatchObject({
      memory: { metadata: { auto_tags: ['source:chatgpt', 'fact:profile_location'] } },
    });
  });

  test('are not made again by a duplicate', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Berlin.'));
    await started.insert(aNote('I live in Berlin.', { title: 'Again' }));
    const { results } = await searchFacts(started);
    expect(results.map(({ sources }) => sources.length)).toEqual([1]);
  });

  test('come from the appended messages only, once', async () => {
    const started = await aService({ storage: { allow_trusted_appends: true } });
    const metadata = { upstream_thread_id: 'thread' };
    const first = turns('I live in Berlin.', 'Nice.');
    await started.insert(aConversation({ messages: first, metadata, timestamp: '2025-05-01' }));
    await started.insert(
      aConversation({ messages: [...first, ...turns('I moved to Rome.')], metadata, timestamp: '2025-05-01' }),
    );
    const { results } = await searchFacts(started, { status: 'all' });
    expect(
      results.map(({ object_raw, status, sources }) => [object_raw, status, sources.map((s) => s.message_index)]),
    ).toEqual(
      expect.arrayContaining([
        ['Rome', 'active', [2]],
        ['Berlin', 'superseded', [0]],
      ]),
    );
  });

  test('appear when a pending memory is approved, and never when it is rejected', async () => {
    const started = await aService({ memory: { insert_policy: 'review_pending' } });
    const kept = await started.insert(aNote('I live in Berlin.'));
    const refused = await started.insert(aNote('I live in Rome.'));
    expect(await valuesOf(started, { status: 'all' })).toEqual([]);
    await started.request('/memory/pending/approve', { id: kept.id });
    await started.request('/memory/pending/reject', { id: refused.id });
    expect(await valuesOf(started, { status: 'all' })).toEqual(['Berlin']);
  });

  test('keep the newest statement although an older conversation is stored later', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Rome.', { timestamp: '2025-06-01' }));
    await started.insert(aNote('I live in Berlin.', { timestamp: '2024-06-01' }));
    expect(await valuesOf(started)).toEqual(['Rome']);
    expect(await valuesOf(started, { include_superseded: true })).toEqual(['Rome', 'Berlin']);
  });

  test('lose none when many conversations come at once', async () => {
    const started = await aService();
    const day = (index: number): string => `2025-01-${String(index + 1).padStart(2, '0')}`;
    await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        started.insert(
          aNote(`I like fruit${index}. I live in City${index}. My name is Alex.`, { timestamp: day(index) }),
        ),
      ),
    );
    expect((await valuesOf(started, { predicate: 'likes', limit: 100 })).length).toBe(25);
    expect(await valuesOf(started, { predicate: 'profile_location' })).toEqual(['City24']);
    expect((await valuesOf(started, { predicate: 'profile_location', status: 'superseded', limit: 100 })).length).toBe(
      24,
    );
    const names = await searchFacts(started, { predicate: 'profile_name' });
    expect(names.results.map(({ last_confirmed_at }) => last_confirmed_at)).toEqual(['2025-01-25T00:00:00.000Z']);
  });

  test('notice a writer of another process', async () => {
    const first = await aService({}, { inFolder: true });
    const second = await aService({}, { folder: first.folder });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const note = aNote(`I live in Town${index}.`, { timestamp: `2025-01-${String(index + 1).padStart(2, '0')}` });
        return (index % 2 === 0 ? first : second).insert(note);
      }),
    );
    expect(await valuesOf(second, { predicate: 'profile_location' })).toEqual(['Town11']);
    expect((await valuesOf(first, { predicate: 'profile_location', status: 'all', limit: 100 })).length).toBe(12);
  });

  test('say which topics come back, once two conversations have them', async () => {
    const started = await aService();
    const topics = { predicate: 'recurring_topic' };
    await started.insert(aNote('My pytest run fails in the fixture.'));
    await started.service.digests.flush();
    expect(await valuesOf(started, topics)).toEqual([]);
    await started.insert(aNote('How do I read a file with pandas?'));
    await started.service.digests.flush();
    const { results } = await searchFacts(started, topics);
    expect(
      results.map(({ object_normalized, source_quality, confidence, confidence_reason }) => ({
        object_normalized,
        source_quality,
        confidence,
        confidence_reason,
      })),
    ).toEqual([
      {
        object_normalized: 'python',
        source_quality: 'inferred_from_conversation',
        confidence: 'medium',
        confidence_reason: 'Inferred: a topic of 2 conversations.',
      },
    ]);
  });

  test('are made by a reindex for conversations that were stored without, and not twice', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Berlin.', { timestamp: '2025-05-01' }));
    const before = await searchFacts(started);
    const ids = before.results.map(({ id }) => id);
    await started.service.records.write([{ kind: 'remove', table: 'facts', ids }]);
    await reindex(started.service, { includeInactive: false });
    expect(await searchFacts(started)).toEqual(before);
    await reindex(started.service, { includeInactive: false });
    expect(await searchFacts(started)).toEqual(before);
  });

  test('belong to their project', async () => {
    const started = await aService();
    await started.insert(aNote('I live in Berlin.'));
    const stranger = memberOf('elsewhere');
    expect((await searchFacts(started, {}, stranger)).results).toEqual([]);
    const denied = await refusalOf(searchFacts(started, { project_id: 'local-default' }, stranger));
    expect(denied.code).toBe('permission_denied');
  });
});
