import type { SqlValue } from '../../shared/sql/values.js';
import type { Connection } from './connection.js';

const ANSWERS_KEPT = 64;
const MOST_ROWS = 2_000;

/** Answers of a connection that only reads, until somebody writes. */
export interface Memo {
  recall(key: string): SqlValue[][] | undefined;
  keep(key: string, rows: SqlValue[][]): void;
}

/**
 * While a person types, the words before the last one stay, and what they find need not be scored again with each
 * letter. SQLite's own counter tells a connection of every write of another one, whichever process makes it. It is read
 * before the answer, so an answer is at most newer than its number, and then dropped too early.
 */
export function createMemo(connection: Connection): Memo {
  const answers = new Map<string, SqlValue[][]>();
  let version: unknown;

  function forgetOnWrite(): void {
    const [now]: SqlValue[] = connection.prepare('PRAGMA data_version').get();
    if (now === version) return;
    version = now;
    answers.clear();
  }

  return {
    recall(key) {
      forgetOnWrite();
      return answers.get(key);
    },

    keep(key, rows) {
      if (rows.length > MOST_ROWS) return;
      const [oldest] = answers.keys();
      if (answers.size >= ANSWERS_KEPT && oldest !== undefined) answers.delete(oldest);
      answers.set(key, rows);
    },
  };
}
