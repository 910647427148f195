import {
  openPostgresPool,
  type PostgresClient,
  type PostgresPool,
  postgresNeeds,
  scrubTables,
} from '../../../shared/postgres-pool.js';
import type { Among, MetadataDriver, MetadataPlace, MetadataStore, Table } from '../../contract.js';
import { quoted, rowDecoder, type Target } from '../../shared/sql/dialect.js';
import {
  changeStatements,
  countStatement,
  findStatement,
  othersStatement,
  searchStatement,
} from '../../shared/sql/sql.js';
import { CURRENT_SCHEMA_VERSION, checkSchema, postgresDialect, prepareSchema, termsTable } from './schema.js';
import { ask, runWrite } from './writes.js';

/**
 * Metadata in PostgreSQL: the same statements as SQLite in another dialect, a connection pool, and one transaction per
 * write.
 */
export const postgres = {
  name: 'postgres',
  remote: true,
  needs: postgresNeeds,
  create: createPostgres,
} as const satisfies MetadataDriver<Settings>;

type Settings = { url: string };

function createPostgres({
  settings: { url },
  readOnly = false,
  upgrade = true,
}: MetadataPlace<Settings>): MetadataStore {
  const definitions = new Map<string, Table>();
  const underWay = new Set<Promise<unknown>>();
  let pool: PostgresPool | undefined;
  let usable = false;
  let isOlder = false;
  let closing: Promise<void> | undefined;

  return {
    async open(tables) {
      if (pool !== undefined || closing !== undefined) throw new Error('a metadata store can be opened only once');
      pool = await openPostgresPool(url, { connections: 10 });
      const opening = await pool.transaction((client) =>
        readOnly ? checkSchema(client, tables) : prepareSchema(client, tables, { upgrade }),
      );
      for (const table of opening.older ?? tables) definitions.set(table.name, table);
      usable = opening.schemaVersion === CURRENT_SCHEMA_VERSION;
      isOlder = opening.older !== undefined;
      return opening;
    },

    async write(changes) {
      const open = opened();
      if (readOnly || isOlder) throw new Error('the metadata store was opened for reading only');
      const statements = changes.flatMap((change) => changeStatements(target(change.table), change));
      if (statements.length > 0) await waitedFor(runWrite(open, statements));
    },

    ...reading(() => opened()),

    async searchText(name, query) {
      const { among, ...everywhere } = query;
      const beside = among !== undefined && (await holdsOthers(target(name), among));
      const statement = searchStatement(target(name), beside ? query : everywhere);
      const rows = statement === undefined ? [] : await ask(opened(), statement);
      return rows.map(([id, score]) => ({ id: String(id), score: Number(score) }));
    },

    async scrub() {
      const open = opened();
      if (readOnly || isOlder) return;
      const names = [...definitions.values()].flatMap((table) => [
        quoted(table.name),
        ...(table.terms === undefined ? [] : [termsTable(table)]),
      ]);
      await waitedFor(scrubTables(open, names));
    },

    async snapshot() {
      const session = await opened().snapshot();
      return { ...reading(() => session), close: session.close };
    },

    close() {
      closing ??= shutDown();
      return closing;
    },
  };

  /** The plain reads, over a given connection. */
  function reading(connection: () => PostgresClient): Pick<MetadataStore, 'find' | 'count'> {
    return {
      async find(name, query = {}) {
        const { table } = target(name);
        const { fields, ...statement } = findStatement(target(name), query);
        const rows = await ask(connection(), statement);
        return rows.map(rowDecoder(table, fields));
      },

      async count(name, where = []) {
        const [row] = await ask(connection(), countStatement(target(name), where));
        return Number(row?.[0]);
      },
    };
  }

  function opened(): PostgresPool {
    if (closing !== undefined) throw new Error('the metadata store is closed');
    if (pool === undefined || !usable) throw new Error('the metadata store is not open');
    return pool;
  }

  function target(name: string): Target {
    opened();
    const table = definitions.get(name);
    if (table === undefined) throw new Error(`there is no table ${name}`);
    return { dialect: postgresDialect, table };
  }

  async function holdsOthers(where: Target, among: Among): Promise<boolean> {
    const [row] = await ask(opened(), othersStatement(where, among));
    return Number(row?.[0]) === 1;
  }

  function waitedFor<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.finally(() => underWay.delete(settled));
    underWay.add(settled);
    return settled;
  }

  async function shutDown(): Promise<void> {
    await Promise.allSettled(underWay);
    await pool?.end();
  }
}
