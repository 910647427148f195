import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aNote } from '../../support/conversation.js';
import { type Body, startService, type TestService } from '../../support/service.js';

let started: TestService;

beforeAll(async () => {
  started = await startService();
  const notes: [string, string, string, Body][] = [
    [
      'I own a Gibson guitar.',
      'claude',
      '2025-01-10',
      { save_intent: 'explicit_user_request', save_intent_source: 'user' },
    ],
    ['I live in Paris.', 'chatgpt', '2025-02-10', {}],
    ['I live in Rome.', 'claude', '2025-03-10', { save_intent: 'client_auto_save', save_intent_source: 'extension' }],
    ['The creator of Atlas is Ada Lovelace.', 'claude', '2025-04-10', {}],
    ['I like tea.', 'gemini', '2025-05-10', {}],
  ];
  for (const [text, source, timestamp, metadata] of notes) {
    await started.insert(aNote(text, { source, timestamp, metadata }));
  }
});

afterAll(() => started.close());

async function values(filter: Body): Promise<string[]> {
  const { status, body } = await started.request('/memory/facts/search', filter);
  expect(status).toBe(200);
  return (body.results as { object_normalized: string }[]).map(({ object_normalized }) => object_normalized);
}

describe('a search for facts', () => {
  test.each<[Body, string[]]>([
    [{}, ['tea', 'Ada Lovelace', 'Rome', 'a Gibson guitar']],
    [{ include_superseded: true }, ['tea', 'Ada Lovelace', 'Rome', 'Paris', 'a Gibson guitar']],
    [{ status: 'superseded' }, ['Paris']],
    [{ status: 'active', include_superseded: true, predicate: 'profile_location' }, ['Rome']],
    [{ subject: 'user' }, ['tea', 'Rome', 'a Gibson guitar']],
    [{ subject: 'atlas' }, ['Ada Lovelace']],
    [{ predicate: 'likes' }, ['tea']],
    [{ source: 'gemini' }, ['tea']],
    [{ date_from: '2025-03-10', date_to: '2025-04-10' }, ['Ada Lovelace', 'Rome']],
    [{ freshness_from: '2025-05-01' }, ['tea']],
    [{ freshness_to: '2025-01-31' }, ['a Gibson guitar']],
    [{ confidence: 'medium' }, ['Rome']],
    [{ source_quality: 'assistant_statement' }, []],
    [{ save_intent: 'explicit_user_request' }, ['a Gibson guitar']],
    [{ save_intent_source: 'extension' }, ['Rome']],
    [{ query: 'guitars' }, ['a Gibson guitar']],
    [{ query: 'location', include_superseded: true, predicate: 'profile_location', source: 'chatgpt' }, ['Paris']],
  ])('%j finds %j', async (filter, expected) => {
    expect(await values(filter)).toEqual(expected);
  });

  test.each([{}, { query: 'user' }])('pages through everything once: %j', async (filter) => {
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page: Body = { ...filter, include_superseded: true, limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await started.request('/memory/facts/search', page);
      seen.push(...(body.results as { id: string }[]).map(({ id }) => id));
      cursor = body.cursor;
    } while (cursor !== null);
    const all = await started.request('/memory/facts/search', { ...filter, include_superseded: true });
    expect(seen).toEqual((all.body.results as { id: string }[]).map(({ id }) => id));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test.each<[Body, string]>([
    [{ status: 'gone' }, 'status'],
    [{ confidence: 'none' }, 'confidence'],
    [{ source_quality: 'rumour' }, 'source_quality'],
    [{ save_intent: 'maybe' }, 'save_intent'],
    [{ date_from: 'soon' }, 'date_from'],
    [{ freshness_to: '2025-02-30' }, 'freshness_to'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ query: '  ' }, 'query'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ subject: null }, 'subject'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j and names the field', async (filter, field) => {
    const { status, body } = await started.request('/memory/facts/search', filter);
    expect({ status, code: body.error_code }).toEqual({ status: 400, code: 'invalid_input' });
    expect(body.issues).toMatchObject([{ path: field }]);
  });

  test('refuses the cursor of another search', async () => {
    const { body } = await started.request('/memory/facts/search', { limit: 1 });
    const other = await started.request('/memory/facts/search', { limit: 1, subject: 'user', cursor: body.cursor });
    expect(other.status).toBe(404);
  });
});

describe('a profile', () => {
  test('is the facts of the user with a summary of the active ones', async () => {
    const { body } = await started.request('/memory/profile/get', { save_intent_source: 'extension' });
    expect(body).toMatchObject({
      status: 'ok',
      subject: 'user',
      facts: [{ object_normalized: 'Rome' }],
      cursor: null,
      summary: {
        type: 'profile',
        target_id: 'user',
        text: 'profile_location: Rome.',
        basis: 'active_facts',
        provenance_status: 'fact_ids',
        fact_count: 1,
        active_fact_count: 1,
        freshest_at: '2025-03-10T00:00:00.000Z',
        source_quality_counts: { direct_user_statement: 1 },
        confidence_counts: { medium: 1 },
        filters: { save_intent_source: 'extension', status: 'active' },
        save_intent_filters: { save_intent_source: 'extension' },
        provenance: [{ predicate: 'profile_location', source: 'claude', source_message_indexes: [0] }],
      },
    });
  });

  test('of another subject is empty when nothing is known', async () => {
    const { body } = await started.request('/memory/profile/get', { subject: 'Nobody' });
    expect(body).toMatchObject({ facts: [], summary: { text: 'No active facts match.', freshest_at: null } });
  });

  test('writes nothing', async () => {
    const before = await started.service.records.summaries.find('local-default', 'project');
    await started.request('/memory/profile/get', {});
    expect(await started.service.records.summaries.find('local-default', 'project')).toEqual(before);
  });
});
