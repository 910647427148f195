import { setTimeout as delay } from 'node:timers/promises';
import { createSerialQueue } from '../../concurrency/locks.js';
import { loadPackage } from './load-package.js';

/** A pool of PostgreSQL connections, and scrubbing deleted data from the server's files. */

/** The npm package of every driver that uses PostgreSQL. */
export const postgresNeeds = { package: 'pg', range: '8.23.1' };

type Values = readonly unknown[];

export interface PostgresClient {
  query<Row>(text: string, values?: Values): Promise<{ rows: Row[]; rowCount: number | null }>;
}

export interface PostgresPool extends PostgresClient {
  /** Runs `work` on one connection between BEGIN and COMMIT; an error rolls back and is rethrown. */
  transaction<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result>;
  /** One connection with a snapshot of the current state, until it is closed. */
  snapshot(): Promise<PostgresClient & { close(): Promise<void> }>;
  /** One connection for exclusive use, until it is released. */
  reserve(): Promise<ReservedClient>;
  /** Idempotent. */
  end(): Promise<void>;
}

interface ReservedClient extends PostgresClient {
  /** `destroy`: its state is unknown, so it must not be reused. */
  release(destroy?: boolean): void;
}

/** The parts of `pg` that we use, which has no types of its own. */
interface PgModule {
  default: {
    Pool: new (
      options: object,
    ) => PostgresClient & {
      connect(): Promise<ReservedClient>;
      end(): Promise<void>;
      on(event: 'error', listener: () => void): void;
      on(event: 'connect', listener: (client: { on(event: 'error', listener: () => void): void }) => void): void;
    };
  };
}

/** A pool of connections, opened on demand. Nothing connects before the first query. */
export async function openPostgresPool(url: string, { connections = 8 } = {}): Promise<PostgresPool> {
  const { Pool } = (await loadPackage<PgModule>(postgresNeeds)).default;
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    // A black-holed network would keep a connection busy for a quarter of an hour; this time-out discards it earlier.
    query_timeout: 300_000,
    keepAlive: true,
    application_name: 'threadkeep',
  });
  // The next query replaces an idle connection that the server closed; without a listener its error would crash the
  // process.
  pool.on('error', () => {});
  // The same for a connection in use: the pool listens only to idle ones, and the query fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}));
  let ended: Promise<void> | undefined;

  return {
    query: (text, values) => pool.query(text, values),

    async transaction(work) {
      const client = await pool.connect();
      let broken = true;
      try {
        await client.query('BEGIN');
        const result = await work(client);
        await client.query('COMMIT');
        broken = false;
        return result;
      } catch (error) {
        // A connection that cannot roll back is discarded with its transaction.
        await client.query('ROLLBACK').then(
          () => {
            broken = false;
          },
          () => {},
        );
        throw error;
      } finally {
        client.release(broken);
      }
    },

    async snapshot() {
      const client = await pool.connect();
      try {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        // The first query fixes the transaction's snapshot.
        await client.query('SELECT 1 FROM pg_class LIMIT 1');
      } catch (error) {
        client.release(true);
        throw error;
      }
      // A session handles one query at a time.
      const queue = createSerialQueue();
      let closed: Promise<void> | undefined;
      return {
        query: (text, values) => queue(() => client.query(text, values)),
        close() {
          closed ??= queue(() => client.query('COMMIT')).then(
            () => client.release(),
            (error: unknown) => {
              // Released even then, or the pool would permanently lose a connection.
              client.release(true);
              throw error;
            },
          );
          return closed;
        },
      };
    },

    reserve: () => pool.connect(),

    end() {
      ended ??= pool.end();
      return ended;
    },
  };
}

/** How long scrubbing waits for readers and writers of a table before it fails. */
const PATIENCE = '60s';
const WAIT_MILLISECONDS = 60_000;

/**
 * Removes deleted rows from the server's files. A plain vacuum only marks their space as free, so the tables are
 * rewritten with their indexes, which blocks other users meanwhile. Then it cleans the planner's statistics, which
 * quote common values, and the write-ahead log, as far as our role may.
 */
export async function scrubTables(pool: PostgresPool, tables: readonly string[]): Promise<void> {
  const client = await pool.reserve();
  let broken = true;
  try {
    await client.query(`SET lock_timeout = '${PATIENCE}'`);
    await outliveOlder(client);
    // One at a time: each takes an exclusive lock on its table.
    for (const table of tables) {
      await client.query(`VACUUM (FULL, ANALYZE) ${table}`);
      await dropStaleStatistics(client, table);
    }
    await outliveOlder(client);
    // Skipped with a warning if we do not own the database.
    await client.query('VACUUM (FULL) pg_statistic');
    if (await mayRewriteLog(client)) await rewriteLog(client);
    await client.query('RESET lock_timeout');
    broken = false;
  } finally {
    client.release(broken);
  }
}

/**
 * Vacuum keeps rows that an open transaction may still see, such as one that reads a backup. This waits for
 * transactions that began earlier; newer ones do not see the deleted rows.
 */
async function outliveOlder(client: PostgresClient): Promise<void> {
  const { rows } = await client.query<{ now: string }>('SELECT pg_current_xact_id()::text AS now');
  // This function reports 64-bit transaction ids, the view 32-bit ones.
  const mark = (BigInt(rows[0]?.now ?? 0) % 2n ** 32n).toString();
  for (const end = Date.now() + WAIT_MILLISECONDS; ; await delay(100)) {
    const { rows: older } = await client.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin::text::bigint <= $1::bigint`,
      [mark],
    );
    if (older.length === 0) return;
    if (Date.now() > end)
      throw new Error('a transaction that began earlier is still open, so nothing can be removed yet');
  }
}

/**
 * ANALYZE does not refresh the statistics of an empty table, so they still quote its old content. Setting a column to
 * its own type drops them.
 */
async function dropStaleStatistics(client: PostgresClient, table: string): Promise<void> {
  const { rows: left } = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
  if (left.length > 0) return;
  const { rows } = await client.query<{ column: string; type: string }>(
    `SELECT quote_ident(a.attname) AS column,
            format_type(a.atttypid, a.atttypmod)
              || CASE WHEN c.collname = 'C' THEN ' COLLATE "C"' ELSE '' END AS type
     FROM pg_class AS t
     JOIN pg_stats AS s ON s.tablename = t.relname AND s.schemaname = t.relnamespace::regnamespace::text
     JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attname = s.attname
     LEFT JOIN pg_collation AS c ON c.oid = a.attcollation
     WHERE t.oid = to_regclass($1)`,
    [table],
  );
  const changes = rows.map(({ column, type }) => `ALTER COLUMN ${column} TYPE ${type}`);
  if (changes.length > 0) await client.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
}

async function mayRewriteLog(client: PostgresClient): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT NOT pg_is_in_recovery()
       AND has_function_privilege('pg_switch_wal()', 'execute')
       AND has_function_privilege('pg_ls_waldir()', 'execute')
       AND (SELECT rolsuper OR EXISTS (
              SELECT 1 FROM pg_roles AS granted
              WHERE granted.rolname = 'pg_checkpoint' AND pg_has_role(current_user, granted.oid, 'usage'))
            FROM pg_roles WHERE rolname = current_user) AS may`,
  );
  return rows[0]?.may === true;
}

/**
 * A checkpoint recycles old log files by renaming them and leaves their content. Switching through all of them rewrites
 * each: the part of a file after a switch is filled with zeros.
 */
async function rewriteLog(client: PostgresClient): Promise<void> {
  await client.query('CHECKPOINT');
  const { rows } = await client.query<{ files: number }>('SELECT count(*)::int AS files FROM pg_ls_waldir()');
  for (let left = (rows[0]?.files ?? 0) + 1; left > 0; left--) {
    // A switch does nothing unless something was written since the last one.
    await client.query(`SELECT pg_logical_emit_message(false, 'threadkeep', '')`);
    await client.query('SELECT pg_switch_wal()');
  }
  await client.query('CHECKPOINT');
}
