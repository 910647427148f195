import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresPool } from '../../src/stores/shared/postgres-pool.js';
import { aConversation } from '../support/conversation.js';
import { expectExactFirst } from '../support/exactness.js';
import { aFolder, aService, startService } from '../support/service.js';
import { onPostgres, startPostgres } from '../support/stores.js';
import { describeService } from './service.js';

/**
 * Two pools talk to the server at once here, and PGlite has one backend for all: its clients then overwrite each other's
 * unnamed statements. So this runs on a real server alone (scripts/real-stores.mjs).
 */
const real = process.env.REAL_POSTGRES_URL !== undefined;

let postgres: Awaited<ReturnType<typeof startPostgres>>;
/** Nobody listens there. */
const nowhere = 'postgresql://keeper:hunter2@127.0.0.1:9/none';

beforeAll(async () => {
  if (real) postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

describe.skipIf(!real)('on a real server', () => {
  describeService('postgres and pgvector', { empty: async () => onPostgres(await postgres.emptyPlace()) });

  it('puts exact text first, for any part of any message', async () => {
    await expectExactFirst(await aService(onPostgres(await postgres.emptyPlace())), { runs: 2 });
  });
});

describe.skipIf(!real)('a start on postgres', () => {
  it('says which store does not answer, and nothing of its password', async () => {
    const refused = await startService(onPostgres(nowhere)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'driver_unavailable', message: expect.stringContaining('postgres') });
    expect(`${refused} ${JSON.stringify(refused)}`).not.toContain('hunter2');
  });

  it('refuses a schema version that the settings do not allow', async () => {
    const url = await postgres.emptyPlace();
    await (await startService(onPostgres(url))).close();
    const pool = await openPostgresPool(url);
    await pool.query('UPDATE threadkeep_schema SET version = 2');
    await pool.end();
    await expect(startService(onPostgres(url))).rejects.toMatchObject({ code: 'schema_version_unsupported' });
  });

  it('creates nothing in a dry run', async () => {
    const url = await postgres.emptyPlace();
    const { storage, ...rest } = onPostgres(url);
    const service = await startService({ ...rest, storage: { ...storage, dry_run: true } });
    expect((await service.request('/memory/insert', aConversation())).status).toBe(200);
    await service.close();
    const pool = await openPostgresPool(url);
    const { rows } = await pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = current_schema()',
    );
    await pool.end();
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('serves from memory while the vector store is away, reports it, and resumes when it is back', async () => {
    const folder = await aFolder();
    const { storage, ...rest } = onPostgres(await postgres.emptyPlace());
    const first = await startService({ ...rest, storage: { ...storage } }, { folder });
    const { body: stored } = await first.request('/memory/insert', aConversation());
    await first.close();
    const away = { vector: { allow_fallback: true }, vector_providers: { pgvector: { url: nowhere } } };
    const degraded = await startService({ ...rest, storage: { ...storage, ...away } }, { folder });
    await degraded.service.indexer.settled();
    expect((await degraded.send('/health')).body).toMatchObject({ mode: 'degraded', vector_provider: 'memory' });
    const { body: found } = await degraded.request('/memory/search', { query: 'bicycle', top_k: 1 });
    expect(found.results).toMatchObject([{ id: stored.id }]);
    await degraded.close();
    const back = await aService({ ...rest, storage: { ...storage } }, { folder });
    expect((await back.send('/health')).body).toMatchObject({ mode: 'ok', vector_provider: 'pgvector' });
    expect(await back.vectorRows()).toBe(2);
  });
});
