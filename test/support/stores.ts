import { randomUUID } from 'node:crypto';
import type { ConfigInput } from '../../src/config/schema.js';
import { openPostgresPool } from '../../src/stores/shared/postgres-pool.js';
import { startPglite } from './pglite-server.js';

/** A whole PostgreSQL with pgvector where one is given (scripts/services/pgvector.sh), one in this process otherwise. */
export async function startPostgres() {
  const given = process.env.REAL_POSTGRES_URL;
  const server = given === undefined ? await startPglite() : { url: given, stop: async () => {} };
  const pool = await openPostgresPool(server.url);
  await pool.query('CREATE EXTENSION IF NOT EXISTS vector');
  return {
    /** Several sessions at once, as a server of its own has them. */
    whole: given !== undefined,

    /** The address of an empty place. Inside this process there is one for all, which is emptied. */
    async emptyPlace(): Promise<string> {
      if (given !== undefined) {
        const schema = `t${randomUUID().replaceAll('-', '')}`;
        await pool.query(`CREATE SCHEMA ${schema}`);
        return `${server.url}?options=-csearch_path%3D${schema},public`;
      }
      const { rows } = await pool.query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
      );
      for (const { name } of rows) await pool.query(`DROP TABLE "${name}"`);
      return server.url;
    },

    async stop(): Promise<void> {
      await pool.end();
      await server.stop();
    },
  };
}

/** Everything in one database of PostgreSQL. */
export function onPostgres(url: string): ConfigInput {
  return {
    providers: { metadata_db: 'postgres', vector_db: 'pgvector' },
    storage: {
      vector: { allow_fallback: false },
      metadata_providers: { postgres: { url } },
      vector_providers: { pgvector: { url } },
    },
  };
}
