import { StartupError } from '../../../../model/errors.js';
import type { PostgresClient } from '../../../shared/postgres-pool.js';
import type { Distance, IndexShape } from '../../contract.js';

/** Written into the table's comment with the distance, for later versions to check before they touch the rows. */
const SCHEMA_VERSION = 1;

/** The maximum dimension of an HNSW index. */
export const MOST_DIMENSIONS = 2_000;

/** Iterative index scans were added in this version. */
const OLDEST_EXTENSION = [0, 8] as const;

const operatorClasses = {
  cosine: 'cosine_ops',
  l2: 'l2_ops',
  inner_product: 'ip_ops',
} as const satisfies Record<Distance, string>;

interface Wanted {
  table: string;
  shape: IndexShape;
}

/** Creates or inspects the table, one process at a time. Returns its shape; drops nothing. */
export async function prepareTable(client: PostgresClient, wanted: Wanted): Promise<Partial<IndexShape>> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`threadkeep:${wanted.table}`]);
  await prepareExtension(client);
  const found = await shapeOfTable(client, wanted.table);
  if (found !== undefined) return found;
  await createTable(client, wanted);
  return wanted.shape;
}

export async function createTable(client: PostgresClient, { table, shape }: Wanted): Promise<void> {
  const { dimension, distance } = shape;
  await client.query(
    `CREATE TABLE "${table}" (
       id uuid PRIMARY KEY,
       scope text NOT NULL,
       conversation_id text NOT NULL,
       vector vector(${dimension}) NOT NULL)`,
  );
  const comment = JSON.stringify({ threadkeep_schema_version: SCHEMA_VERSION, distance });
  await client.query(`COMMENT ON TABLE "${table}" IS '${comment}'`);
  await client.query(`CREATE INDEX ON "${table}" (scope)`);
  await client.query(`CREATE INDEX ON "${table}" (conversation_id)`);
  if (dimension > MOST_DIMENSIONS) return;
  await client.query(`CREATE INDEX ON "${table}" USING hnsw (vector vector_${operatorClasses[distance]})`);
}

export async function dropTable(client: PostgresClient, table: string): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS "${table}"`);
}

async function prepareExtension(client: PostgresClient): Promise<void> {
  const { rows } = await client.query<{ installed: string | null; available: string }>(
    `SELECT installed_version AS installed, default_version AS available
     FROM pg_available_extensions WHERE name = 'vector'`,
  );
  const version = rows[0]?.installed ?? rows[0]?.available;
  if (version === undefined) {
    throw new StartupError('driver_unavailable', 'This PostgreSQL server has no vector extension.', {
      hint: 'Install pgvector on the server, then run CREATE EXTENSION vector in this database.',
    });
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === OLDEST_EXTENSION[0] && minor < OLDEST_EXTENSION[1]) {
    throw new StartupError(
      'driver_unavailable',
      `The vector extension is version ${version}; 0.8 or newer is needed.`,
      {
        hint: 'Update pgvector on the server, then run ALTER EXTENSION vector UPDATE in this database.',
      },
    );
  }
  if (rows[0]?.installed === null) await client.query('CREATE EXTENSION vector');
}

async function shapeOfTable(client: PostgresClient, table: string): Promise<Partial<IndexShape> | undefined> {
  const { rows } = await client.query<{ comment: string | null; type: string | null }>(
    `SELECT obj_description(c.oid, 'pg_class') AS comment,
            (SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attname = 'vector' AND NOT a.attisdropped) AS type
     FROM pg_class c WHERE c.oid = to_regclass($1)`,
    [`"${table}"`],
  );
  const [found] = rows;
  if (found === undefined) return undefined;
  const comment = /^\{"threadkeep_schema_version":(\d+),"distance":"(\w+)"\}$/.exec(found.comment ?? '');
  const [, version, distance] = comment ?? [];
  if (version === undefined) {
    throw new StartupError('driver_unavailable', `The table ${table} was not created by Threadkeep.`, {
      hint: 'Set another table in storage.vector_providers.pgvector.table_name.',
    });
  }
  if (Number(version) !== SCHEMA_VERSION) {
    throw new StartupError(
      'schema_version_unsupported',
      `The table ${table} has schema version ${version}; this version of Threadkeep reads ${SCHEMA_VERSION}.`,
    );
  }
  const dimension = Number(/^vector\((\d+)\)$/.exec(found.type ?? '')?.[1] ?? 0);
  return { dimension, distance: distance as Distance };
}
