import { createHash } from 'node:crypto';
import type { MetadataStore, Row, Snapshot, Table } from '../stores/metadata/contract.js';
import { allRows, isCopied } from './copy.js';
import type { TableRow } from './lines.js';

export interface TableDigest {
  rows: number;
  sha256: string;
}

const pageSize = 500;

/** The rows of a store that another one lacks or holds differently: all of them at first, the rest after a break. */
export async function* rowsToCopy(
  from: Snapshot,
  to: Pick<MetadataStore, 'find'>,
  { tables, onRows }: { tables: readonly Table[]; onRows: (looked: number) => void },
): AsyncGenerator<TableRow> {
  let looked = 0;
  for (const table of tables) {
    let page: Row[] = [];
    for await (const { row } of allRows(from, [table])) {
      page.push(row);
      if (page.length < pageSize) continue;
      yield* differing(table, page, to);
      looked += page.length;
      onRows(looked);
      page = [];
    }
    yield* differing(table, page, to);
    looked += page.length;
    onRows(looked);
  }
}

async function* differing(
  table: Table,
  rows: readonly Row[],
  to: Pick<MetadataStore, 'find'>,
): AsyncGenerator<TableRow> {
  if (rows.length === 0) return;
  const where = [{ field: 'id', is: 'in' as const, value: rows.map(({ id }) => id) }];
  const held = new Map((await to.find(table.name, { where })).map((row) => [row.id, lineOf(table, row)]));
  for (const row of rows) if (held.get(row.id) !== lineOf(table, row)) yield { table: table.name, row };
}

/** Rows that an interrupted copy brought and that were removed at their source since. */
export async function removeOthers(from: Snapshot, to: MetadataStore, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    let after: string | undefined;
    do {
      const page = after === undefined ? {} : { after: { value: after, id: after } };
      const ids = (await to.find(name, { fields: [], limit: 1_000, ...page })).map(({ id }) => id);
      const where = [{ field: 'id', is: 'in' as const, value: ids }];
      const kept = new Set((await from.find(name, { where, fields: [] })).map(({ id }) => id));
      const others = ids.filter((id) => !kept.has(id) && isCopied(name, id));
      if (others.length > 0) await to.write([{ kind: 'remove', table: name, ids: others }]);
      after = ids.at(-1);
    } while (after !== undefined);
  }
}

/** How many rows each table has, and a hash over all of them in the order of their ids. */
export async function digestsOf(from: Snapshot, tables: readonly Table[]): Promise<Record<string, TableDigest>> {
  const digests: Record<string, TableDigest> = {};
  for (const table of tables) {
    const hash = createHash('sha256');
    let rows = 0;
    for await (const { row } of allRows(from, [table])) {
      hash.update(lineOf(table, row)).update('\n');
      rows++;
    }
    digests[table.name] = { rows, sha256: hash.digest('hex') };
  }
  return digests;
}

/** Whether a chunk has its vector is a fact about one vector store and not about the chunk. */
function lineOf(table: Table, row: Row): string {
  const fields = ['id', ...Object.keys(table.columns)];
  const value = (field: string): unknown =>
    table.name === 'chunks' && row[field] === 'indexed' ? 'pending' : (row[field] ?? null);
  return JSON.stringify(fields.map(value));
}
