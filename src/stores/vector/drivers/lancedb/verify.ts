import { existsSync } from 'node:fs';
import type { Table } from '@lancedb/lancedb';
import { DamagedIndex, type IndexShape } from '../../contract.js';
import { vectorIndexes } from './maintenance.js';
import { lanceDistance } from './rows.js';

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

/** Missing permissions, a full disk or too few file handles do not mean that the files are damaged. */
const OUR_SIDE =
  /permission denied|read-only file|no space left|too many open files|os error (1|5|12|13|23|24|28|30|122)\b/i;

/**
 * Turns LanceDB's errors about unreadable files into DamagedIndex. Without a table of ours nothing can be damaged: then
 * the path itself is wrong.
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

/** Retries once, because another process may remove an old version's files while they are being read. */
export async function unlessCleaned(verify: () => Promise<void>): Promise<void> {
  try {
    await verify();
  } catch {
    await verify();
  }
}
