import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/app/migrate.js';
import type { Config, ConfigInput } from '../../src/config/schema.js';
import { aConversation, aNote, invented } from '../support/conversation.js';
import { aFolder, aService, configIn, startService } from '../support/service.js';
import { onPostgres, startPostgres } from '../support/stores.js';

const embedded = { providers: { vector_db: 'lancedb' } } as const;
const quiet = { log() {}, count() {}, duration() {} };
let postgres: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** A folder with a few memories in it, one of them waiting for review. */
async function aFilledFolder(): Promise<{ folder: string; id: string; config: Config }> {
  const folder = await aFolder();
  const service = await startService(embedded, { folder });
  const { id } = await service.insert(
    aConversation({ tags: ['garden', 'größer 東'], metadata: { depth: { a: [1, null] } } }),
  );
  for (let seed = 0; seed < 30; seed++) await service.insert(aNote(invented(seed, 30)));
  await service.close();
  return { folder, id, config: await configIn(folder, embedded) };
}

/** Everything an installation hands out, as a client gets it. */
async function exportOf(settings: ConfigInput, folder: string): Promise<string> {
  const service = await startService(settings, { folder });
  const { status, body } = await service.send('/memory/export');
  expect(status).toBe(200);
  await service.close();
  // The first line says when.
  return String(body.text).split('\n').slice(1).join('\n');
}

describe('migrate', () => {
  it('copies an installation to PostgreSQL and back, and both copies are equal', async () => {
    const { folder, id, config: source } = await aFilledFolder();
    const middle = onPostgres(await postgres.emptyPlace());
    const middleFolder = await aFolder();
    const there = await configIn(middleFolder, middle);
    const seen: number[] = [];
    const onProgress = ({ done }: { done: number }): number => seen.push(done);
    const first = await migrate({ from: source, to: there, observer: quiet, onProgress });
    expect(first).toMatchObject({ tables: { conversations: { rows: 31 } }, vectors: { rows: 32, indexed_chunks: 32 } });
    expect(seen.at(-1)).toBe(32);

    const lastFolder = await aFolder();
    const back = await configIn(lastFolder, embedded);
    const second = await migrate({ from: there, to: back, observer: quiet });
    expect(second.tables).toEqual(first.tables);
    const exported = await exportOf(embedded, folder);
    expect(exported).toContain('größer 東');
    expect(await exportOf(middle, middleFolder)).toBe(exported);
    expect(await exportOf(embedded, lastFolder)).toBe(exported);

    const service = await aService(middle, { folder: middleFolder });
    const { body } = await service.request('/memory/search', {
      query: 'bicycle',
      top_k: 1,
      tags: ['größer 東'],
    });
    expect(body.results).toMatchObject([{ id }]);
    expect((await service.insert(aConversation({ source: 'again' }))).deduplicated).toBe(true);
  });

  it('refuses a destination that holds something, and the same store twice', async () => {
    const { config: source } = await aFilledFolder();
    const other = await aFilledFolder();
    await expect(migrate({ from: source, to: other.config, observer: quiet })).rejects.toMatchObject({
      code: 'data_in_use',
    });
    await expect(migrate({ from: source, to: source, observer: quiet })).rejects.toThrow('same metadata store');
  });

  it('continues after an interruption without rows removed at the source; no server starts until then', async () => {
    const { folder, id, config: source } = await aFilledFolder();
    const target = await aFolder();
    const to = await configIn(target, embedded);
    const stop = new Error('stopped by the test');
    const onProgress = ({ done }: { done: number }): void => {
      if (done > 60) throw stop;
    };
    await expect(migrate({ from: source, to, observer: quiet, onProgress })).rejects.toBe(stop);
    await expect(startService(embedded, { folder: target })).rejects.toMatchObject({ code: 'restore_unfinished' });
    const service = await startService(embedded, { folder });
    await service.service.records.write([{ kind: 'remove', table: 'conversations', ids: [id] }]);
    await service.close();
    const report = await migrate({ from: source, to, observer: quiet });
    expect(report.tables.conversations?.rows).toBe(30);
    await (await aService(embedded, { folder: target })).close();
  });
});
