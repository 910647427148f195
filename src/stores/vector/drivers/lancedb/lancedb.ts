import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { createFolderLock, LOCK_FOLDER } from '../../../shared/folder-lock.js';
import type { IndexShape, VectorDriver, VectorStore } from '../../contract.js';
import { inBatches, lastOfEach, requireDimension, requireShape } from '../../shared/nearest.js';
import { committed, ofNewest, orDamaged, unlessCleaned } from './commit.js';
import { copyLimits, createCopy } from './copy.js';
import { createMaintenance, type Maintenance, verifyTable } from './maintenance.js';
import {
  type Arrow,
  arrowRows,
  arrowSchema,
  connectTo,
  isOneOf,
  loadLibrary,
  needs,
  searchTable,
  shapeOfSchema,
} from './rows.js';

/**
 * Vectors in a local folder, in one LanceDB table. Several processes may share the folder: every read uses the newest
 * version, and a write that loses a race is retried (commit.ts).
 */
export const lancedb = {
  name: 'lancedb',
  persistent: true,
  embedded: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  create: ({ path }) => createLanceStore(path),
  discard: discardTable,
} as const satisfies VectorDriver<object>;

const POINTS_A_WRITE = 5_000;
const IDS_A_DELETE = 1_000;

interface Opened {
  connection: Connection;
  arrow: Arrow;
  table: Table;
  shape: IndexShape;
  maintenance: Maintenance;
}

export function createLanceStore(path: string, limits = copyLimits()): VectorStore {
  let opened: Opened | undefined;
  const copy = createCopy(limits);
  /** LanceDB cannot clean up during a write. Reads are retried instead, so that no search waits for a clean-up. */
  const writes = createFolderLock(path);

  function current(): Opened {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const { lance, arrow } = await loadLibrary();
      const connection = await connectTo(lance, path);
      const alone = writes.exclusive;
      const { table, found } = await orDamaged(tableFolder(path), () => openTable(connection, { arrow, shape, alone }));
      // A store with a different shape stays open, so that `reset` can replace it.
      const actual = { ...shape, ...found };
      const maintenance = await createMaintenance({ lance, table, shape: actual });
      opened = { connection, arrow, table, shape: actual, maintenance };
      requireShape(shape, found);
    },

    async upsert(points, { fresh = false } = {}) {
      const { arrow, table, shape } = current();
      requireDimension(
        shape,
        points.map((point) => point.vector),
      );
      for (const batch of inBatches(lastOfEach(points), POINTS_A_WRITE)) {
        const rows = arrowRows(arrow, shape, batch);
        // Appending takes a third of the time of a merge; a merge is one atomic version, unlike delete and add.
        const write = (again: boolean) => (fresh && !again ? table.add(rows) : merge(table).execute(rows));
        const { version } = await writes.shared(() => committed<{ version: number }>(write));
        copy.wrote(table, batch, version);
      }
    },

    async search(vector, { limit, where }) {
      const { table, shape, maintenance } = current();
      requireDimension(shape, [vector]);
      const near = await ofNewest(() => copy.of({ table, shape }));
      if (near !== undefined) return near.search(vector, { limit, where });
      const subject = { table, distance: shape.distance, index: maintenance.index() };
      return ofNewest(() => searchTable(subject, vector, { limit, where }));
    },

    async remove(ids) {
      const { table } = current();
      for (const batch of inBatches(ids, IDS_A_DELETE)) {
        const erase = () => table.delete(isOneOf('id', batch));
        const { version } = await writes.shared(() => committed<{ version: number }>(erase));
        copy.removed(table, batch, version);
      }
    },

    async count() {
      return ofNewest(() => current().table.countRows());
    },

    async *ids() {
      for await (const batch of current().table.query().select(['id'])) {
        const ids = batch.getChild('id');
        yield Array.from({ length: batch.numRows }, (_, row) => String(ids?.get(row)));
      }
    },

    async reset(shape) {
      const { connection, arrow, maintenance } = current();
      // One version with no rows and the new schema: other processes keep a working handle, and see it at once.
      const overwrite = () => connection.createEmptyTable(TABLE, arrowSchema(arrow, shape), { mode: 'overwrite' });
      const table = await writes.shared(() => committed(overwrite));
      opened = { connection, arrow, table, shape, maintenance: maintenance.restart({ table, shape }) };
    },

    async maintain() {
      await writes.shared(() => current().maintenance.run());
    },

    async warm() {
      const { table, shape } = current();
      await ofNewest(() => copy.begin({ table, shape }));
    },

    async scrub() {
      const { table, maintenance } = current();
      await maintenance.stop();
      await writes.exclusive(() => committed(() => table.optimize({ cleanupOlderThan: new Date() })));
    },

    async close() {
      const closing = opened;
      opened = undefined;
      await copy.close();
      await closing?.maintenance.stop();
      closing?.table.close();
      closing?.connection.close();
    },
  };
}

function merge(table: Table) {
  return table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll();
}

const TABLE = 'chunks';

/** Removes only what LanceDB created for us: the user configured the folder, and it may contain other files. */
async function discardTable(path: string): Promise<void> {
  for (const name of [tableFolder(path), join(path, '__manifest'), join(path, LOCK_FOLDER)])
    await rm(name, { recursive: true, force: true });
}

function tableFolder(path: string): string {
  return join(path, `${TABLE}.lance`);
}

interface Opening {
  arrow: Arrow;
  shape: IndexShape;
  /** Runs while no other process writes or creates the table. */
  alone: (work: () => Promise<Table>) => Promise<Table>;
}

/** Opens an existing table without dropping it; the caller checks its shape. */
export async function openTable(connection: Connection, { arrow, shape, alone }: Opening) {
  const exists = async (): Promise<boolean> => (await connection.tableNames()).includes(TABLE);
  const isThere = await exists();
  const open = () => ofNewest(() => connection.openTable(TABLE));
  const create = () => connection.createEmptyTable(TABLE, arrowSchema(arrow, shape), { existOk: true });
  // When two processes create the table at the same moment, LanceDB may replace the first one and what was written to it.
  const table = isThere ? await open() : await alone(async () => ((await exists()) ? open() : committed(create)));
  const found = shapeOfSchema(await table.schema());
  // A table with another shape is not damaged: the operator decides what to do with it.
  const fits = found.dimension === shape.dimension && found.distance === shape.distance;
  if (isThere && fits) await unlessCleaned(() => verifyTable(table, shape));
  return { table, found };
}
