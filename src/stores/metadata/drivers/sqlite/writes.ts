import type { Statement } from '../../shared/sql/dialect.js';
import type { Connection } from './connection.js';
import type { Failure } from './protocol.js';

/** Primary key, unique index and rowid: someone else's row is in the way. */
const CONFLICTS = new Set([1555, 2067, 2579]);

/**
 * Runs several writes as one transaction, each all-or-nothing on its own: a failed one is undone to its savepoint and
 * reported, the others stand. Throws when the transaction itself fails; then none of them happened.
 */
export function runWrites(connection: Connection, writes: readonly Statement[][]): (Failure | undefined)[] {
  const { database, prepare, requireInPlace } = connection;
  requireInPlace();
  prepare('BEGIN IMMEDIATE').run();
  try {
    const outcomes = writes.map((statements) => runWrite(connection, statements));
    prepare('COMMIT').run();
    return outcomes;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function runWrite(connection: Connection, statements: readonly Statement[]): Failure | undefined {
  connection.prepare('SAVEPOINT one_write').run();
  const failure = firstFailure(connection, statements);
  if (failure !== undefined) connection.prepare('ROLLBACK TO one_write').run();
  connection.prepare('RELEASE one_write').run();
  return failure;
}

function firstFailure({ database, prepare }: Connection, statements: readonly Statement[]): Failure | undefined {
  for (const { table, text, parameters, mustChange } of statements) {
    try {
      const { changes } = prepare(text).run(...parameters);
      if (mustChange !== undefined && changes !== mustChange)
        return { message: 'an expected value differs', conflict: table };
    } catch (error) {
      // A full disk, for example, ends the whole transaction and every write of the group.
      if (!database.isTransaction) throw error;
      return { ...failureOf(error), ...(isConflict(error) && { conflict: table }) };
    }
  }
  return undefined;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...('code' in error && { code: String(error.code) }),
    ...('errcode' in error && { errcode: Number(error.errcode) }),
  };
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && CONFLICTS.has(Number(error.errcode));
}
