import { openPostgresPool, type PostgresPool, postgresNeeds, scrubTables } from '../../../shared/postgres-pool.js';
import type { Distance, IndexShape, NearestPoint, VectorDriver, VectorStore, Where } from '../../contract.js';
import {
  inBatches,
  lastOfEach,
  matchesNothing,
  nearestComplete,
  requireDimension,
  requireShape,
  SCAN_ROWS,
  vectorsOf,
} from '../../shared/nearest.js';
import { createTable, dropTable, MOST_DIMENSIONS, prepareTable } from './table.js';

/** Vectors in a table of PostgreSQL with the vector extension, and an HNSW index over them. */
export const pgvector = {
  name: 'pgvector',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs: postgresNeeds,
  limits: 'extension 0.8 or newer; above 2,000 dimensions every search is a scan',
  create: ({ settings }) => createPgvectorStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { url: string; tableName: string };

const POINTS_A_WRITE = 1_000;
const IDS_A_PAGE = 5_000;
/** The maximum number of candidates of an HNSW scan. */
const MOST_CANDIDATES = 1_000;
const MOST_ROWS = 10_000;

function createPgvectorStore({ url, tableName: table }: Settings): VectorStore {
  let opened: { pool: PostgresPool; shape: IndexShape } | undefined;

  function current() {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const pool = await openPostgresPool(url);
      opened = { pool, shape };
      const found = await pool.transaction((client) => prepareTable(client, { table, shape }));
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { pool, shape: { ...shape, ...found } };
      requireShape(shape, found);
    },

    async upsert(points) {
      const { pool, shape } = current();
      requireDimension(shape, vectorsOf(points));
      // In id order, so that two writers of the same rows cannot deadlock.
      const ordered = lastOfEach(points).sort((one, other) => (one.id < other.id ? -1 : 1));
      for (const batch of inBatches(ordered, POINTS_A_WRITE)) {
        await pool.query(
          `INSERT INTO "${table}" (id, scope, conversation_id, vector)
           SELECT id, scope, conversation_id, vector::vector
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS given (id, scope, conversation_id, vector)
           ON CONFLICT (id) DO UPDATE
           SET scope = excluded.scope, conversation_id = excluded.conversation_id, vector = excluded.vector`,
          [
            batch.map((point) => point.id),
            batch.map((point) => point.scope),
            batch.map((point) => point.conversationId),
            batch.map((point) => vectorText(point.vector)),
          ],
        );
      }
    },

    async search(vector, { limit, where }) {
      const { pool, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const { distance, dimension } = shape;
      const scan = dimension > MOST_DIMENSIONS || (await isNarrow(pool, table, where));
      const searched = { pool, table, distance, vector: vectorText(vector), where };
      return nearestComplete({
        distance,
        limit,
        most: scan ? MOST_ROWS : MOST_CANDIDATES,
        ask: async (rows) => {
          const found = scan ? [] : await askIndex(searched, rows);
          // An index scan that reaches its limit among other partitions ends early.
          return found.length < rows ? scanRows(searched, rows) : found;
        },
      });
    },

    async remove(ids) {
      const { pool } = current();
      if (ids.length > 0) await pool.query(`DELETE FROM "${table}" WHERE id = ANY($1::uuid[])`, [ids]);
    },

    async count() {
      const { rows } = await current().pool.query<{ n: string }>(`SELECT count(*) AS n FROM "${table}"`);
      return Number(rows[0]?.n);
    },

    async *ids() {
      let last = '00000000-0000-0000-0000-000000000000';
      for (let page = [last]; page.length > 0; last = page.at(-1) ?? last) {
        const { rows } = await current().pool.query<{ id: string }>(
          `SELECT id FROM "${table}" WHERE id > $1::uuid ORDER BY id LIMIT ${IDS_A_PAGE}`,
          [last],
        );
        page = rows.map(({ id }) => id);
        yield page;
      }
    },

    async reset(shape) {
      const { pool } = current();
      await pool.transaction(async (client) => {
        await dropTable(client, table);
        await createTable(client, { table, shape });
      });
      opened = { pool, shape };
    },

    async scrub() {
      await scrubTables(current().pool, [`"${table}"`]);
    },

    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.pool.end();
    },
  };
}

/** The operator of each distance, and the conversion to ours. */
const measures = {
  cosine: { operator: '<=>', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { operator: '<->', ours: (theirs: number) => theirs }, // |a - b|
  inner_product: { operator: '<#>', ours: (theirs: number) => 1 + theirs }, // 1 + (-dot)
} as const satisfies Record<Distance, { operator: string; ours: (theirs: number) => number }>;

/** An HNSW index misses most rows of a narrow filter, so those rows are all read. */
async function isNarrow(pool: PostgresPool, table: string, where: Where): Promise<boolean> {
  if (where.ids !== undefined || where.conversationIds !== undefined) return true;
  const { rows } = await pool.query<{ n: string }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM "${table}" WHERE scope = ANY($1) LIMIT ${SCAN_ROWS}) AS sample`,
    [where.scopes],
  );
  return Number(rows[0]?.n) < SCAN_ROWS;
}

interface Searched {
  pool: PostgresPool;
  table: string;
  distance: Distance;
  vector: string;
  where: Where;
}

interface Row {
  id: string;
  theirs: number;
}

/** `MATERIALIZED` keeps the planner from using the approximate index. */
async function scanRows({ pool, table, distance, vector, where }: Searched, limit: number): Promise<NearestPoint[]> {
  const { operator, ours } = measures[distance];
  const { rows } = await pool.query<Row>(
    `WITH wanted AS MATERIALIZED (
       SELECT id, vector ${operator} $1::vector AS theirs FROM "${table}"
       WHERE scope = ANY($2)
         AND ($3::text[] IS NULL OR conversation_id = ANY($3))
         AND ($4::uuid[] IS NULL OR id = ANY($4)))
     SELECT id, theirs FROM wanted ORDER BY theirs, id LIMIT $5`,
    [vector, where.scopes, where.conversationIds ?? null, where.ids ?? null, limit],
  );
  return rows.map(({ id, theirs }) => ({ id, distance: ours(theirs) }));
}

async function askIndex({ pool, table, distance, vector, where }: Searched, limit: number): Promise<NearestPoint[]> {
  const { operator, ours } = measures[distance];
  return pool.transaction(async (client) => {
    await client.query(`SET LOCAL hnsw.ef_search = ${Math.max(limit, 100)}`);
    // The index scan skips rows of other partitions and continues until there are enough, or `max_scan_tuples` is
    // reached.
    await client.query('SET LOCAL hnsw.iterative_scan = strict_order');
    await client.query('SET LOCAL hnsw.max_scan_tuples = 1000000');
    const { rows } = await client.query<Row>(
      `SELECT id, vector ${operator} $1::vector AS theirs FROM "${table}"
       WHERE scope = ANY($2) ORDER BY vector ${operator} $1::vector LIMIT $3`,
      [vector, where.scopes, limit],
    );
    return rows.map(({ id, theirs }) => ({ id, distance: ours(theirs) }));
  });
}

/** The extension's text format. */
function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
