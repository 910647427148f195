import { createHash } from 'node:crypto';
import { factTerms } from '../facts/values.js';
import { headingTerms, indexTerms } from '../language/terms.js';
import { putHeading } from '../records/annotations.js';
import { type ConversationRow, messageId } from '../records/store.js';
import type { Change, MetadataStore, Row, Snapshot, Table, Value } from '../stores/metadata/contract.js';
import type { TableRow } from './file.js';

/** Settings about this installation's vector index, restore or processes, which mean nothing elsewhere. */
const ownSettings = new Set(['vector_index', 'restore', 'migration', 'background_lease', 'headings']);

const rowsAtOnce = 500;
const textAtOnce = 4_000_000;

/** Yields every row of a store, table by table: messages come before the chunks that refer to them. */
export async function* allRows(from: Snapshot, tables: readonly Table[]): AsyncGenerator<TableRow> {
  for (const { name } of tables) {
    let after: string | undefined;
    do {
      const page = after === undefined ? {} : { after: { value: after, id: after } };
      // Messages can be long, so they are read in smaller pages.
      const limit = name === 'messages' ? 100 : 1_000;
      const rows = await from.find(name, { limit, ...page });
      for (const row of rows) if (isCopied(name, row.id)) yield { table: name, row };
      after = rows.length < limit ? undefined : rows.at(-1)?.id;
    } while (after !== undefined);
  }
}

/** False for rows that belong to one installation only and for rows derived from others. */
function isCopied(table: string, id: string): boolean {
  if (table === 'headings' || table === 'message_vectors') return false;
  return table !== 'settings' || !ownSettings.has(id);
}

export async function countRows(from: Snapshot, tables: readonly Table[]): Promise<number> {
  const counts = await Promise.all(tables.map(({ name }) => from.count(name)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Writes rows into a store in batches. Upserts are idempotent, so an interrupted copy can be restarted. Chunks get
 * their search terms recomputed, because a store keeps those only in its index, and stay pending until they have
 * vectors.
 */
export async function fill(
  store: MetadataStore,
  rows: AsyncIterable<TableRow>,
  onRows: (rows: number) => void = () => {},
): Promise<void> {
  let batch: TableRow[] = [];
  let length = 0;
  let written = 0;
  const flush = async (): Promise<void> => {
    await store.write(await changesOf(store, batch));
    written += batch.length;
    onRows(written);
    batch = [];
    length = 0;
  };
  for await (const each of rows) {
    // Each batch holds one table: chunks read the messages that were written before them.
    if (batch[0] !== undefined && batch[0].table !== each.table) await flush();
    batch.push(each);
    length += typeof each.row.text === 'string' ? each.row.text.length : 0;
    if (batch.length >= rowsAtOnce || length >= textAtOnce) await flush();
  }
  if (batch.length > 0) await flush();
}

async function changesOf(store: MetadataStore, batch: readonly TableRow[]): Promise<Change[]> {
  const table = batch[0]?.table;
  const rows = table === 'chunks' ? await searchable(store, batch) : table === 'facts' ? batch.map(findable) : batch;
  const changes = rows.map(({ table, row }): Change => ({ kind: 'put', table, row }));
  return table === 'conversations' ? [...changes, ...headingsOf(batch)] : changes;
}

async function searchable(store: MetadataStore, chunks: readonly TableRow[]): Promise<TableRow[]> {
  const place = ({ row }: TableRow): string => messageId(String(row.conversation_id), Number(row.message_index));
  const ids = [...new Set(chunks.map(place))];
  const messages = await store.find('messages', { where: [{ field: 'id', is: 'in', value: ids }], fields: ['text'] });
  const texts = new Map(messages.map(({ id, text }) => [id, String(text)]));
  const unsearchable = await quarantined(store, chunks);
  return chunks.map((chunk) => {
    const text = (texts.get(place(chunk)) ?? '').slice(Number(chunk.row.start), Number(chunk.row.end));
    const terms = unsearchable.has(String(chunk.row.conversation_id)) ? [] : indexTerms(text);
    return { table: 'chunks', row: withoutVector(chunk.row, terms.join(' ')) };
  });
}

/** The conversations that were never indexed because they are held for review with a secret in them. */
async function quarantined(store: MetadataStore, chunks: readonly TableRow[]): Promise<Set<string>> {
  const held = chunks.filter(({ row }) => row.index_state === 'held').map(({ row }) => String(row.conversation_id));
  if (held.length === 0) return new Set();
  const value = [...new Set(held)];
  const rows = await store.find('conversations', { where: [{ field: 'id', is: 'in', value }], fields: ['metadata'] });
  const reasonOf = ({ metadata }: Row): unknown => (metadata as { review_reason?: unknown } | undefined)?.review_reason;
  return new Set(rows.filter((row) => reasonOf(row) !== undefined).map(({ id }) => id));
}

function headingsOf(conversations: readonly TableRow[]): Change[] {
  const rows = conversations.map(({ row }) => row as ConversationRow);
  return rows
    .filter(({ metadata }) => metadata.review_reason === undefined)
    .map((row) => putHeading(row, headingTerms(row)));
}

type FactWords = Parameters<typeof factTerms>[0];

/** Facts too are searched by terms that no column stores. */
function findable({ table, row }: TableRow): TableRow {
  return { table, row: { ...row, terms: factTerms(row as Row & FactWords).join(' ') } };
}

function withoutVector(row: Row, terms: string): Row {
  const index_state: Value | undefined = row.index_state === 'indexed' ? 'pending' : row.index_state;
  return { ...row, index_state, terms };
}

export interface TableDigest {
  rows: number;
  sha256: string;
}

const pageSize = 500;

/**
 * The rows of a store that another one lacks or holds differently: all of them at first, the remaining ones after an
 * interruption.
 */
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

/** Removes rows that an interrupted copy wrote and that were since removed from the source. */
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

/** The row count of each table, and a hash over its rows in id order. */
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

/** Leaves out whether a chunk has its vector: that describes one vector store, not the chunk. */
function lineOf(table: Table, row: Row): string {
  const fields = ['id', ...Object.keys(table.columns)];
  const value = (field: string): unknown =>
    table.name === 'chunks' && row[field] === 'indexed' ? 'pending' : (row[field] ?? null);
  return JSON.stringify(fields.map(value));
}
