import type { PostgresClient } from '../../../shared/postgres-pool.js';
import type { Statement } from '../../shared/sql/dialect.js';
import type { SqlValue } from '../../shared/sql/values.js';

/** The rows of a question as lists of values; its failure says nothing of them. */
export async function ask(client: PostgresClient, { text, parameters }: Statement): Promise<SqlValue[][]> {
  const { rows } = await client.query<Record<string, SqlValue>>(text, parameters).catch((error: unknown) => {
    throw withoutValues(error);
  });
  return rows.map((row) => Object.values(row));
}

/** The server's errors quote rows and values in some of their fields; what is logged must not. */
export function withoutValues(error: unknown): Error {
  const code = codeOf(error);
  if (code === '') return error instanceof Error ? error : new Error(String(error));
  // Class 22 (data exceptions) has the value in the message itself.
  const said = error instanceof Error && !code.startsWith('22') ? error.message : 'a value was refused';
  return Object.assign(new Error(said), { code });
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
