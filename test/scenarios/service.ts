import { describe, expect, it } from 'vitest';
import { runReindex } from '../../src/app/reindex.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { aUser, bearer } from '../support/accounts.js';
import { aConversation, aNote, turns } from '../support/conversation.js';
import { aFolder, aService, configIn, startService } from '../support/service.js';

interface Pair {
  /** The settings of an empty pair of stores. */
  empty: () => Promise<ConfigInput>;
  /** Vectors are gone with the process and made again by the next one. */
  vectorsInMemory?: boolean;
}

const trusted = { storage: { allow_trusted_appends: true } } as const;

/** What the service promises through HTTP, whichever stores are behind it. */
export function describeService(name: string, { empty, vectorsInMemory = false }: Pair): void {
  describe(`the service on ${name}`, () => {
    it('stores, finds by meaning and by word, and answers a duplicate', async () => {
      const service = await aService(await empty());
      const { body: shed } = await service.request('/memory/insert', aConversation());
      await service.request('/memory/insert', aNote('The ferry to the island leaves at nine.'));
      await service.request('/memory/insert', aNote('Das Gewächshaus wird im März gestrichen — 東京タワー.'));
      const { body: found } = await service.request('/memory/search', { query: 'Where is my bicycle?', top_k: 1 });
      expect(found.results).toMatchObject([{ id: shed.id }]);
      const { body: word } = await service.request('/memory/search', { query: '東京タワー', top_k: 1 });
      expect(JSON.stringify(word.results)).toContain('東京タワー');
      const { body: again } = await service.request('/memory/insert', aConversation());
      expect(again).toMatchObject({ id: shed.id, deduplicated: true });
      expect(await service.vectorRows()).toBe(4);
    });

    it('finds a conversation by what a second capture of it said', async () => {
      const service = await aService(await empty());
      const { body: shed } = await service.request('/memory/insert', aConversation({ timestamp: '2026-03-01' }));
      await service.request('/memory/insert', aNote('The ferry leaves at nine.', { timestamp: '2026-03-02' }));
      const again = aConversation({ source: 'claude', timestamp: '2021-05-06', tags: ['wheels'] });
      const metadata = { upstream_thread_id: 'two' };
      expect((await service.request('/memory/insert', { ...again, metadata })).body).toMatchObject({
        id: shed.id,
        deduplicated: true,
      });
      const filters = [
        { source: 'claude' },
        { tags: ['wheels'] },
        { thread_id: 'claude:two' },
        { date_to: '2022-01-01' },
      ];
      for (const filter of filters) {
        const { body } = await service.request('/memory/conversations/list', filter);
        expect(body).toMatchObject({ total: 1, results: [{ id: shed.id, aliases: [{ source: 'claude' }] }] });
        const { body: found } = await service.request('/memory/search', { query: 'bicycle', ...filter });
        expect(new Set((found.results as { id: string }[]).map(({ id }) => id))).toEqual(new Set([shed.id]));
      }
      await service.request('/memory/forget', { ids: [shed.id], dry_run: false });
      for (const filter of filters) {
        expect((await service.request('/memory/conversations/list', filter)).body).toMatchObject({ total: 0 });
      }
    });

    it('keeps everything over a restart', async () => {
      const folder = await aFolder();
      const settings = await empty();
      const first = await startService(settings, { folder });
      const { body: stored } = await first.request(
        '/memory/insert',
        aConversation({ title: 'Шед 😀', tags: ['garden'] }),
      );
      await first.close();
      const second = await aService(settings, { folder });
      const { body: got } = await second.request('/memory/retrieve', { id: stored.id });
      expect(JSON.stringify(got)).toContain('Шед 😀');
      await second.service.indexer.settled();
      const { body: found } = await second.request('/memory/search', { query: 'bicycle', top_k: 1, tags: ['garden'] });
      expect(found.results).toMatchObject([{ id: stored.id }]);
      expect((await second.send('/ready')).body).toMatchObject({ status: 'ok', mode: 'ok' });
    });

    it('continues a thread, once, however many send it at the same time', async () => {
      const settings = await empty();
      const service = await aService({ ...settings, storage: { ...settings.storage, ...trusted.storage } });
      const metadata = { upstream_thread_id: 'thread-1' };
      const texts = ['Shall we paint it?', 'Yes, blue.', 'When?', 'In May.'];
      const captures = [1, 2, 3, 4].map((length) =>
        aConversation({ messages: turns(...texts.slice(0, length)), metadata }),
      );
      await Promise.all(captures.map((capture) => service.request('/memory/insert', capture)));
      const { body } = await service.request('/memory/conversations/list', {});
      expect(body.results).toMatchObject([{ message_count: 4 }]);
    });

    it('knows when each message was said', async () => {
      const service = await aService(await empty());
      const insert = async (conversation: object) => (await service.request('/memory/insert', conversation)).body;
      const { id: thread } = await insert(
        aConversation({
          timestamp: '2025-01-10T09:00:00Z',
          messages: [
            { role: 'user', text: 'Which tent keeps the rain out?' },
            { role: 'assistant', text: 'One with a flysheet.' },
            { role: 'user', text: 'I live in Inverness now.', timestamp: '2026-05-03T20:00:00+02:00' },
          ],
        }),
      );
      await insert(aNote('I live in Bergen.', { timestamp: '2025-10-04T12:00:00Z' }));
      const { body: asked } = await service.request('/memory/ask', { question: 'Where do I live?' });
      expect(asked).toMatchObject({
        answer: 'You live in Inverness. Before: Bergen (said on 4 October 2025).',
        citations: [
          { id: thread, quote: 'I live in Inverness now.', stated_at: '2026-05-03T18:00:00.000Z' },
          { quote: 'I live in Bergen.', stated_at: '2025-10-04T12:00:00.000Z' },
        ],
      });
      const inMay = { query: 'Inverness tent flysheet', date_from: '2026-05-01', date_to: '2026-05-31' };
      const { body: found } = await service.request('/memory/search', inMay);
      expect(found.results).toMatchObject([
        { id: thread, message_index: 2, timestamp: '2026-05-03T20:00:00+02:00', conversation: { id: thread } },
      ]);
      const started = { query: 'Inverness tent flysheet', date_to: '2025-01-31' };
      const { body: earlier } = await service.request('/memory/search', started);
      const indexes = (earlier.results as { id: string; message_index: number }[]).map((hit) => hit.message_index);
      expect(indexes.sort()).toEqual([0, 1]);
    });

    it('holds back what waits for review, and shows it when approved', async () => {
      const service = await aService({ ...(await empty()), memory: { insert_policy: 'review_pending' } });
      const { body: stored } = await service.request('/memory/insert', aNote('The safe is behind the picture.'));
      expect(stored).toMatchObject({ memory_status: 'pending_review' });
      const search = { query: 'safe behind the picture', top_k: 3 };
      expect((await service.request('/memory/search', search)).body.results).toEqual([]);
      await service.request('/memory/pending/approve', { id: stored.id });
      expect((await service.request('/memory/search', search)).body.results).toMatchObject([{ id: stored.id }]);
    });

    it('changes, lists and counts conversations', async () => {
      const service = await aService(await empty());
      for (const day of ['01', '02', '03']) {
        await service.request('/memory/insert', aNote(`Day ${day} at sea.`, { timestamp: `2026-05-${day}T10:00:00Z` }));
      }
      const { body: listed } = await service.request('/memory/conversations/list', { limit: 2 });
      expect(listed).toMatchObject({ total: 3, results: [{}, {}] });
      const [newest] = listed.results as { id: string }[];
      await service.request('/memory/conversations/update', { id: newest?.id, title: 'The last day' });
      const { body: got } = await service.request('/memory/retrieve', { id: newest?.id });
      expect(JSON.stringify(got)).toContain('The last day');
      const { status } = await service.request('/memory/activity', {});
      expect(status).toBe(200);
    });

    it('keeps users apart', async () => {
      const settings = await empty();
      const service = await aService({ ...settings, ...bearer });
      const [ada, bob] = [await aUser(service, 'ada'), await aUser(service, 'bob')];
      expect((await ada.post('/memory/insert', aConversation())).status).toBe(200);
      const query = { query: 'bicycle', top_k: 5 };
      expect((await bob.post('/memory/search', query)).body.results).toEqual([]);
      expect((await ada.post('/memory/search', query)).body.results).not.toEqual([]);
      expect((await service.request('/memory/search', query)).status).toBe(401);
    });

    it.skipIf(vectorsInMemory)(
      'refuses vectors of another model, leaves them as they were, and takes that model after a reindex',
      async () => {
        const folder = await aFolder();
        const settings = await empty();
        const first = await startService(settings, { folder });
        await first.request('/memory/insert', aConversation());
        expect(await first.vectorRows()).toBe(2);
        await first.close();
        const providers = { ...settings.providers, embedding_model: 'local-hash', embedding_dimension: 64 };
        await expect(startService({ ...settings, providers }, { folder })).rejects.toMatchObject({
          code: 'reindex_required',
          hint: expect.stringContaining('threadkeep reindex'),
        });
        const again = await startService(settings, { folder });
        expect(await again.vectorRows()).toBe(2);
        await again.close();
        const config = await configIn(folder, { ...settings, providers });
        const quiet = { log() {}, count() {}, duration() {} };
        expect(await runReindex(config, quiet, { includeInactive: false })).toMatchObject({ status: 'ok', chunks: 2 });
        const other = await aService({ ...settings, providers }, { folder });
        expect(await other.vectorRows()).toBe(2);
        const { body } = await other.request('/memory/search', { query: 'bicycle', top_k: 1 });
        expect(body.results).toHaveLength(1);
      },
    );
  });
}
