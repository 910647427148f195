import { DatabaseSync } from '@photostructure/sqlite';
import type { Connection } from './connection.js';

/**
 * Whether the files are those that were opened and still a database. A connection that has been open for a while answers
 * from the pages it remembers, so the look is that of a new one.
 */
export function check({ requireInPlace }: Connection, path: string): undefined {
  requireInPlace();
  if (path === ':memory:') return;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    database.close();
  }
}
