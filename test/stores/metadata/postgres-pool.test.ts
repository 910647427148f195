import { describe, expect, it } from 'vitest';
import { openPostgresPool } from '../../../src/stores/shared/postgres-pool.js';
import { startPglite } from '../../support/pglite-server.js';

describe('a pool of PostgreSQL connections', () => {
  it('survives a server that dies between two statements of a transaction', async () => {
    const database = await startPglite();
    const pool = await openPostgresPool(database.url);
    const broken = pool.transaction(async (client) => {
      await client.query('SELECT 1');
      await database.stop();
      // Until the connection has noticed.
      await expect.poll(() => client.query('SELECT 2').catch(() => 'refused')).toBe('refused');
      await client.query('SELECT 3');
    });
    await expect(broken).rejects.toThrow();
    await pool.end();
  });
});
