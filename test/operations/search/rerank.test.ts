import { describe, expect, it } from 'vitest';
import { aNote } from '../../support/conversation.js';
import { aService, type Body, idsOf, type TestService } from '../../support/service.js';

const on = { models: { reader: true } };
const question = 'Which city did I move to?';

const notes = [
  'We finally moved to Leeds last weekend.',
  'Which city did people move to in 1900?',
  'The move in chess took the city champion an hour.',
  'We thought of a move to Bristol and stayed.',
  'My brother moved to Lyon.',
  'The city moved the bus stop.',
  'Moving boxes are cheap in this city.',
  'I moved the sofa to the wall.',
];

async function filled(overrides: Parameters<typeof aService>[0]): Promise<TestService> {
  const service = await aService(overrides);
  for (const text of notes) await service.insert(aNote(text));
  return service;
}

const textsOf = ({ results }: { results: readonly object[] }): unknown[] =>
  results.map((item) => ('text' in item ? item.text : undefined));

/** What is found; the cursor knows how it was asked for. */
function firstPage<Page extends { cursor?: unknown }>({ cursor: _, ...page }: Page): Omit<Page, 'cursor'> {
  return page;
}

describe('re-ranking', () => {
  it('changes the order by one part of the relevance, which the explanation shows', async () => {
    const service = await filled(on);
    const asked = { query: question, top_k: 10, explain: true };
    const plain = await service.search(asked);
    const reranked = await service.search({ ...asked, rerank: true });
    const before = new Map(plain.results.map(({ id, relevance, explanation }) => [id, { relevance, explanation }]));
    for (const { id, relevance, explanation = {} } of reranked.results) {
      const { rerank = 0, ...others } = explanation;
      expect(rerank).toBeGreaterThan(0);
      expect(others).toEqual(before.get(id)?.explanation);
      expect(relevance).toBeCloseTo((before.get(id)?.relevance ?? 0) + rerank, 5);
    }
    const relevances = reranked.results.map(({ relevance }) => relevance);
    expect(relevances).toEqual(relevances.toSorted((one, other) => other - one));
    expect(idsOf(reranked)).not.toEqual(idsOf(plain));
    expect(idsOf(reranked).toSorted()).toEqual(idsOf(plain).toSorted());
    expect(reranked.diagnostics).toBeUndefined();
  });

  it('leaves what holds the whole query first, in its order', async () => {
    const service = await filled(on);
    await service.insert(aNote('You asked: which city did I move to? I never said.', { timestamp: '2025-02-01' }));
    await service.insert(aNote('Which city did I move to', { timestamp: '2025-03-01' }));
    const plain = await service.search({ query: question });
    const reranked = await service.search({ query: question, rerank: true });
    expect(textsOf(plain).slice(0, 2)).toEqual([
      'Which city did I move to',
      'You asked: which city did I move to? I never said.',
    ]);
    expect(reranked.results.slice(0, 2)).toEqual(plain.results.slice(0, 2));
  });

  it('shows every result once, page by page', async () => {
    const service = await filled(on);
    for (let index = 0; index < 30; index++) await service.insert(aNote(`I thought about city number ${index}.`));
    const walk = async (rerank: boolean): Promise<string[]> => {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await service.search({ query: question, rerank, limit: 5, ...(cursor && { cursor }) });
        seen.push(...idsOf(page));
        cursor = page.cursor;
      }
      return seen;
    };
    const [plain, reranked] = [await walk(false), await walk(true)];
    expect(plain.length).toBeGreaterThan(20);
    expect(reranked).not.toEqual(plain);
    expect(reranked.toSorted()).toEqual(plain.toSorted());
  });

  it('has no effect on results ordered by time or listed by operators alone', async () => {
    const service = await filled(on);
    for (const input of [{ query: question, sort: 'newest' }, { query: 'role:user' }]) {
      expect(firstPage(await service.search({ ...input, rerank: true }))).toEqual(
        firstPage(await service.search(input)),
      );
    }
  });

  it('is off unless it is asked for or configured', async () => {
    const service = await filled(on);
    const asked = { query: question, top_k: 10 };
    const plain = await service.search(asked);
    const reranked = await service.search({ ...asked, rerank: true });
    expect(textsOf(reranked)).not.toEqual(textsOf(plain));
    expect(await service.search({ ...asked, rerank: false })).toEqual(plain);
    const configured = await filled({ ...on, retrieval: { rerank: true } });
    expect(textsOf(await configured.search(asked))).toEqual(textsOf(reranked));
    expect(textsOf(await configured.search({ ...asked, rerank: false }))).toEqual(textsOf(plain));
  });

  it('keeps its order when the reading model is switched off, and says so if re-ranking was requested', async () => {
    const service = await filled({ models: { reader: false }, retrieval: { rerank: true } });
    const plain = await service.search({ query: question, rerank: false });
    expect(firstPage(await service.search({ query: question }))).toEqual(firstPage(plain));
    expect(firstPage(await service.search({ query: question, rerank: true }))).toEqual({
      ...firstPage(plain),
      diagnostics: { rerank: 'off' },
    });
  });

  it('answers in its own order when the reading model fails, says so and logs no text', async () => {
    const service = await filled(on);
    const plain = await service.search({ query: question });
    await service.service.reading?.reader.close();
    const { status, body } = await service.request('/memory/search', { query: question, rerank: true });
    expect(status).toBe(200);
    expect((body.results as Body[]).map(({ id }) => id)).toEqual(idsOf(plain));
    expect(body.diagnostics).toEqual({ rerank: 'unavailable' });
    const lines = service.logLines.filter((line) => line.includes('search_without_rerank'));
    expect(lines.length).toBe(1);
    expect(lines.join()).not.toContain('city');
  });

  it('takes nothing but true and false', async () => {
    const service = await aService();
    const { status, body } = await service.request('/memory/search', { query: 'Leeds', rerank: 'yes' });
    expect({ status, body }).toMatchObject({ status: 400, body: { error_code: 'invalid_input' } });
  });
});
