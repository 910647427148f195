import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aNote, invented, type SentConversation } from '../../support/conversation.js';
import { aService, idsOf, startService, type TestService } from '../../support/service.js';

const neighbours = Array.from({ length: 500 }, (_, index) => aNote(invented(index)));

const needles = {
  'an id': ['The order number is ZX81QQ.', 'zx81qq'],
  'a hyphenated name': ['My grandfather flew a B-52 once.', 'B-52'],
  'an identifier': ['Call foo_bar before the loop.', 'foo_bar'],
  'a part of an identifier': ['The function is called parse_widgetry.', 'widgetry'],
  'a file name': ['Look into quokka.config.mjs for it.', 'quokka.config.mjs'],
  'an address': ['Write to ada@lovelace.example today.', 'ada@lovelace.example'],
  Chinese: ['我们下个月去东京旅行。', '东京'],
  Japanese: ['来週の会議は横浜で行われます。', '横浜'],
  Cyrillic: ['Мы купили самовар в Туле.', 'САМОВАР'],
  'an accent that was typed': ['The jalapeno was too hot.', 'jalapeño'],
  'an accent that was not': ['Wir waren im Süßwasseraquarium in Zürich.', 'zurich'],
  Greek: ['Η Αθήνα είναι ζεστή.', 'αθηνα'],
  Thai: ['ฉันชอบกินข้าวผัดกระเพรา', 'ข้าวผัด'],
  'another form of the word': ['She was baking sourdough loaves.', 'baked loaf sourdough'],
} as const;

describe.each(['memory', 'lancedb'] as const)('among 500 neighbours in %s', (vector_db) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ providers: { vector_db } });
    await Promise.all(neighbours.map((note) => service.insert(note)));
  });
  afterAll(() => service.close());

  // Reference bug 2: 3 of 100 unique keys were among the first five.
  it.each(Object.entries(needles))('%s is found first', async (_, [text, query]) => {
    const { id } = await service.insert(aNote(text));
    expect(idsOf(await service.search({ query }))[0]).toBe(id);
  });

  it('a whole sentence is found first by itself', async () => {
    for (const index of [3, 77, 141, 260, 499]) {
      const { results } = await service.search({ query: invented(index), top_k: 1 });
      expect(results[0]).toMatchObject({ text: invented(index), score: expect.closeTo(0, 4) });
    }
  });

  it('the order is by relevance, and every score is a distance', async () => {
    const { results } = await service.search({ query: invented(5, 3), top_k: 50 });
    const relevances = results.map(({ relevance }) => relevance);
    expect(relevances).toEqual(relevances.toSorted((one, other) => other - one));
    expect(results.every(({ score }) => score >= 0 && score <= 2)).toBe(true);
  });
});

describe('what describes a conversation', () => {
  it('lifts it: title, tags and summary', async () => {
    const service = await aService();
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => service.insert(aNote(`We talked about it, part ${index}`))),
    );
    const described: [string, Partial<SentConversation>][] = [
      ['marmalade', { title: 'Marmalade' }],
      ['saffron', { tags: ['saffron'] }],
      ['nutmeg', { metadata: { summary: 'All about nutmeg.' } }],
    ];
    for (const [word, parts] of described) {
      const { id } = await service.insert(aNote(`We talked about it, namely ${word.length}`, parts));
      expect(idsOf(await service.search({ query: `talked about ${word}` }))[0]).toBe(id);
    }
  });
});

describe('the threshold', () => {
  it('leaves out what is farther away, and keeps exact words', async () => {
    const service = await aService({ retrieval: { vector_score_threshold: 0.01 } });
    const exact = await service.insert(aNote('A completely different sentence with the word xylophone in it'));
    await Promise.all(Array.from({ length: 20 }, (_, index) => service.insert(aNote(invented(index)))));
    expect(idsOf(await service.search({ query: 'xylophone', top_k: 50 }))).toEqual([exact.id]);
    expect(await service.search({ query: 'zeppelin' })).toEqual({ status: 'ok', results: [], cursor: null, total: 0 });
  });

  it('lets everything through by default', async () => {
    const service = await aService();
    await Promise.all(Array.from({ length: 20 }, (_, index) => service.insert(aNote(invented(index)))));
    expect((await service.search({ query: 'zeppelin', top_k: 50 })).results).toHaveLength(20);
  });
});

describe('without keywords', () => {
  it('vectors answer alone', async () => {
    const service = await aService({ retrieval: { keyword_enabled: false, vector_score_threshold: 0.01 } });
    await service.insert(aNote('A completely different sentence with the word xylophone in it'));
    expect((await service.search({ query: 'xylophone' })).results).toEqual([]);
    expect(
      (await service.search({ query: 'A completely different sentence with the word xylophone in it' })).results,
    ).toHaveLength(1);
  });
});

describe('every distance', () => {
  // Reference bug 1: similarity was taken for distance.
  it.each(['cosine', 'l2', 'inner_product'] as const)('%s is lower for what is nearer', async (distance) => {
    const service = await aService({ storage: { vector: { distance } }, retrieval: { keyword_enabled: false } });
    await Promise.all(Array.from({ length: 30 }, (_, index) => service.insert(aNote(invented(index)))));
    const { results } = await service.search({ query: invented(7), top_k: 30 });
    const scores = results.map(({ score }) => score);
    expect(results[0]).toMatchObject({ text: invented(7) });
    expect(Math.min(...scores)).toBe(scores[0]);
  });
});
