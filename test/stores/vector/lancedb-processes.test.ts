import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolderLock, LOCK_FOLDER } from '../../../src/stores/shared/folder-lock.js';
import { lancedb } from '../../../src/stores/vector/drivers/lancedb/lancedb.js';
import { manyPoints } from '../../conformance/vector-points.js';
import { soon } from '../../support/patience.js';

const shape = { dimension: 8, distance: 'cosine' } as const;
const run = promisify(execFile);
const writer = fileURLToPath(new URL('./write-and-maintain.mjs', import.meta.url));

describe('several users of one LanceDB folder', () => {
  let path: string;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'threadkeep-'));
  });
  afterEach(() => rm(path, { recursive: true, force: true }));

  const opened = async () => {
    const store = lancedb.create({ settings: {}, path });
    await store.open(shape);
    return store;
  };

  it('scrub beside writes and searches, and nothing fails or is lost', async () => {
    const points = manyPoints({ count: 90, dimension: 8 });
    const [kept, gone] = [points.slice(0, 60), points.slice(60)];
    const stores = [await opened(), await opened()];
    await stores[0]?.upsert(gone);
    const vector = new Float32Array(8).fill(1);
    const each = async (count: number, work: (round: number) => Promise<unknown>): Promise<void> => {
      for (let round = 0; round < count; round++) await work(round);
    };
    await Promise.all(
      stores.flatMap((store, user) => [
        each(30, (round) => store.upsert(kept.slice(user * 30 + round, user * 30 + round + 1), { fresh: true })),
        each(15, (round) => store.remove([gone[user * 15 + round]?.id ?? ''])),
        each(15, () => store.scrub?.() ?? Promise.resolve()),
        each(15, () => store.scrub?.() ?? Promise.resolve()),
        each(60, () => store.search(vector, { limit: 10, where: { scopes: [kept[0]?.scope ?? ''] } })),
      ]),
    );
    expect(await Promise.all(stores.map((store) => store.count()))).toEqual([60, 60]);
    for (const store of stores) await store.close();
  });

  it('lose nothing when two processes write, replace, remove and maintain together', async () => {
    const written = await Promise.all(['1', '2'].map((number) => run(process.execPath, [writer, path, number])));
    expect(written.map(({ stderr }) => stderr)).toEqual(['', '']);
    const store = await opened();
    const vector = new Float32Array(8).fill(1);
    for (const [i, { stdout }] of written.entries()) {
      const where = { scopes: [`user:${i + 1}`] };
      expect(await store.search(vector, { limit: 1_000, where })).toHaveLength(Number(stdout));
      const replaced = { ...where, conversationIds: ['replaced'] };
      expect(await store.search(vector, { limit: 1_000, where: replaced })).toHaveLength(125);
    }
    await store.close();
  });

  // With the library alone, one of 800 rounds of eight connections replaced a table that already had rows.
  it('create the table only while no other process writes', async () => {
    const names = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
    const opening = await createFolderLock(path).shared(async () => {
      const begun = opened();
      await expect.poll(() => names(join(path, LOCK_FOLDER)), soon).toContainEqual(expect.stringMatching(/^cleaning@/));
      expect(await names(path)).not.toContain('chunks.lance');
      return { begun };
    });
    const store = await opening.begun;
    expect(await names(path)).toContain('chunks.lance');
    await store.close();
  });

  it('may all create the table at the same moment, and keep what others write right after that', async () => {
    const points = manyPoints({ count: 8, dimension: 8 });
    const stores = await Promise.all(
      points.map(async (point) => {
        const store = await opened();
        await store.upsert([point], { fresh: true });
        return store;
      }),
    );
    expect(await Promise.all(stores.map((store) => store.count()))).toEqual(points.map(() => points.length));
    for (const store of stores) await store.close();
  });

  it('see what another one wrote, removed or reset at once', async () => {
    const [one, other] = [await opened(), await opened()];
    const points = manyPoints({ count: 3, dimension: 8 });
    await one.upsert(points);
    expect(await other.count()).toBe(3);
    await other.remove([points[0]?.id ?? '']);
    expect(await one.count()).toBe(2);
    await other.reset(shape);
    expect(await one.search(new Float32Array(8).fill(1), { limit: 9, where: { scopes: ['user:one'] } })).toEqual([]);
    await one.upsert(points.slice(0, 1));
    expect(await other.count()).toBe(1);
    await one.close();
    await other.close();
  });
});
