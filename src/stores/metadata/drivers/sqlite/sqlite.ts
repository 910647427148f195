import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextEventLoopPass } from 'node:timers/promises';
import { createTimeSlice } from '../../../../concurrency/yielding.js';
import {
  type MetadataDriver,
  type MetadataPlace,
  type MetadataStore,
  type Query,
  type Table,
  WriteConflict,
} from '../../contract.js';
import { groupCommit } from '../../shared/group-commit.js';
import { rowDecoder, type SqlValue, type Statement, type Target } from '../../shared/sql/dialect.js';
import { changeStatements, countStatement, findStatement } from '../../shared/sql/sql.js';
import { copiesFolder, copiesIn } from '../../shared/upgrade-copies.js';
import { type Failure, packWrites, STATEMENTS_IN_MESSAGE } from './protocol.js';
import { sqliteDialect } from './schema.js';
import { endThreads, errorOf, openSnapshot, openThreads, type Thread, type Threads } from './threads.js';

const CHANGES_IN_STEP = 500;

/**
 * One file, two threads: one connection writes, one reads committed data. Statements are built here and run there, so
 * the event loop never waits for the disk. An in-memory database belongs to its connection and uses one thread for
 * both.
 */
export const sqlite = {
  name: 'sqlite',
  needs: { package: '@photostructure/sqlite', range: '^1.2.1' },
  create: createSqlite,
} as const satisfies MetadataDriver<object>;

function createSqlite(place: MetadataPlace<object>): MetadataStore {
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
      return { schemaVersion: found.schemaVersion, ...(found.copy === undefined ? {} : { copy: found.copy }) };
    },

    async write(changes) {
      const { writer } = opened();
      if (writer === undefined) throw new Error('the metadata store was opened for reading only');
      const statements: Statement[] = [];
      for (const [index, change] of changes.entries()) {
        statements.push(...changeStatements(target(change.table), change));
        // A conversation of ten thousand messages must not hold up everyone else.
        if (index % CHANGES_IN_STEP === CHANGES_IN_STEP - 1) await nextEventLoopPass();
      }
      if (statements.length > 0) await commits.write(statements);
    },

    ...reading(read),

    async searchText(name, query) {
      const { table } = target(name);
      const rows = await opened().reader.call({ kind: 'search', table: table.name, query });
      return rows.map(([id, score]) => ({ id: String(id), score: Number(score) }));
    },

    async scrub() {
      const { writer } = opened();
      if (writer === undefined || place.path === ':memory:') return;
      const indexed = [...definitions.values()].filter(({ terms }) => terms !== undefined);
      await writer.call({ kind: 'scrub', textIndexes: indexed.map(({ name }) => `${name}_terms`) });
      // Copies made before an upgrade still contain the deleted data.
      await Promise.all(copiesIn(join(dirname(place.path), copiesFolder)).map((copy) => rm(copy, { force: true })));
    },

    check: async () => opened().reader.call({ kind: 'check' }),

    async snapshot() {
      opened();
      // An in-memory database has one connection and no other process, so it is read directly.
      if (place.path === ':memory:') return { ...reading(read), close: async () => {} };
      const thread = await openSnapshot(place.path);
      return { ...reading((statement) => thread.call({ kind: 'query', ...statement })), close: thread.end };
    },

    close() {
      closing ??= shutDown();
      return closing;
    },
  };

  /** The plain reads, over a given connection. */
  function reading(
    run: (statement: Statement & { atMost?: number }) => Promise<SqlValue[][]>,
  ): Pick<MetadataStore, 'find' | 'count'> {
    return {
      async find(name, query = {}) {
        const { table } = target(name);
        const { fields, ...statement } = findStatement(target(name), query);
        const atMost = mostRows(query);
        const rows = await run(atMost === undefined ? statement : { ...statement, atMost });
        return decoded(rows, rowDecoder(table, fields));
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

  function read({ text, parameters, atMost }: Statement & { atMost?: number }) {
    const bound = atMost === undefined ? {} : { atMost };
    return opened().reader.call({ kind: 'query', text, parameters, ...bound });
  }

  async function commit(writes: Statement[][]): Promise<(Error | undefined)[]> {
    if (threads?.writer === undefined) throw new Error('the metadata store is not open');
    const outcomes = await sendWrites(threads.writer, writes);
    return outcomes.map((failure) => failure && writeError(failure));
  }

  async function shutDown(): Promise<void> {
    // A failed open has already rejected and left nothing to close.
    await Promise.allSettled([opening]);
    await commits.idle();
    if (threads !== undefined) await endThreads(threads);
  }
}

/** Yields between slices: the metadata of a conversation may take milliseconds to parse. */
async function decoded<Row>(rows: readonly SqlValue[][], decode: (row: SqlValue[]) => Row): Promise<Row[]> {
  const slice = createTimeSlice();
  const all: Row[] = [];
  for (const row of rows) {
    all.push(decode(row));
    if (slice.isOver()) await slice.yield();
  }
  return all;
}

/** Nothing is written before the last message, so a group that is cut off leaves nothing behind. */
async function sendWrites(writer: Thread, writes: Statement[][]): Promise<(Failure | undefined)[]> {
  const count = writes.reduce((sum, { length }) => sum + length, 0);
  if (count <= STATEMENTS_IN_MESSAGE) return writer.call({ kind: 'write', packed: packWrites(writes) });
  for (const [position, statements] of writes.entries()) {
    for (let from = 0; from < statements.length; from += STATEMENTS_IN_MESSAGE) {
      const part = statements.slice(from, from + STATEMENTS_IN_MESSAGE);
      await writer.call({ kind: 'hold', position, packed: packWrites([part]) });
    }
  }
  return writer.call({ kind: 'write' });
}

/** As many as were asked for, by their number or by their ids. */
function mostRows({ limit, where = [] }: Query): number | undefined {
  const ids = where.flatMap((condition) =>
    condition.is === 'in' && condition.field === 'id' ? [condition.value.length] : [],
  );
  const bounds = [...ids, ...(limit === undefined ? [] : [limit])];
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

function writeError(failure: Failure): Error {
  const error = errorOf(failure);
  return failure.conflict === undefined ? error : new WriteConflict(failure.conflict, error);
}
