import type { Table } from '@lancedb/lancedb';
import { DamagedIndex, type Distance, type IndexShape } from '../../contract.js';
import { unlessOvertaken } from './commit.js';
import { type Lance, lanceDistance, nearestRows, SCAN_ROWS } from './rows.js';

/**
 * Every write leaves a fragment and a version; both slow down reads, and only we remove them. LanceDB can only compact,
 * clean up and refresh indexes in one go, and compaction rewrites the whole table, so it waits for enough fragments:
 * the larger the table, the more.
 */
export interface Maintenance {
  /** The vector index available to this process. */
  index(): VectorIndex | undefined;
  /** One round at a time; a second call joins the first. */
  run(): Promise<void>;
  /** The maintenance of the table after a reset. */
  restart(subject: { table: Table; shape: IndexShape }): Maintenance;
  /** Resolves when no round is in progress. */
  stop(): Promise<void>;
}

interface Subject {
  lance: Lance;
  table: Table;
  shape: IndexShape;
}

/**
 * How long old versions are kept: no other process reads one for this long, and if it does, it retries with the newest.
 * Each compaction leaves a copy of the whole table and its index; kept any longer, they would fill the disk during an
 * import.
 */
const KEEP_VERSIONS_MILLISECONDS = 2 * 60_000;
/**
 * Each further amount of this size allows one more fragment: rewriting a gigabyte must happen less often than rewriting
 * a megabyte.
 */
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
      // The caller that started the round gets its failure; closing only waits for it.
      await Promise.allSettled([running]);
    },
  };
}

/** Returns whether some versions were too recent to clean up and remain for a later round. */
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

/**
 * The vector index is IVF_FLAT: it sorts rows into partitions and stores full vectors, so distances stay exact and
 * building takes seconds; it can only miss rows in partitions that are not probed. Its name contains the number of
 * partitions, because LanceDB does not report it and other processes need it.
 */
interface VectorIndex {
  name: string;
  partitions: number;
  /** Parts written since it was built; each slows a search down a little. */
  parts: number;
  /** Partitions probed per query. */
  probes: number;
}

const NAME = /^vector_ivf_(\d+)$/;
const MOST_PARTS = 8;
/** Safe for vectors without structure; measuring usually shows that far fewer suffice. */
const CAUTIOUS_SHARE = 3 / 4;

/** The vector indexes of a table, finest first. More than one only while one replaces another. */
export async function vectorIndexes(table: Table): Promise<VectorIndex[]> {
  const parts = new Map<string, number>();
  for (const { name } of await table.listIndices()) parts.set(name, (parts.get(name) ?? 0) + 1);
  return [...parts]
    .flatMap(([name, count]) => {
      const partitions = Number(NAME.exec(name)?.[1] ?? 0);
      return partitions === 0
        ? []
        : [{ name, partitions, parts: count, probes: Math.ceil(partitions * CAUTIOUS_SHARE) }];
    })
    .sort((one, other) => other.partitions - one.partitions);
}

/** How many partitions a new index for these rows should have; undefined if the existing one suffices. */
function partitionsToBuild(rows: number, existing: VectorIndex | undefined): number | undefined {
  if (rows < SCAN_ROWS) return undefined;
  const wanted = 2 ** Math.round(Math.log2(Math.sqrt(rows) / 4));
  if (existing === undefined || wanted >= existing.partitions * 2) return wanted;
  return existing.parts > MOST_PARTS ? existing.partitions : undefined;
}

async function buildVectorIndex(
  { lance, table, distance }: { lance: Lance; table: Table; distance: Distance },
  partitions: number,
): Promise<void> {
  const config = lance.Index.ivfFlat({ distanceType: lanceDistance(distance), numPartitions: partitions });
  await table.createIndex('vector', { config, name: `vector_ivf_${partitions}`, replace: true });
}

const SHARES = [1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4];
const SAMPLES = 12;
const NEIGHBOURS = 20;
const ENOUGH_RECALL = 0.99;
/** Queries are distributed differently from the stored rows used for measuring. */
const MARGIN = 1.25;

/**
 * Which share of partitions holds the nearest rows depends on the vectors: a sixteenth for text with topics, more than
 * half for random directions. So it is measured, by searching a few stored vectors both exactly and through the index.
 */
async function measuredProbes(
  { table, distance }: { table: Table; distance: Distance },
  partitions: number,
): Promise<number> {
  const samples = await sampleVectors(table);
  const search = async (vector: Float32Array, probes: number | undefined) => {
    const reach = probes === undefined ? ({ kind: 'scan' } as const) : ({ kind: 'index', probes } as const);
    return (await nearestRows({ table, distance }, vector, { reach, rows: NEIGHBOURS })).map((hit) => hit.id);
  };
  const exact: Set<string>[] = [];
  for (const vector of samples) exact.push(new Set(await search(vector, undefined)));
  const wanted = exact.reduce((sum, ids) => sum + ids.size, 0);

  for (const share of SHARES) {
    const probes = Math.ceil(partitions * share);
    let found = 0;
    for (const [i, vector] of samples.entries()) {
      for (const id of await search(vector, probes)) if (exact[i]?.has(id)) found++;
    }
    if (found >= wanted * ENOUGH_RECALL) return Math.min(partitions, Math.ceil(probes * MARGIN));
  }
  return partitions;
}

async function sampleVectors(table: Table): Promise<Float32Array[]> {
  const rows = await table.countRows();
  const offsets = Array.from({ length: Math.min(SAMPLES, rows) }, (_, i) => Math.floor((i * rows) / SAMPLES));
  const taken = (await table.takeOffsets(offsets).select(['vector']).toArrow()).getChild('vector');
  return Array.from({ length: taken?.length ?? 0 }, (_, row) => Float32Array.from(taken?.get(row)));
}

/** Reading more vectors than this would delay start-up by seconds; the files are opened in any case. */
const SCANNED_ROWS = 200_000;

/**
 * Reads the table once when it is opened: every version, row and index. LanceDB does not sync its files, so a power cut
 * can leave a table that opens and counts its rows but fails at the first search or never cleans up again. The checks
 * run inside LanceDB: transferring the rows would take ten times as long.
 */
export async function verifyTable(table: Table, { dimension, distance }: IndexShape): Promise<void> {
  await table.listVersions();
  // Lost pages read as zeros, which no id contains.
  const broken = await table.countRows(`NOT regexp_like(id, '^[!-~]+$')`);
  if (broken > 0) throw new DamagedIndex('Some points of the index have no id.');
  // Uses the indexes on these columns, if there are any.
  await table.countRows(`id = '' OR scope = '' OR conversation_id = ''`);
  if ((await table.countRows()) > SCANNED_ROWS) return;
  const somewhere = new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
  const nearest = () =>
    table.query().nearestTo(somewhere).distanceType(lanceDistance(distance)).select(['id', '_distance']).limit(1);
  await nearest().bypassVectorIndex().where(`scope <> '' AND conversation_id <> ''`).toArrow();
  for (const { partitions } of await vectorIndexes(table)) await nearest().nprobes(partitions).toArrow();
}
