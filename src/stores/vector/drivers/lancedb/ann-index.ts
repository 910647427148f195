import type { Table } from '@lancedb/lancedb';
import type { Distance } from '../../contract.js';
import type { Lance } from './library.js';
import { lanceDistance, nearestRows, SCAN_ROWS } from './search.js';

/**
 * The vector index is IVF_FLAT: it sorts the rows into partitions and keeps whole vectors, so distances stay exact and
 * building takes seconds; what it can miss is a row in a partition that is not probed. Its name carries the number of
 * partitions, because LanceDB does not tell it and another process has to know.
 */
export interface VectorIndex {
  name: string;
  partitions: number;
  /** Parts written since it was built; each makes a search a little slower. */
  parts: number;
  /** Partitions to look into for each query. */
  probes: number;
}

const NAME = /^vector_ivf_(\d+)$/;
const MOST_PARTS = 8;
/** Safe for vectors without any structure; measuring usually finds that far fewer do. */
const CAUTIOUS_SHARE = 3 / 4;

/** The vector indexes of a table, the finest first. More than one only while one replaces another. */
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

/** How many partitions an index for these rows should have now; undefined where the existing one will do. */
export function partitionsToBuild(rows: number, existing: VectorIndex | undefined): number | undefined {
  if (rows < SCAN_ROWS) return undefined;
  const wanted = 2 ** Math.round(Math.log2(Math.sqrt(rows) / 4));
  if (existing === undefined || wanted >= existing.partitions * 2) return wanted;
  return existing.parts > MOST_PARTS ? existing.partitions : undefined;
}

export async function buildVectorIndex(
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
/** Questions are not distributed quite like the stored rows they are measured with. */
const MARGIN = 1.25;

/**
 * How many partitions hold the nearest rows depends on the vectors alone: a sixteenth for text with topics, more than
 * half for random directions. So it is measured: a few stored vectors, searched exactly and through the index.
 */
export async function measuredProbes(
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
