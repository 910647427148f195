import { describe, expect, it } from 'vitest';
import { runReindex } from '../../src/app/reindex.js';
import { checkSteps, checkVectorStore } from '../../src/app/vector-check.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { aConversation, aNote } from './conversation.js';
import { aFolder, aService, configIn, startService } from './service.js';

type VectorProvider = NonNullable<NonNullable<ConfigInput['providers']>['vector_db']>;

/** What the whole service does with one vector store, through HTTP; `settings` are of a collection no other test has. */
export function describeServiceOn(provider: VectorProvider, settings: () => Record<string, unknown>): void {
  const configured = (block: Record<string, unknown>, providers: object = {}): ConfigInput => ({
    providers: { vector_db: provider, ...providers },
    storage: { vector: { allow_fallback: false }, vector_providers: { [provider]: block } },
  });

  describe(`the service on ${provider}`, () => {
    it('stores, finds, survives a restart and takes another model after a reindex', async () => {
      const folder = await aFolder();
      const block = settings();
      const first = await startService(configured(block), { folder });
      const { body: stored } = await first.request('/memory/insert', aConversation());
      await first.request('/memory/insert', aNote('The ferry to the island leaves at nine.'));
      expect(await first.vectorRows()).toBe(3);
      await first.close();

      const second = await startService(configured(block), { folder });
      const { body: answer } = await second.request('/memory/search', { query: 'bicycle', top_k: 1 });
      expect(answer.results).toMatchObject([{ id: stored.id }]);
      expect((await second.request('/memory/insert', aConversation())).body).toMatchObject({ deduplicated: true });
      expect((await second.send('/ready')).body).toMatchObject({ status: 'ok', mode: 'ok', vector_provider: provider });
      await second.close();

      const other = configured(block, { embedding_model: 'local-hash', embedding_dimension: 64 });
      await expect(startService(other, { folder })).rejects.toMatchObject({ code: 'reindex_required' });
      const quiet = { log() {}, count() {}, duration() {} };
      const config = await configIn(folder, other);
      expect(await runReindex(config, quiet, { includeInactive: false })).toMatchObject({ status: 'ok', chunks: 3 });
      const third = await aService(other, { folder });
      expect(await third.vectorRows()).toBe(3);
      const { body: again } = await third.request('/memory/search', { query: 'bicycle', top_k: 1 });
      expect(again.results).toMatchObject([{ id: stored.id }]);
    });

    it('passes every step of the storage check and leaves nothing behind', async () => {
      const folder = await aFolder();
      const block = settings();
      const steps = await checkVectorStore(await configIn(folder, configured(block)));
      expect(steps.map(({ step }) => step)).toEqual(checkSteps);
      expect(steps.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
      const service = await aService(configured(block), { folder });
      expect(await service.vectorRows()).toBe(0);
    });
  });
}
