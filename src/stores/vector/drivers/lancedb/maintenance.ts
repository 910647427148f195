import type { Table } from '@lancedb/lancedb';
import type { IndexShape } from '../../contract.js';
import { buildVectorIndex, measuredProbes, partitionsToBuild, type VectorIndex, vectorIndexes } from './ann-index.js';
import { unlessOvertaken } from './commit.js';
import type { Lance } from './library.js';

/**
 * Every write leaves a fragment and a version; both slow reading down, and nobody but us removes them. LanceDB can only
 * compact, clean and refresh indexes in one go, and compaction rewrites the whole table, so it waits for enough of
 * them: more, the larger the table.
 */
export interface Maintenance {
  /** The vector index this process may use. */
  index(): VectorIndex | undefined;
  /** One round at a time; a second call joins the first. */
  run(): Promise<void>;
  /** The same table after a reset. */
  restart(subject: { table: Table; shape: IndexShape }): Maintenance;
  /** Resolves when no round is under way. */
  stop(): Promise<void>;
}

export interface Subject {
  lance: Lance;
  table: Table;
  shape: IndexShape;
}

/**
 * Another process may be reading a version; none reads one for this long, and one that does looks again at the newest.
 * Compaction leaves the whole table behind each time, and its index: kept any longer, they fill the disk during an import.
 */
const KEEP_VERSIONS_MILLISECONDS = 2 * 60_000;
/** So much more of a table allows one more fragment: rewriting a gigabyte pays less often than rewriting a megabyte. */
const BYTES_A_FRAGMENT = 4 * 1024 * 1024;
const SCALAR_INDEX_ROWS = 2_000;
const scalarIndexes = { id: 'btree', conversation_id: 'btree', scope: 'bitmap' } as const;

export async function createMaintenance(subject: Subject): Promise<Maintenance> {
  const [index] = await vectorIndexes(subject.table);
  return maintenanceOf(subject, index);
}

function maintenanceOf(subject: Subject, found: VectorIndex | undefined): Maintenance {
  let index = found;
  let measured: string | undefined;
  let settledVersion: number | undefined;
  let running: Promise<void> | undefined;

  async function round(): Promise<void> {
    const { lance, table, shape } = subject;
    if ((await table.version()) === settledVersion) return;
    const settled = await unlessOvertaken(async () => {
      const unfinished = await compactWhenCrowded(table, index);
      await addScalarIndexes(lance, table);
      const rebuilt = await replaceVectorIndex(subject);
      index = keepProbes((await vectorIndexes(table))[0], index);
      if (index !== undefined && (rebuilt || measured !== index.name)) {
        index = { ...index, probes: await measuredProbes({ table, distance: shape.distance }, index.partitions) };
        measured = index.name;
      }
      settledVersion = unfinished ? undefined : await table.version();
    });
    if (!settled) settledVersion = undefined;
  }

  return {
    index: () => index,
    run() {
      running ??= round().finally(() => {
        running = undefined;
      });
      return running;
    },
    restart: ({ table, shape }) => maintenanceOf({ ...subject, table, shape }, undefined),
    async stop() {
      // Whoever asked for the round hears of its failure; closing only waits for it.
      await Promise.allSettled([running]);
    },
  };
}

/** Returns whether versions too young to clean are left over for a later round. */
async function compactWhenCrowded(table: Table, index: VectorIndex | undefined): Promise<boolean> {
  const { totalBytes, fragmentStats, numRows } = await table.stats();
  const enough = 32 + Math.floor(totalBytes / BYTES_A_FRAGMENT);
  const cleanupOlderThan = new Date(Date.now() - KEEP_VERSIONS_MILLISECONDS);
  const versions = await table.listVersions();
  const old = versions.filter((version) => version.timestamp < cleanupOlderThan).length;
  const tail = index === undefined ? 0 : ((await table.indexStats(index.name))?.numUnindexedRows ?? 0);
  const crowded = fragmentStats.numFragments > enough || old > enough || tail > Math.max(5_000, numRows / 10);
  if (crowded) await table.optimize({ cleanupOlderThan });
  return versions.length > enough;
}

async function addScalarIndexes(lance: Lance, table: Table): Promise<void> {
  if ((await table.countRows()) < SCALAR_INDEX_ROWS) return;
  const indexed = new Set((await table.listIndices()).flatMap((existing) => existing.columns));
  for (const [column, kind] of Object.entries(scalarIndexes)) {
    if (!indexed.has(column)) await table.createIndex(column, { config: lance.Index[kind]() });
  }
}

async function replaceVectorIndex({ lance, table, shape }: Subject): Promise<boolean> {
  const [finest, ...others] = await vectorIndexes(table);
  for (const other of others) await table.dropIndex(other.name);
  const partitions = partitionsToBuild(await table.countRows(), finest);
  if (partitions === undefined) return false;
  await buildVectorIndex({ lance, table, distance: shape.distance }, partitions);
  if (finest !== undefined && finest.partitions !== partitions) await table.dropIndex(finest.name);
  return true;
}

function keepProbes(next: VectorIndex | undefined, known: VectorIndex | undefined): VectorIndex | undefined {
  return next !== undefined && next.name === known?.name ? { ...next, probes: known.probes } : next;
}
