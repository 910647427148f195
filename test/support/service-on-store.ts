import { describe, expect, it } from 'vitest';
import { runReindex } from '../../src/app/reindex.js';
import { checkSteps, checkVectorStore } from '../../src/app/vector-check.js';
import type { ConfigInput } from '../../src/config/schema.js';
import type { VectorDriver } from '../../src/stores/vector/contract.js';
import { type VectorDriverName, vectorDrivers } from '../../src/stores/vector/drivers.js';
import { aConversation, aNote } from './conversation.js';
import { expectExactFirst } from './exactness.js';
import { aFolder, aService, configIn, startService } from './service.js';

interface Place {
  /** Of a collection that no other test has. */
  settings: () => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Of another model, where the store takes this dimension alone. */
  dimension?: number;
  /** Reaching it takes more than reading its settings, so that step is left out. */
  atVendor?: boolean;
}

/** What the whole service does with one vector store, through HTTP. */
export function describeServiceOn(
  provider: VectorDriverName,
  { settings, dimension = 64, atVendor = false }: Place,
): void {
  const configured = (block: Record<string, unknown>, providers: object = {}): ConfigInput => ({
    providers: { vector_db: provider, ...providers },
    storage: { vector: { allow_fallback: false }, vector_providers: { [provider]: block } },
  });

  describe(`the service on ${provider}`, () => {
    it('stores, finds, survives a restart and takes another model after a reindex', async () => {
      const folder = await aFolder();
      const block = await settings();
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

      const other = configured(block, { embedding_model: 'local-hash', embedding_dimension: dimension });
      await expect(startService(other, { folder })).rejects.toMatchObject({ code: 'reindex_required' });
      const quiet = { log() {}, count() {}, duration() {} };
      const config = await configIn(folder, other);
      expect(await runReindex(config, quiet, { includeInactive: false })).toMatchObject({ status: 'ok', chunks: 3 });
      const third = await aService(other, { folder });
      expect(await third.vectorRows()).toBe(3);
      const { body: again } = await third.request('/memory/search', { query: 'bicycle', top_k: 1 });
      expect(again.results).toMatchObject([{ id: stored.id }]);
    });

    it('finds exact text first', async () => {
      await expectExactFirst(await aService(configured(await settings())), { runs: 2 });
    });

    it('passes every step of the storage check and leaves nothing behind', async () => {
      const folder = await aFolder();
      const block = await settings();
      const steps = await checkVectorStore(await configIn(folder, configured(block)));
      expect(steps.map(({ step }) => step)).toEqual(checkSteps);
      const driver: VectorDriver = vectorDrivers[provider];
      const nothingToDo = [...(atVendor ? ['reach'] : []), ...(driver.needs === undefined ? ['package'] : [])];
      const notOk = steps.filter(({ outcome }) => outcome !== 'ok');
      expect(notOk).toEqual(nothingToDo.map((step) => ({ step, outcome: 'skipped' })));
      const untimed = steps.filter(({ milliseconds }) => milliseconds === undefined).map(({ step }) => step);
      // Opening a store is one call that asks for all three: its time is the collection's.
      expect(untimed).toEqual([...nothingToDo, 'authenticate', 'dimension']);
      const service = await aService(configured(block), { folder });
      expect(await service.vectorRows()).toBe(0);
    });
  });
}
