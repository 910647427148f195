import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanFiles } from '../../../src/app/verify-forgotten.js';
import { openPostgresPool } from '../../../src/stores/shared/postgres-pool.js';
import { aConversation, aNote, invented, turns } from '../../support/conversation.js';
import { aService, idsOf } from '../../support/service.js';
import { onPostgres, startPostgres } from '../../support/stores.js';

/** A server of its own whose files lie on this machine; the one inside this process has none. */
const real = process.env.REAL_POSTGRES_URL !== undefined;
const canary = 'zyxwquokka-canary-7731';
const secret = aConversation({
  title: `About ${canary}-title`,
  timestamp: '2026-02-03T10:00:00Z',
  messages: turns(`My name is Vladimira Quokkasson and the code is ${canary}.`, `Noted: ${canary} is the code.`),
  metadata: { tags: [`${canary}-tag`], upstream_thread_id: `${canary}-thread` },
});

let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  if (real) postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

describe.skipIf(!real)('forget on PostgreSQL with pgvector', () => {
  it('leaves no byte of it in the files of the server, its log included, and the neighbours as they were', async () => {
    const url = await postgres.emptyPlace();
    const service = await aService(onPostgres(url));
    const pool = await openPostgresPool(url);
    const { rows } = await pool.query<{ data_directory: string }>('SHOW data_directory');
    const folder = rows[0]?.data_directory ?? '';
    for (let index = 0; index < 40; index++) await service.insert(aNote(invented(index), { title: `Note ${index}` }));
    const { id } = await service.insert(secret);
    await service.service.vectors.settled();
    // Statistics quote what is common in a table; a checkpoint puts everything into the files.
    await pool.query('ANALYZE');
    await pool.query('CHECKPOINT');
    const queries = Array.from({ length: 10 }, (_, index) => invented(index * 4));
    const before = await Promise.all(queries.map((query) => service.search({ query, top_k: 5 })));
    const words = [canary, 'quokkasson', 'Quokkasson', 'vladimira'];
    expect((await scanFiles(folder, words)).found).not.toEqual([]);

    const { body } = await service.request('/memory/forget', { ids: [id], dry_run: false });
    expect(body).toMatchObject({ dry_run: false, conversations: 1, facts: 1 });
    expect((await scanFiles(folder, words)).found).toEqual([]);
    const after = await Promise.all(queries.map((query) => service.search({ query, top_k: 5 })));
    expect(after.map(idsOf)).toEqual(before.map(idsOf));
    expect((await service.request('/memory/insert', secret)).status).toBe(409);
    await pool.end();
  }, 180_000);
});
