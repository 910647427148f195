import { dirname } from 'node:path';
import { StartupError } from '../../model/errors.js';
import { makeFolder } from '../shared/make-folder.js';
import { type MetadataStore, type Table, WriteConflict } from './contract.js';
import type { MetadataDriver, MetadataPlace } from './driver.js';
import { groupCommit } from './group-commit.js';
import { countStatement, findStatement, searchStatement } from './sql.js';
import { changeStatements } from './sql-changes.js';
import type { Statement, Target } from './sql-dialect.js';
import { rowDecoder, type SqlValue } from './sql-values.js';
import { sqliteDialect } from './sqlite-dialect.js';
import type { Failure } from './sqlite-protocol.js';
import { errorOf, startThread, type Thread } from './sqlite-thread.js';

/**
 * One file, two threads: one connection writes, one reads what is committed. Statements are built here and run there, so
 * the event loop never waits for the disk. A database in memory belongs to its connection and has one thread for both.
 */
export const sqlite = {
  name: 'sqlite',
  needs: { package: '@photostructure/sqlite', range: '^1.2.1' },
  create: createSqlite,
} as const satisfies MetadataDriver;

interface Threads {
  reader: Thread;
  /** Absent when the place is read-only. */
  writer?: Thread;
}

function createSqlite(place: MetadataPlace): MetadataStore {
  const definitions = new Map<string, Table>();
  const commits = groupCommit(commit);
  let opening: ReturnType<typeof openThreads> | undefined;
  let threads: Threads | undefined;
  let closing: Promise<void> | undefined;

  return {
    async open(tables) {
      if (opening !== undefined || closing !== undefined) throw new Error('a metadata store can be opened only once');
      for (const table of tables) definitions.set(table.name, table);
      opening = openThreads(place, tables);
      const found = await opening;
      threads = found.threads;
      return { schemaVersion: found.schemaVersion };
    },

    async write(changes) {
      const { writer } = opened();
      if (writer === undefined) throw new Error('the metadata store was opened for reading only');
      const statements = changes.flatMap((change) => changeStatements(target(change.table), change));
      if (statements.length > 0) await commits.write(statements);
    },

    ...reading(read),

    async searchText(name, query) {
      const statement = searchStatement(target(name), query);
      const rows = statement === undefined ? [] : await read(statement);
      return rows.map(([id, score]) => ({ id: String(id), score: Number(score) }));
    },

    async scrub() {
      const { writer } = opened();
      if (writer === undefined || place.path === ':memory:') return;
      const indexed = [...definitions.values()].filter(({ terms }) => terms !== undefined);
      await writer.call({ kind: 'scrub', textIndexes: indexed.map(({ name }) => `${name}_terms`) });
    },

    async snapshot() {
      opened();
      // A database in memory has one connection and no other process; what it holds is read as it is.
      if (place.path === ':memory:') return { ...reading(read), close: async () => {} };
      const thread = startThread({ path: place.path, readOnly: true });
      try {
        await thread.call({ kind: 'open' });
        await thread.call({ kind: 'query', text: 'BEGIN', parameters: [] });
        // A transaction that only reads begins with its first read.
        await thread.call({ kind: 'query', text: 'SELECT count(*) FROM sqlite_schema', parameters: [] });
      } catch (error) {
        await thread.end();
        throw error;
      }
      return { ...reading((statement) => thread.call({ kind: 'query', ...statement })), close: thread.end };
    },

    close() {
      closing ??= shutDown();
      return closing;
    },
  };

  /** The plain reads, through whichever connection. */
  function reading(run: (statement: Statement) => Promise<SqlValue[][]>): Pick<MetadataStore, 'find' | 'count'> {
    return {
      async find(name, query = {}) {
        const { table } = target(name);
        const { fields, ...statement } = findStatement(target(name), query);
        const rows = await run(statement);
        return rows.map(rowDecoder(table, fields));
      },

      async count(name, where = []) {
        const [row] = await run(countStatement(target(name), where));
        return Number(row?.[0]);
      },
    };
  }

  function opened(): Threads {
    if (closing !== undefined) throw new Error('the metadata store is closed');
    if (threads === undefined) throw new Error('the metadata store is not open');
    return threads;
  }

  function target(name: string): Target {
    opened();
    const table = definitions.get(name);
    if (table === undefined) throw new Error(`there is no table ${name}`);
    return { dialect: sqliteDialect, table };
  }

  function read({ text, parameters }: Statement) {
    return opened().reader.call({ kind: 'query', text, parameters });
  }

  async function commit(writes: Statement[][]): Promise<(Error | undefined)[]> {
    if (threads?.writer === undefined) throw new Error('the metadata store is not open');
    const outcomes = await threads.writer.call({ kind: 'write', writes });
    return outcomes.map((failure) => failure && writeError(failure));
  }

  async function shutDown(): Promise<void> {
    // A failed open has told its caller and left nothing to end.
    await opening?.catch(() => undefined);
    await commits.idle();
    try {
      await threads?.reader.end();
    } finally {
      await threads?.writer?.end();
    }
  }
}

/** No threads are left running when it fails or when the database is newer than this program. */
async function openThreads(
  { path, readOnly = false }: MetadataPlace,
  tables: readonly Table[],
): Promise<{ schemaVersion: number; threads?: Threads }> {
  const inMemory = path === ':memory:';
  if (!inMemory && !readOnly) makeFolder(dirname(path));
  const first = startThread({ path, readOnly });
  const threads = readOnly ? { reader: first } : { reader: first, writer: first };
  try {
    const { schemaVersion, state } = await first.call({ kind: 'open', tables });
    if (state === 'foreign') throw foreignDatabase();
    if (state === 'newer') {
      await first.end();
      return { schemaVersion };
    }
    if (!inMemory && !readOnly) {
      threads.reader = startThread({ path, readOnly: true });
      await threads.reader.call({ kind: 'open' });
    }
    return { schemaVersion, threads };
  } catch (error) {
    await Promise.allSettled([threads.reader.end(), first.end()]);
    throw error;
  }
}

function foreignDatabase(): StartupError {
  return new StartupError('schema_version_unsupported', 'The metadata database was made by another program.', {
    hint: 'Choose another data folder, or move that file away; it was not changed.',
  });
}

function writeError(failure: Failure): Error {
  const error = errorOf(failure);
  return failure.conflict === undefined ? error : new WriteConflict(failure.conflict, error);
}
