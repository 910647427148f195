import { existsSync } from 'node:fs';
import type { Table } from '@lancedb/lancedb';
import { DamagedIndex, type IndexShape } from '../../contract.js';
import { vectorIndexes } from './maintenance.js';
import { lanceDistance } from './rows.js';

/** Reading the vectors of more rows would hold up a start for seconds; their files are opened all the same. */
const SCANNED_ROWS = 200_000;

/**
 * LanceDB does not sync its files, and a power cut can leave a table that opens and counts its rows and fails at the first
 * search, or never again cleans up. So it is read once when it is opened: every version, row and index. All of it happens
 * where the rows lie: handing them out would take ten times as long.
 */
export async function verifyTable(table: Table, { dimension, distance }: IndexShape): Promise<void> {
  await table.listVersions();
  // Lost pages are read as zeros, and no id holds any.
  const broken = await table.countRows(`NOT regexp_like(id, '^[!-~]+$')`);
  if (broken > 0) throw new DamagedIndex('Points of the index have no id.');
  // Through the indexes on them, where there are any.
  await table.countRows(`id = '' OR scope = '' OR conversation_id = ''`);
  if ((await table.countRows()) > SCANNED_ROWS) return;
  const somewhere = new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
  const nearest = () =>
    table.query().nearestTo(somewhere).distanceType(lanceDistance(distance)).select(['id', '_distance']).limit(1);
  await nearest().bypassVectorIndex().where(`scope <> '' AND conversation_id <> ''`).toArrow();
  for (const { partitions } of await vectorIndexes(table)) await nearest().nprobes(partitions).toArrow();
}

/** A missing right, a full disk or too few handles say nothing about the files. */
const OUR_SIDE =
  /permission denied|read-only file|no space left|too many open files|os error (1|5|12|13|23|24|28|30|122)\b/i;

/**
 * What LanceDB says of files that it cannot read, as the one error by which a damaged index is known. Where there is no
 * table of ours, nothing can be damaged: then the place itself is wrong.
 */
export async function orDamaged<Result>(tableFolder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DamagedIndex || !(error instanceof Error) || OUR_SIDE.test(error.message)) throw error;
    if (!existsSync(tableFolder)) throw error;
    throw new DamagedIndex('The files of the vector index cannot be read.', error);
  }
}

/** Another process may remove the files of an old version while they are read; the second time it has gone by. */
export async function unlessCleaned(verify: () => Promise<void>): Promise<void> {
  try {
    await verify();
  } catch {
    await verify();
  }
}
