/** A SQLite database of keys and JSON values, as editors keep their state. */
export interface KeyedRows {
  get(table: string, key: string): unknown;
  withPrefix(table: string, prefix: string): Iterable<[key: string, value: unknown]>;
  close(): void;
}

/** Opens it for reading alone; undefined when the file is no such database. */
export async function openKeyed(path: string): Promise<KeyedRows | undefined> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const tables = new Set(names.map((row) => String((row as { name: unknown }).name)));
    const get = (table: string, key: string): unknown => {
      if (!tables.has(table)) return undefined;
      const row = database.prepare(`SELECT value FROM "${table}" WHERE key = ?`).get(key);
      return parsed((row as { value?: unknown } | undefined)?.value);
    };
    return {
      get,
      *withPrefix(table, prefix) {
        if (!tables.has(table)) return;
        const keys = database
          .prepare(`SELECT key FROM "${table}" WHERE key >= ? AND key < ?`)
          .all(prefix, `${prefix}\uffff`);
        for (const { key } of keys as { key: string }[]) yield [key, get(table, key)];
      },
      close: () => database.close(),
    };
  } catch {
    // Whatever is wrong with it (no database, locked, damaged), the answer is the same: it cannot be read.
    return undefined;
  }
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
