import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import type { IndexShape } from '../../contract.js';
import { committed, ofNewest } from './commit.js';
import type { Arrow } from './library.js';
import { arrowSchema, shapeOfSchema } from './rows.js';
import { unlessCleaned, verifyTable } from './verify.js';

export const TABLE = 'chunks';

/** Only what LanceDB made for us: the folder itself is the person's setting and may hold anything else. */
export async function discardTable(path: string): Promise<void> {
  for (const name of [tableFolder(path), join(path, '__manifest')]) await rm(name, { recursive: true, force: true });
}

export function tableFolder(path: string): string {
  return join(path, `${TABLE}.lance`);
}

/** What exists is opened as it is: whether it fits is for the caller to say, and dropping it for nobody. */
export async function openTable(connection: Connection, { arrow, shape }: { arrow: Arrow; shape: IndexShape }) {
  const isThere = (await connection.tableNames()).includes(TABLE);
  const create = () => connection.createEmptyTable(TABLE, arrowSchema(arrow, shape), { existOk: true });
  // Another process may make the same table at this moment.
  const table = isThere ? await ofNewest(() => connection.openTable(TABLE)) : await committed(create);
  const found = shapeOfSchema(await table.schema());
  // A table of another shape is somebody's decision to make, not a damage.
  const fits = found.dimension === shape.dimension && found.distance === shape.distance;
  if (isThere && fits) await unlessCleaned(() => verifyTable(table, shape));
  return { table, found };
}
