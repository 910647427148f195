import type { PostgresClient, PostgresPool } from '../../../shared/postgres-pool.js';
import { WriteConflict } from '../../contract.js';
import type { SqlValue, Statement } from '../../shared/sql/dialect.js';

const UNIQUE_VIOLATION = '23505';
/** A serialization failure or a deadlock: the server rolled this write back, so it can be retried. */
const LOST_TO_ANOTHER = new Set(['40001', '40P01']);
const ATTEMPTS = 5;

/** Runs all statements in one transaction. A violated unique key or `mustChange` is a WriteConflict. */
export async function runWrite(pool: PostgresPool, statements: readonly Statement[]): Promise<void> {
  const joined = joinInserts(statements);
  for (let attempt = 1; ; attempt++) {
    try {
      await pool.transaction(async (client) => {
        for (const statement of joined) await runStatement(client, statement);
      });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !LOST_TO_ANOTHER.has(codeOf(error))) throw error;
    }
  }
}

async function runStatement(client: PostgresClient, statement: Statement): Promise<void> {
  const { table, text, parameters, mustChange } = statement;
  try {
    const { rowCount } = await client.query(text, parameters);
    if (mustChange !== undefined && rowCount !== mustChange) throw new WriteConflict(table);
  } catch (error) {
    if (error instanceof WriteConflict) throw error;
    const plain = withoutValues(error);
    throw codeOf(error) === UNIQUE_VIOLATION ? new WriteConflict(table, plain) : plain;
  }
}

const MOST_PARAMETERS = 30_000;

/**
 * Merges neighbouring inserts into one statement per table, because each statement is a round trip. Inserts into
 * different tables may be reordered, since no table references another.
 */
function joinInserts(statements: readonly Statement[]): Statement[] {
  const done: Statement[] = [];
  let open = new Map<string, Joined>();
  const closeAll = (): void => {
    done.push(...[...open.values()].map(asOne));
    open = new Map();
  };
  for (const statement of statements) {
    const tuple = / VALUES (\([^()]*\))/.exec(statement.text)?.[1];
    if (tuple === undefined) {
      closeAll();
      done.push(statement);
      continue;
    }
    const key = intoOf(statement.text);
    const known = open.get(key);
    if (known !== undefined && !fits(known, statement)) closeAll();
    const joined = open.get(key) ?? { statement, tuple, ids: new Set(), parameters: [] };
    joined.ids.add(statement.parameters[0]);
    joined.parameters.push(...statement.parameters);
    open.set(key, joined);
  }
  closeAll();
  return done;
}

interface Joined {
  statement: Statement;
  tuple: string;
  ids: Set<unknown>;
  parameters: Statement['parameters'];
}

/** One statement may contain a row only once; a second write of it goes into a later statement. */
function fits({ statement, ids, parameters }: Joined, next: Statement): boolean {
  if (statement.text !== next.text || ids.has(next.parameters[0])) return false;
  return parameters.length + next.parameters.length <= MOST_PARAMETERS;
}

function asOne({ statement, tuple, ids, parameters }: Joined): Statement {
  const width = statement.parameters.length;
  const tuples = Array.from({ length: ids.size }, (_, row) =>
    tuple.replaceAll(/\$(\d+)/g, (_place, position: string) => `$${Number(position) + row * width}`),
  );
  return { ...statement, text: statement.text.replace(tuple, () => tuples.join(', ')), parameters };
}

function intoOf(text: string): string {
  return text.slice(0, text.indexOf(' VALUES '));
}

/** The rows of a query as arrays of values; errors never quote them. */
export async function ask(client: PostgresClient, { text, parameters }: Statement): Promise<SqlValue[][]> {
  const { rows } = await client.query<Record<string, SqlValue>>(text, parameters).catch((error: unknown) => {
    throw withoutValues(error);
  });
  return rows.map((row) => Object.values(row));
}

/** Some fields of the server's errors quote rows and values, which must not be logged. */
function withoutValues(error: unknown): Error {
  const code = codeOf(error);
  if (code === '') return error instanceof Error ? error : new Error(String(error));
  // Messages of class 22 (data exceptions) contain the value itself.
  const said = error instanceof Error && !code.startsWith('22') ? error.message : 'a value was rejected';
  return Object.assign(new Error(said), { code });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
