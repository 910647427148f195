import { createSerialQueue } from '../../concurrency/locks.js';
import { loadPackage } from './load-package.js';

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

export interface ReservedClient extends PostgresClient {
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
