import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReplicaSet } from '../../fakes/mongodb-replica-set.js';
import { aConversation, aNote, invented, turns } from '../../support/conversation.js';
import { expectExactFirst } from '../../support/exactness.js';
import { aService, idsOf } from '../../support/service.js';

describe('exact text is first', () => {
  it.each(['memory', 'lancedb'] as const)('for any part of any message, in %s', async (vector_db) => {
    await expectExactFirst(await aService({ providers: { vector_db } }), { runs: 10 });
  });

  it('for any part of any message, without a trained model', async () => {
    const providers = { embedding_model: 'local-hash', embedding_dimension: 32 };
    await expectExactFirst(await aService({ providers }), { runs: 10 });
  });

  // On PostgreSQL: test/scenarios/postgres.test.ts, where the server is a real one.
  describe('in MongoDB', () => {
    let mongodb: Awaited<ReturnType<typeof startReplicaSet>>;
    beforeAll(async () => {
      mongodb = await startReplicaSet();
    });
    afterAll(async () => {
      await mongodb.stop();
      expect(mongodb.complaints).toEqual([]);
    });

    it('for any part of any message', async () => {
      const storage = { metadata_providers: { mongodb: { uri: mongodb.url, database: 'exact' } } };
      await expectExactFirst(await aService({ providers: { metadata_db: 'mongodb' }, storage }), { runs: 2 });
    });
  });

  // Issue 20: the reply that repeats a sentence came before the sentence.
  it('and not the reply that repeats it', async () => {
    const service = await aService();
    const said = 'The glacier lagoon is cold.';
    await service.insert(aConversation({ messages: turns(said, `ok ${said}`) }));
    const { results } = await service.search({ query: said });
    expect(results.map((item) => 'text' in item && item.text)).toEqual([said, `ok ${said}`]);
  });

  // Issue 20: three words that one conversation holds came at rank 11.
  it('also when hundreds hold its words, and it is far from the query by meaning', async () => {
    const service = await aService();
    const notes = Array.from({ length: 300 }, (_, index) =>
      aNote(`Park im Jazz, Jazz im Wald, Park ${invented(index, 3)}`),
    );
    await Promise.all(notes.map((note) => service.insert(note)));
    const long = `${invented(900, 400)} und dann Jazz im Park, ${invented(901, 400)}`;
    const { id } = await service.insert(aNote(long));
    for (const query of ['Jazz im Park', '"Jazz im Park"', 'jazz im park!']) {
      expect(idsOf(await service.search({ query }))[0]).toBe(id);
    }
  });

  it('on the first page and no other', async () => {
    const service = await aService();
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => service.insert(aNote(`red kite over ${invented(index)}`))),
    );
    const { id } = await service.insert(aNote(`${invented(77, 300)} a kite red over the sea ${invented(78, 300)}`));
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await service.search({ query: 'a kite red over', limit: 7, ...(cursor ? { cursor } : {}) });
      seen.push(...idsOf(page));
      cursor = page.cursor;
    }
    expect(seen[0]).toBe(id);
    expect(new Set(seen).size).toBe(61);
    expect(seen.length).toBe(61);
  });

  it.each(['conversations', 'threads', 'compact'] as const)('when results are %s', async (result_mode) => {
    const service = await aService();
    const said = 'My blue bicycle is broken';
    const { id } = await service.insert(aConversation({ messages: turns(said), timestamp: '2026-01-01' }));
    const echo = turns('My bicycle is blue', 'A blue bicycle!', `${said}, it is a bicycle`, 'Blue bicycle, broken');
    await service.insert(aConversation({ messages: echo, timestamp: '2026-01-02' }));
    expect(idsOf(await service.search({ query: said, result_mode }))[0]).toBe(id);
  });

  it('in scripts without blanks', async () => {
    const service = await aService();
    await Promise.all(['我们去东京的旅行', '下个月的旅行', '东京旅行很好'].map((text) => service.insert(aNote(text))));
    const { id } = await service.insert(aNote('妈妈说我们下个月去东京旅行，真好。'));
    expect(idsOf(await service.search({ query: '下个月去东京' }))[0]).toBe(id);
  });
});
