import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReindexRequest, runReindex } from '../../src/app/reindex.js';
import type { ConfigInput } from '../../src/config/schema.js';
import type { Wire } from '../fakes/wire.js';
import { aNote, invented } from '../support/conversation.js';
import { startPglite } from '../support/pglite-server.js';
import { aFolder, aService, configIn, memberOf, startService } from '../support/service.js';
import { standIns } from '../support/stand-ins.js';

const quiet = { log() {}, count() {}, duration() {} };
let qdrant: Wire;
let postgres: Awaited<ReturnType<typeof startPglite>>;

beforeAll(async () => {
  qdrant = await standIns.qdrant.start();
  postgres = await startPglite();
});
afterAll(async () => {
  await qdrant.stop();
  await postgres.stop();
  expect(qdrant.complaints).toEqual([]);
});

const stores = {
  lancedb: () => ({}),
  qdrant: () => standIns.qdrant.settings(qdrant, 'memories'),
  pgvector: () => ({ url: postgres.url, table_name: 'memories' }),
};
type Store = keyof typeof stores;

function on(store: Store): ConfigInput {
  return {
    providers: { vector_db: store },
    storage: { vector: { allow_fallback: false }, vector_providers: { [store]: stores[store]() } },
  };
}

/** 110 notes, 5 of them in a project of their own, and 3 that wait for review. */
async function aFilledFolder(store: Store): Promise<{ folder: string; newest: string }> {
  const folder = await aFolder();
  const service = await startService(on(store), { folder });
  const notes = Array.from({ length: 105 }, (_, seed) => service.insert(aNote(invented(seed, 12))));
  const others = Array.from({ length: 5 }, (_, seed) =>
    service.insert(aNote(invented(500 + seed, 12)), memberOf('garden')),
  );
  await Promise.all([...notes, ...others]);
  const { id } = await service.insert(aNote('The bicycle is in the shed.'));
  expect(await service.vectorRows()).toBe(111);
  await service.close();
  const reviewing = await startService({ ...on(store), memory: { insert_policy: 'review_pending' } }, { folder });
  for (let seed = 900; seed < 903; seed++) await reviewing.insert(aNote(invented(seed, 12)));
  await reviewing.close();
  return { folder, newest: id };
}

describe('reindex from one store to another', () => {
  it('is resumed after a break, tells how far it is, and takes a part where one is asked for', async () => {
    const { folder, newest } = await aFilledFolder('lancedb');
    const run = async (store: Store, request: Partial<ReindexRequest> = {}) =>
      runReindex(await configIn(folder, on(store)), quiet, { includeInactive: false, ...request });

    for (const store of ['qdrant', 'pgvector', 'lancedb'] as const) {
      const stop = new AbortController();
      const seen: unknown[] = [];
      const broken = await run(store, {
        signal: stop.signal,
        onProgress({ done, total }) {
          seen.push({ done, total });
          stop.abort();
        },
      });
      expect(broken).toMatchObject({ total: 111, reindexed: 50, complete: false });
      await expect(startService(on(store), { folder })).rejects.toMatchObject({ code: 'reindex_required' });
      const resumed = await run(store, { onProgress: ({ done, total }) => void seen.push({ done, total }) });
      expect(resumed).toMatchObject({ status: 'ok', reindexed: 61, skipped: 3, failed: 0, complete: true });
      expect(seen).toEqual([50, 50, 61].map((done) => ({ done, total: 111 })));

      const service = await startService(on(store), { folder });
      expect(await service.vectorRows()).toBe(111);
      const { results } = await service.search({ query: 'Where is my bicycle?', top_k: 1 });
      expect(results).toMatchObject([{ id: newest }]);
      await service.close();
    }
  });

  it('takes a limit, a project and what is not active', async () => {
    const { folder } = await aFilledFolder('lancedb');
    const config = await configIn(folder, on('lancedb'));
    const run = (request: Partial<ReindexRequest>) => runReindex(config, quiet, { includeInactive: false, ...request });
    expect(await run({ limit: 30 })).toMatchObject({ reindexed: 30, chunks: 30, complete: false });
    expect(await run({ projectId: 'garden' })).toMatchObject({ total: 5, reindexed: 5, complete: false });
    expect(await run({ includeInactive: true })).toMatchObject({ total: 114, reindexed: 114, skipped: 0 });
    const service = await aService(on('lancedb'), { folder });
    expect(await service.vectorRows()).toBe(114);
    const { results } = await service.search({ query: invented(901, 12), top_k: 5 });
    expect(JSON.stringify(results)).not.toContain(invented(901, 12));
  });
});
