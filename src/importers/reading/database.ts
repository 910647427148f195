/** A SQLite database of another program, opened read-only. */
interface OpenedDatabase {
  /** The columns of each table. */
  tables: ReadonlyMap<string, ReadonlySet<string>>;
  rows(text: string, ...values: (string | number)[]): Iterable<Record<string, unknown>>;
  close(): void;
}

/** Undefined when the file is not a SQLite database, is locked or is damaged; callers report all three the same way. */
export async function openDatabase(path: string): Promise<OpenedDatabase | undefined> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  let opened: InstanceType<typeof DatabaseSync> | undefined;
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
    opened = database;
    const rows = (text: string, ...values: (string | number)[]) =>
      database.prepare(text).iterate(...values) as Iterable<Record<string, unknown>>;
    const tables = new Map<string, ReadonlySet<string>>();
    const listed = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of (listed as { name: unknown; sql: unknown }[]).filter(isPlain)) {
      const columns = [...rows('SELECT name FROM pragma_table_info(?)', String(name))];
      tables.set(String(name), new Set(columns.map((column) => String(column.name))));
    }
    return { tables, rows, close: () => database.close() };
  } catch {
    // Nothing is lost: the file is only read.
    opened?.close();
    return undefined;
  }
}

/** A virtual table or a computed column would run code from the file, possibly forever. */
function isPlain({ sql }: { sql: unknown }): boolean {
  return typeof sql === 'string' && /^CREATE TABLE\b/i.test(sql) && !/\bAS\b/i.test(sql);
}

/** A JSON value in a text or blob column; a broken value skips one entry, not the rest. */
export function jsonColumn(value: unknown): unknown {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote user text.
    return undefined;
  }
}

/** A SQLite database of keys and JSON values, the format in which editors keep their state. */
export interface KeyedRows {
  get(table: string, key: string): unknown;
  withPrefix(table: string, prefix: string): Iterable<[key: string, value: unknown]>;
  countPrefix(table: string, prefix: string): number;
  close(): void;
}

/** Opens it read-only; undefined when the file is not such a database. */
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
