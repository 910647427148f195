import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorFaces } from '../../src/model/errors.js';
import fc from '../support/properties.js';
import { type Answer, startService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ limits: { max_messages: 5 } });
});
afterAll(() => service.close());

const paths = [
  '/memory/insert',
  '/memory/search',
  '/memory/retrieve',
  '/memory/context',
  '/memory/pending/approve',
  '/memory/pending/reject',
];
const statuses: number[] = Object.values(errorFaces).map(({ http }) => http);

function expectForeseen({ status, body }: Answer): void {
  if (status === 200) {
    expect(body.status).toMatch(/^(ok|pending_review)$/);
    return;
  }
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(statuses).toContain(status);
  expect(body).toMatchObject({
    status: 'error',
    error_code: expect.any(String),
    detail: expect.any(String),
    request_id: expect.any(String),
  });
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    'null',
    '__proto__',
    'constructor',
    '"; DROP TABLE chunks; --',
    '*',
    'NEAR(',
    '2026-11-15',
    'all',
    'local-default',
  ),
);
const odd = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 0, 1e308, 2 ** 53, null, true, [], {}),
);

const turn = fc.record(
  { role: fc.oneof(fc.constantFrom('user', 'assistant'), odd), text: odd, content: odd, hash: odd },
  { requiredKeys: [] },
);
const metadata = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      'summary',
      'tags',
      'topics',
      'thread_id',
      'upstream_thread_id',
      'related_conversation_ids',
      'save_intent',
      'project_id',
      'imported_at',
      '__proto__',
    ),
    oddText,
  ),
  odd,
  { maxKeys: 4 },
);
const conversation = fc.record(
  {
    messages: fc.oneof(fc.array(fc.oneof(turn, odd), { maxLength: 6 }), odd),
    metadata: fc.oneof(metadata, odd),
    id: odd,
    source: odd,
    title: odd,
    timestamp: odd,
    tags: odd,
    project_id: odd,
  },
  { requiredKeys: ['messages'] },
);
const wellFormed = fc.record(
  {
    messages: fc.array(fc.record({ role: fc.constantFrom('user', 'ai'), text: oddText }), {
      minLength: 1,
      maxLength: 5,
    }),
    metadata: fc.record(
      { tags: fc.array(oddText, { maxLength: 3 }), upstream_thread_id: oddText, own: odd },
      { requiredKeys: [] },
    ),
    title: oddText,
    source: oddText,
  },
  { requiredKeys: ['messages'] },
);
const query = fc.record(
  {
    query: oddText,
    top_k: fc.oneof(fc.integer({ min: 1, max: 100 }), odd),
    limit: odd,
    cursor: odd,
    source: oddText,
    date_from: odd,
    tags: fc.oneof(fc.array(oddText, { maxLength: 3 }), odd),
    thread_id: oddText,
    memory_status: fc.oneof(fc.constantFrom('active', 'all', 'rejected'), odd),
    result_mode: fc.oneof(fc.constantFrom('chunks', 'compact', 'conversations', 'threads'), odd),
    project_id: odd,
  },
  { requiredKeys: ['query'] },
);

describe('any JSON', () => {
  it.each(paths)('%s answers 200 or a 4xx of the one shape', async (path) => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (body) =>
        expectForeseen(await service.request(path, body)),
      ),
      { numRuns: 60 },
    );
  });

  it('insert answers 200 or a 4xx when it looks like a conversation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(conversation, wellFormed), async (body) =>
        expectForeseen(await service.request('/memory/insert', body)),
      ),
      { numRuns: 300 },
    );
  });

  it('search answers 200 or a 4xx when it looks like a query', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (body) => expectForeseen(await service.request('/memory/search', body))),
      { numRuns: 200 },
    );
  });

  it('a text of any kind that is stored is found again by itself', async () => {
    const words = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => /[\p{L}\p{N}]/u.test(text));
    await fc.assert(
      fc.asyncProperty(words, async (text) => {
        const { id } = await service.insert({ messages: [{ role: 'user', text }] });
        const { results } = await service.search({ query: text, top_k: 100 });
        expect(results.map((result) => result.id)).toContain(id);
      }),
      { numRuns: 50 },
    );
  });

  it('a payload nested a hundred thousand levels deep is refused', async () => {
    const deep = `{"messages":[{"role":"user","text":"x"}],"metadata":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    for (const path of paths) {
      expectForeseen(
        await service.send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: deep }),
      );
    }
  });
});
