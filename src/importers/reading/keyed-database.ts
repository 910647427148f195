import { jsonColumn, openDatabase } from './database.js';

/** A SQLite database of keys and JSON values, as editors keep their state. */
export interface KeyedRows {
  get(table: string, key: string): unknown;
  withPrefix(table: string, prefix: string): Iterable<[key: string, value: unknown]>;
  countPrefix(table: string, prefix: string): number;
  close(): void;
}

/** Opens it for reading alone; undefined when the file is no such database. */
export async function openKeyed(path: string): Promise<KeyedRows | undefined> {
  const database = await openDatabase(path);
  if (database === undefined) return undefined;
  const { tables, rows, close } = database;
  const get = (table: string, key: string): unknown => {
    if (!tables.has(table)) return undefined;
    const [row] = rows(`SELECT value FROM "${table}" WHERE key = ?`, key);
    return jsonColumn(row?.value);
  };
  return {
    get,
    *withPrefix(table, prefix) {
      if (!tables.has(table)) return;
      const keys = [...rows(`SELECT key FROM "${table}" WHERE key >= ? AND key < ?`, prefix, `${prefix}\uffff`)];
      for (const { key } of keys) yield [String(key), get(table, String(key))];
    },
    countPrefix(table, prefix) {
      if (!tables.has(table)) return 0;
      const [row] = rows(`SELECT count(*) AS n FROM "${table}" WHERE key >= ? AND key < ?`, prefix, `${prefix}\uffff`);
      return Number(row?.n ?? 0);
    },
    close,
  };
}
