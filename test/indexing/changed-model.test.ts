import { describe, expect, it } from 'vitest';
import { runReindex } from '../../src/app/reindex.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { resultModes } from '../../src/operations/search/shapes.js';
import { invented, type SentConversation, turns } from '../support/conversation.js';
import { gardenEssay } from '../support/essay.js';
import { aFolder, aService, configIn, startService, type TestService } from '../support/service.js';

const quiet = { log() {}, count() {}, duration() {} };
const topics = ['the canoe', 'a violin', 'tomatoes', 'the tax return', 'train tickets', 'sourdough', 'the roof'];

/** Talks with an assistant and between people, short and long turns, some of one thread, some with tags. */
const conversations = Array.from({ length: 60 }, (_, number): SentConversation => {
  const topic = topics[number % topics.length] ?? '';
  const asked = `What about ${topic} and ${invented(number, 3)}?`;
  const answered =
    number % 15 === 4 ? `${gardenEssay(700)} In short: ${topic}.` : `About ${topic}: ${invented(number, 12)}.`;
  const people = number % 5 === 3;
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    source: number % 2 === 0 ? 'claude' : 'gemini',
    timestamp: new Date(Date.UTC(2026, 0, 1 + number)).toISOString(),
    messages: people
      ? turns(`Nora: ${asked}`, `Ben: ${answered}`, `Nora: Thank you for ${topic}.`, 'Ben: Any time.')
      : turns(asked, answered, `Thank you for ${topic}.`),
    ...(number % 4 === 0 ? { metadata: { upstream_thread_id: `thread ${number % 12}` } } : {}),
    ...(number % 6 === 0 ? { title: `Notes on ${topic}`, tags: [topic] } : {}),
  };
});

const queries = Array.from({ length: 40 }, (_, number) => {
  const topic = topics[number % topics.length] ?? '';
  const words = [invented(number, 2), 'what did Nora say', 'last winter', 'did I ask', 'watered in the morning'];
  return `${topic} ${words[number % words.length]}`;
});

async function filled(settings: ConfigInput, folder: string): Promise<TestService> {
  const service = await startService(settings, { folder });
  await Promise.all(conversations.map((conversation) => service.insert(conversation)));
  await service.vectorRows();
  return service;
}

/** What a client sees of every query in every mode: what, in which order, with which numbers. */
async function answers(service: TestService): Promise<object[]> {
  const found: object[] = [];
  for (const query of queries) {
    for (const result_mode of resultModes) {
      const { results } = await service.search({ query, result_mode, top_k: 8, include_messages: false });
      found.push({ query, result_mode, results: results.map(numbersOf) });
    }
  }
  return found;
}

function numbersOf(item: object): object {
  const { conversation: _, conversations: members, ...rest } = item as Record<string, unknown>;
  return { ...rest, ...(Array.isArray(members) ? { members: members.map(numbersOf) } : {}) };
}

describe('a store whose model changes', () => {
  const lance = (providers: object): ConfigInput => ({ providers: { vector_db: 'lancedb', ...providers } });
  const hash = (embedding_dimension: number): ConfigInput =>
    lance({ embedding_model: 'local-hash', embedding_dimension });

  it.each([
    ['model', hash(256), lance({})],
    ['dimension', hash(64), hash(48)],
  ])(
    'refuses to start with another %s, and answers like a fresh one after a reindex',
    async (_, before, after) => {
      const folder = await aFolder();
      await (await filled(before, folder)).close();
      await expect(startService(after, { folder })).rejects.toMatchObject({
        code: 'reindex_required',
        hint: expect.stringContaining('threadkeep reindex'),
      });
      const report = await runReindex(await configIn(folder, after), quiet, { includeInactive: false });
      expect(report).toMatchObject({ status: 'ok', reindexed: 60, failed: 0, complete: true });
      const rebuilt = await aService(after, { folder });

      const fresh = await filled(after, await aFolder());
      try {
        expect(await rebuilt.vectorRows()).toBe(await fresh.vectorRows());
        const expected = await answers(fresh);
        expect(expected).toHaveLength(160);
        expect(await answers(rebuilt)).toEqual(expected);
      } finally {
        await fresh.close();
      }
    },
    120_000,
  );
});
