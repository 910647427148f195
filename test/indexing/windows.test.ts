import { describe, expect, it } from 'vitest';
import { runReindex } from '../../src/app/reindex.js';
import { pointIds } from '../../src/ingestion/hash.js';
import { aNote, invented, turns } from '../support/conversation.js';
import { gardenEssay } from '../support/essay.js';
import { aFolder, aService, configIn, idsOf, startService } from '../support/service.js';

const quiet = { log() {}, count() {}, duration() {} };
const lance = { providers: { vector_db: 'lancedb' } } as const;

const lastParagraph = `One more thing before I forget. The wedding of your sister was moved to the little chapel on the \
island, because the town hall is being renovated. Reserve a place on the ferry early: the last crossing leaves at six in \
the evening, and the boats are full on summer weekends. If you miss it, the fisherman Ole takes guests over for twenty \
euros each. Bring a warm jacket for the deck, and leave the car at the pier, where parking costs nothing on Sundays.`;
const longAnswer = `${gardenEssay(4_000)}\n\n${lastParagraph}`;
const chatter = [
  'The train to Lyon leaves at nine and takes two hours.',
  'My neighbour plays the cello every evening.',
  'We compared three insurance offers and took the cheapest.',
  'The museum is closed on Mondays, so we went to the harbour.',
  'Her thesis is about medieval trade routes.',
  'The printer jams whenever the paper tray is full.',
  'He repaired the bicycle chain with a borrowed tool.',
  'The cake needs forty minutes at a moderate heat.',
];

describe.each(['memory', 'lancedb'] as const)('a long answer in %s', (vector_db) => {
  it('is found by a paraphrase of its last paragraph', async () => {
    const service = await aService({ providers: { vector_db } });
    const notes = Array.from({ length: 80 }, (_, at) => aNote(`${chatter[at % 8]} ${invented(at, 3)}`));
    await Promise.all(notes.map((note) => service.insert(note)));
    // Other long answers, so that being long is no advantage.
    for (const words of [4_000, 3_000, 2_000]) {
      await service.insert({ messages: turns('How do I care for my plants?', gardenEssay(words)) });
    }
    const { id } = await service.insert({ messages: turns('What about the yard?', longAnswer) });
    for (const query of ['ship tickets for the marriage ceremony', 'how do we travel to where she gets married?']) {
      const { results } = await service.search({ query });
      expect(results[0]).toMatchObject({ id, chunk_index: 1 });
    }
  });
});

describe('a message of a megabyte', () => {
  it('is stored, indexed and found by its end', async () => {
    const service = await aService(lance);
    const text = `${gardenEssay(158_000).slice(0, 999_000)}\n\n${lastParagraph}`;
    expect(await service.insert(aNote(text))).toMatchObject({ embedded_chunks: 1, chunks: 1 });
    expect(await service.vectorRows()).toBe(1_000);
    await Promise.all(chatter.map((note) => service.insert(aNote(note))));
    const { results } = await service.search({ query: 'the wedding on the island', top_k: 9 });
    expect(results).toHaveLength(9);
    expect(results[0]).toMatchObject({ text });
  });
});

describe('the windows of a chunk', () => {
  it('count as one chunk everywhere', async () => {
    const service = await aService(lance);
    const { id, ...outcome } = await service.insert({ messages: turns('How do I garden?', longAnswer) });
    expect(outcome).toMatchObject({ embedded_chunks: 2, chunks: 2 });
    expect(await service.vectorRows()).toBeGreaterThan(10);
    const { results } = await service.search({ query: 'garden', top_k: 50 });
    expect(idsOf({ results })).toEqual([id, id]);
    expect(results[0]).toMatchObject({ conversation_match_count: 2 });
    const ready = await service.send('/ready');
    expect(ready.body).toMatchObject({ health: { pending_chunks: 0 } });
  });

  it('leave with their memory', async () => {
    const review = { ...lance, memory: { insert_policy: 'review_pending' } } as const;
    const folder = await aFolder();
    const first = await startService(review, { folder });
    const { id } = await first.insert(aNote(longAnswer));
    await first.close();
    await runReindex(await configIn(folder, review), quiet, { includeInactive: true });
    const service = await aService(review, { folder });
    expect(await service.vectorRows()).toBeGreaterThan(10);
    await service.request('/memory/pending/reject', { id });
    expect(await service.vectorRows()).toBe(0);
  });

  it('are replaced when chunks are cut in another way', async () => {
    const folder = await aFolder();
    const first = await startService(lance, { folder });
    await first.insert(aNote(longAnswer));
    const before = await first.vectorRows();
    await first.close();
    const tokens = { ...lance, chunking: { strategy: 'token', max_tokens: 2_000 } } as const;
    const { chunks } = await runReindex(await configIn(folder, tokens), quiet, { includeInactive: false });
    expect(chunks).toBeLessThan(before);
    const service = await startService(tokens, { folder });
    expect(await service.vectorRows()).toBe(chunks);
    await service.close();
    await runReindex(await configIn(folder, lance), quiet, { includeInactive: false });
    const again = await aService(lance, { folder });
    expect(await again.vectorRows()).toBe(before);
  });
});

describe('a start', () => {
  it('leaves a complete index alone, with memories that wait and long ones in it', async () => {
    const folder = await aFolder();
    const review = { ...lance, memory: { insert_policy: 'review_pending' } } as const;
    const waiting = await startService(review, { folder });
    await waiting.insert(aNote(`${longAnswer} It waits.`));
    await waiting.close();
    const first = await startService(lance, { folder });
    await first.insert(aNote(longAnswer));
    await first.insert(aNote('short'));
    const points = await first.vectorRows();
    expect(await first.service.records.chunks.countPoints()).toBe(points);
    await first.close();
    const service = await aService(lance, { folder });
    expect(await service.service.records.chunks.countInState('indexed')).toBe(2);
  });

  it('makes the windows again that got lost, also when there are more points than chunks', async () => {
    const folder = await aFolder();
    const first = await startService(lance, { folder });
    const { id } = await first.insert(aNote(longAnswer));
    const points = await first.vectorRows();
    const [chunk] = await first.service.records.chunks.ofConversation(id);
    await first.runtime.vectors.store.remove(pointIds({ id: chunk?.id ?? '', windows: points }).slice(-3));
    expect(await first.vectorRows()).toBe(points - 3);
    await first.close();
    const service = await aService(lance, { folder });
    await service.service.indexer.settled();
    expect(await service.vectorRows()).toBe(points);
  });
});
