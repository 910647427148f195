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
  /** One connection for the caller alone, until it is released. */
  reserve(): Promise<ReservedClient>;
  /** Idempotent. */
  end(): Promise<void>;
}

export interface ReservedClient extends PostgresClient {
  /** `destroy`: its state is unknown, so nobody else may get it. */
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
    application_name: 'threadkeep',
  });
  // An idle connection that the server ends is replaced by the next query; without a listener it would end the process.
  pool.on('error', () => {});
  // The same for one in use, between two statements: the next statement fails and tells.
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

    reserve: () => pool.connect(),

    end() {
      ended ??= pool.end();
      return ended;
    },
  };
}
