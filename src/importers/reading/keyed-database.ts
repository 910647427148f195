/** A SQLite database of keys and JSON values, as editors keep their state. */
export interface KeyedRows {
  get(table: string, key: string): unknown;
  withPrefix(table: string, prefix: string): Iterable<[key: string, value: unknown]>;
  close(): void;
}

/** Opens it for reading alone; undefined when the file is no such database. */
export async function openKeyed(path: string): Promise<KeyedRows | undefined> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    const opened = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
    database = opened;
    const schema = opened.prepare('SELECT name, sql FROM sqlite_schema').all() as { name: string; sql: unknown }[];
    const tables = new Set(schema.filter(({ sql }) => isPlainTable(sql)).map(({ name }) => name));
    const get = (table: string, key: string): unknown => {
      if (!tables.has(table)) return undefined;
      const row = opened.prepare(`SELECT value FROM "${table}" WHERE key = ?`).get(key);
      return parsed((row as { value?: unknown } | undefined)?.value);
    };
    return {
      get,
      *withPrefix(table, prefix) {
        if (!tables.has(table)) return;
        const keys = opened
          .prepare(`SELECT key FROM "${table}" WHERE key >= ? AND key < ?`)
          .all(prefix, `${prefix}\uffff`);
        for (const { key } of keys as { key: string }[]) yield [key, get(table, key)];
      },
      close: () => opened.close(),
    };
  } catch {
    // Whatever is wrong with it (no database, locked, damaged), the answer is the same: it cannot be read.
    database?.close();
    return undefined;
  }
}

/** A view or a computed column would run what the file says, and could run for ever. */
function isPlainTable(sql: unknown): boolean {
  return typeof sql === 'string' && /^CREATE TABLE\b/i.test(sql) && !/\bAS\b/i.test(sql);
}

function parsed(value: unknown): unknown {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // One broken value leaves out one chat, not the rest.
    return undefined;
  }
}
