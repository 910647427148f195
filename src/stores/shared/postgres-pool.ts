import { setTimeout as delay } from 'node:timers/promises';
import { createSerialQueue } from '../../concurrency/locks.js';
import { loadPackage } from './load-package.js';

/*
 * A pool of PostgreSQL connections, and scrubbing what was removed from its files.
 */

/** The client of every driver that keeps its rows in PostgreSQL. */
export const postgresNeeds = { package: 'pg', range: '8.23.1' };

type Values = readonly unknown[];

export interface PostgresClient {
  query<Row>(text: string, values?: Values): Promise<{ rows: Row[]; rowCount: number | null }>;
}

export interface PostgresPool extends PostgresClient {
  /** Runs `work` on one connection between BEGIN and COMMIT; whatever it throws rolls back and rises. */
  transaction<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result>;
  /** One connection that sees what is there now and nothing that comes later, until it is closed. */
  snapshot(): Promise<PostgresClient & { close(): Promise<void> }>;
  /** One connection for the caller alone, until it is released. */
  reserve(): Promise<ReservedClient>;
  /** Idempotent. */
  end(): Promise<void>;
}

interface ReservedClient extends PostgresClient {
  /** `destroy`: its state is unknown, so it must not be reused. */
  release(destroy?: boolean): void;
}

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

/** A pool of connections, made on demand. Nothing is connected before the first query. */
export async function openPostgresPool(url: string, { connections = 8 } = {}): Promise<PostgresPool> {
  const { Pool } = (await loadPackage<PgModule>(postgresNeeds)).default;
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    // A network that swallows everything would keep a connection busy for a quarter of an hour: it is thrown away before.
    query_timeout: 300_000,
    keepAlive: true,
    application_name: 'threadkeep',
  });
  // An idle connection that the server ends is replaced by the next query; without a listener it would end the process.
  pool.on('error', () => {});
  // So would one that ends while somebody has it: the pool listens to idle ones alone, and its query fails anyway.
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
        // A connection that cannot even roll back is thrown away with its transaction.
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
        // What a transaction sees is settled by its first question.
        await client.query('SELECT 1 FROM pg_class LIMIT 1');
      } catch (error) {
        client.release(true);
        throw error;
      }
      // One session answers one question after the other.
      const queue = createSerialQueue();
      let closed: Promise<void> | undefined;
      return {
        query: (text, values) => queue(() => client.query(text, values)),
        close() {
          closed ??= queue(() => client.query('COMMIT')).then(
            () => client.release(),
            (error: unknown) => {
              // Given back all the same: a pool that waits for it would have one connection less for ever.
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

/** How long cleaning waits for those who read or write a table, before it gives up and says so. */
const PATIENCE = '60s';
const WAIT_MILLISECONDS = 60_000;

/**
 * Takes deleted rows out of the server's files. A plain vacuum marks their place as free and leaves the bytes, so the
 * tables are written anew with their indexes; others wait meanwhile. Then the planner's statistics, which quote common
 * values, and the write-ahead log, as far as our role may.
 */
export async function scrubTables(pool: PostgresPool, tables: readonly string[]): Promise<void> {
  const client = await pool.reserve();
  let broken = true;
  try {
    await client.query(`SET lock_timeout = '${PATIENCE}'`);
    await outliveOlder(client);
    // One after the other: each takes its table for itself.
    for (const table of tables) {
      await client.query(`VACUUM (FULL, ANALYZE) ${table}`);
      await dropStaleStatistics(client, table);
    }
    await outliveOlder(client);
    // Skipped with a warning where we do not own the database.
    await client.query('VACUUM (FULL) pg_statistic');
    if (await mayRewriteLog(client)) await rewriteLog(client);
    await client.query('RESET lock_timeout');
    broken = false;
  } finally {
    client.release(broken);
  }
}

/**
 * No vacuum removes a row that an open transaction may still see, such as one that reads a backup. Those that began
 * before now are waited for; others do not see what is gone.
 */
async function outliveOlder(client: PostgresClient): Promise<void> {
  const { rows } = await client.query<{ now: string }>('SELECT pg_current_xact_id()::text AS now');
  // Numbers of transactions are shown with 64 bits there and with 32 here.
  const mark = (BigInt(rows[0]?.now ?? 0) % 2n ** 32n).toString();
  for (const end = Date.now() + WAIT_MILLISECONDS; ; await delay(100)) {
    const { rows: older } = await client.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin::text::bigint <= $1::bigint`,
      [mark],
    );
    if (older.length === 0) return;
    if (Date.now() > end)
      throw new Error('a transaction that began before is still open, so nothing can be removed yet');
  }
}

/**
 * Statistics of a table that has become empty are not made anew, and quote what was in it. Giving a column the type it
 * has drops them.
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
 * A checkpoint renames old files of the log for later use and leaves what stands in them. Moving on through all of them
 * writes each anew: the part of a file behind a switch is filled with zeros.
 */
async function rewriteLog(client: PostgresClient): Promise<void> {
  await client.query('CHECKPOINT');
  const { rows } = await client.query<{ files: number }>('SELECT count(*)::int AS files FROM pg_ls_waldir()');
  for (let left = (rows[0]?.files ?? 0) + 1; left > 0; left--) {
    // A switch does nothing when nothing was written since the last one.
    await client.query(`SELECT pg_logical_emit_message(false, 'threadkeep', '')`);
    await client.query('SELECT pg_switch_wal()');
  }
  await client.query('CHECKPOINT');
}
