import type { PostgresPool } from '../../../shared/postgres-pool.js';
import type { Distance, Hit, Where } from '../../contract.js';
import { SCAN_ROWS } from '../../shared/complete.js';

/** The operator of each distance, and ours from its value. */
const measures = {
  cosine: { operator: '<=>', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { operator: '<->', ours: (theirs: number) => theirs }, // |a - b|
  inner_product: { operator: '<#>', ours: (theirs: number) => 1 + theirs }, // 1 + (-dot)
} as const satisfies Record<Distance, { operator: string; ours: (theirs: number) => number }>;

/** An HNSW index leads past most rows of a narrow filter, so those are read whole. */
export async function isNarrow(pool: PostgresPool, table: string, where: Where): Promise<boolean> {
  if (where.ids !== undefined || where.conversationIds !== undefined) return true;
  const { rows } = await pool.query<{ n: string }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM "${table}" WHERE scope = ANY($1) LIMIT ${SCAN_ROWS}) AS sample`,
    [where.scopes],
  );
  return Number(rows[0]?.n) < SCAN_ROWS;
}

export interface Searched {
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
export async function scanRows({ pool, table, distance, vector, where }: Searched, limit: number): Promise<Hit[]> {
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

export async function askIndex({ pool, table, distance, vector, where }: Searched, limit: number): Promise<Hit[]> {
  const { operator, ours } = measures[distance];
  return pool.transaction(async (client) => {
    await client.query(`SET LOCAL hnsw.ef_search = ${Math.max(limit, 100)}`);
    // Rows of other scopes are skipped during the walk, which goes on until there are enough.
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

/** As the extension reads it. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
