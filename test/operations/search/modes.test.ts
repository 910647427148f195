import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aNote, turns } from '../../support/conversation.js';
import { aService, startService, type TestService } from '../../support/service.js';

let service: TestService;
let first: string;
let second: string;
let alone: string;
beforeAll(async () => {
  service = await startService();
  const thread = { source: 'claude', metadata: { upstream_thread_id: 't1' } };
  first = (
    await service.insert({
      ...thread,
      title: 'Trip',
      timestamp: '2026-03-01',
      messages: turns('pack the canoe', 'a canoe needs paddles', 'canoe canoe'),
    })
  ).id;
  second = (await service.insert({ ...thread, timestamp: '2026-03-02', messages: turns('the canoe leaks') })).id;
  alone = (await service.insert(aNote('sell the canoe', { source: 'gemini' }))).id;
});
afterAll(() => service.close());

const search = async (input: object) =>
  (await service.search({ query: 'canoe', top_k: 50, ...input })).results as Record<string, unknown>[];

describe('result_mode chunks', () => {
  it('gives every chunk with its whole conversation', async () => {
    const results = await search({});
    expect(results).toHaveLength(5);
    const item = results.find(({ id, chunk_index }) => id === first && chunk_index === 1);
    expect(item).toEqual({
      id: first,
      score: expect.any(Number),
      relevance: expect.any(Number),
      chunk_index: 1,
      message_index: 1,
      role: 'assistant',
      text: 'a canoe needs paddles',
      timestamp: '2026-03-01',
      match: 'strong',
      highlights: [{ start: 2, end: 7 }],
      excerpt: { start: 0, end: 21 },
      conversation: {
        id: first,
        source: 'claude',
        title: 'Trip',
        timestamp: '2026-03-01',
        messages: turns('pack the canoe', 'a canoe needs paddles', 'canoe canoe'),
        metadata: expect.objectContaining({
          generated_summary: expect.any(String),
          auto_tags: ['source:claude'],
          thread_id: 'claude:t1',
        }),
      },
      conversation_score: expect.any(Number),
      conversation_match_count: 3,
    });
  });

  it('gives the best score of each conversation', async () => {
    const results = await search({});
    for (const id of [first, second, alone]) {
      const scores = results.filter((item) => item.id === id).map(({ score }) => Number(score));
      const best = new Set(results.filter((item) => item.id === id).map((item) => item.conversation_score));
      expect(best).toEqual(new Set([Math.min(...scores)]));
    }
  });

  it('leaves the messages out when that is asked for', async () => {
    for (const result_mode of ['chunks', 'conversations']) {
      const [item] = await search({ result_mode, include_messages: false });
      expect(item?.conversation).not.toHaveProperty('messages');
      expect(item?.conversation).toHaveProperty('metadata');
    }
  });
});

describe('result_mode compact', () => {
  it('gives one short line per conversation', async () => {
    const results = await search({ result_mode: 'compact' });
    expect(results.map(({ id }) => id).sort()).toEqual([first, second, alone].sort());
    expect(results.find(({ id }) => id === first)).toEqual({
      id: first,
      title: 'Trip',
      source: 'claude',
      timestamp: '2026-03-01',
      score: expect.any(Number),
      relevance: expect.any(Number),
      chunk_index: expect.any(Number),
      message_index: expect.any(Number),
      snippet: expect.stringContaining('canoe'),
      match: 'strong',
      highlights: expect.arrayContaining([{ start: expect.any(Number), end: expect.any(Number) }]),
      conversation_score: expect.any(Number),
      conversation_match_count: 3,
    });
  });

  it('cuts the snippet around the word', async () => {
    const long = await aService();
    await long.insert(aNote(`${'lorem ipsum '.repeat(100)} the canoe is here ${'dolor sit '.repeat(100)}`));
    const [item] = (await long.search({ query: 'canoe', result_mode: 'compact' })).results as { snippet: string }[];
    expect(item?.snippet).toContain('the canoe is here');
    expect([...(item?.snippet ?? '')].length).toBeLessThanOrEqual(240);
  });
});

describe('result_mode conversations', () => {
  it('gives each conversation once, with its best chunks', async () => {
    const results = await search({ result_mode: 'conversations' });
    expect(results.map(({ id }) => id).sort()).toEqual([first, second, alone].sort());
    const item = results.find(({ id }) => id === first);
    const chunks = item?.chunks as { relevance: number; text: string }[];
    expect(chunks).toHaveLength(3);
    expect(chunks.map(({ relevance }) => relevance)).toEqual(
      chunks.map(({ relevance }) => relevance).toSorted((a, b) => b - a),
    );
    expect(item).toMatchObject({ text: chunks[0]?.text, conversation: { id: first }, conversation_match_count: 3 });
  });

  it('shows at most three chunks of a conversation and counts all', async () => {
    const long = await aService();
    await long.insert({ messages: turns('canoe 1', 'canoe 2', 'canoe 3', 'canoe 4', 'canoe 5') });
    const [item] = (await long.search({ query: 'canoe', result_mode: 'conversations' })).results as {
      chunks: object[];
    }[];
    expect(item?.chunks).toHaveLength(3);
    expect(item).toMatchObject({ conversation_match_count: 5 });
  });
});

describe('result_mode threads', () => {
  it('gives each thread once, with its conversations', async () => {
    const results = await search({ result_mode: 'threads' });
    expect(results.map(({ thread_id }) => thread_id).sort()).toEqual(['claude:t1', `conversation:${alone}`]);
    const item = results.find(({ thread_id }) => thread_id === 'claude:t1');
    expect(item).toMatchObject({ conversation_count: 2, match_count: 4 });
    const conversations = item?.conversations as Record<string, unknown>[];
    expect(conversations.map(({ id }) => id).sort()).toEqual([first, second].sort());
    expect(conversations.find(({ id }) => id === first)).toMatchObject({
      title: 'Trip',
      source: 'claude',
      conversation_match_count: 3,
    });
    expect(item?.id).toBe(conversations[0]?.id);
  });

  it.each(['conversation', 'claude'])('names each thread by what it is filtered with: %s', async (begin) => {
    const results = await search({ result_mode: 'threads' });
    const thread_id = results.map((item) => String(item.thread_id)).find((name) => name.startsWith(begin));
    const filtered = await search({ result_mode: 'threads', thread_id });
    expect(filtered.map((item) => item.thread_id)).toEqual([thread_id]);
    expect(await search({ thread_id: `conversation:${first}` })).toEqual([]);
  });
});

describe('conversations and threads', () => {
  it.each(['conversations', 'compact', 'threads'])('%s come by a relevance that is explained', async (result_mode) => {
    const results = (await search({ result_mode, explain: true })) as {
      relevance: number;
      explanation: Record<string, number>;
      conversations?: { relevance: number }[];
    }[];
    const inOrder = (items: readonly { relevance: number }[]): void => {
      const relevances = items.map(({ relevance }) => relevance);
      expect(relevances).toEqual(relevances.toSorted((one, other) => other - one));
    };
    inOrder(results);
    for (const { relevance, explanation, conversations = [] } of results) {
      expect(explanation).toHaveProperty('evidence');
      expect(Object.values(explanation).reduce((sum, share) => sum + share)).toBeCloseTo(relevance, 4);
      inOrder(conversations);
    }
  });

  it('with several matches come before one with a single match that is as good', async () => {
    const service = await aService();
    const single = await service.insert({ messages: turns('the canoe is red', 'and something else entirely') });
    const double = await service.insert({ messages: turns('the canoe is big', 'the canoe is old') });
    const { results } = await service.search({ query: 'canoe', result_mode: 'conversations' });
    expect(results.map(({ id }) => id)).toEqual([double.id, single.id]);
  });
});

describe('grouping', () => {
  it('runs before trimming: a talkative conversation does not push the others out', async () => {
    const crowded = await aService();
    await crowded.insert({ messages: turns(...Array.from({ length: 12 }, (_, index) => `canoe canoe ${index}`)) });
    const quiet = await crowded.insert(aNote('one canoe, and many other words beside it in a long sentence'));
    const { results } = await crowded.search({ query: 'canoe', top_k: 2, result_mode: 'conversations' });
    expect(results.map(({ id }) => id)).toContain(quiet.id);
  });
});

it('says which message a chunk is from, also where messages have several', async () => {
  const sliced = await aService({ chunking: { strategy: 'token', max_tokens: 20, overlap_tokens: 4 } });
  const long = Array.from({ length: 60 }, (_, number) => `pebble ${number}`).join(' ');
  await sliced.insert({ messages: turns(long, 'the heron waits at the ferry') });
  for (const result_mode of ['chunks', 'compact', 'conversations']) {
    const { results } = await sliced.search({ query: 'heron ferry', top_k: 1, result_mode });
    expect(results[0]).toMatchObject({ message_index: 1 });
    expect(results[0]?.chunk_index).toBeGreaterThan(1);
  }
  const { citations } = await sliced.ask({ question: 'Where does the heron wait?' });
  expect(citations[0]).toMatchObject({ type: 'chunk', message_index: 1 });
});
