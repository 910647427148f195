import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Connection, Table as LanceTable, VectorQuery } from '@lancedb/lancedb';
import type { RecordBatch, Schema, Table } from 'apache-arrow';
import { runYielding } from '../../../../concurrency/yielding.js';
import { loadPackage } from '../../../shared/load-package.js';
import type { Distance, IndexShape, NearestPoint, Point, Where } from '../../contract.js';
import { orderingHits, settle } from '../../shared/nearest.js';

/*
 * Rows of LanceDB: as Arrow data, and searched by distance.
 */

const DISTANCE_KEY = 'threadkeep.distance';
const distances = { cosine: true, l2: true, inner_product: true } as const satisfies Record<Distance, true>;

/** The table's columns. LanceDB cannot store the distance on a column, so it is in the schema's metadata. */
export function arrowSchema(arrow: Arrow, { dimension, distance }: IndexShape): Schema {
  const text = (name: string) => new arrow.Field(name, new arrow.Utf8(), false);
  const vector = new arrow.Field('vector', vectorType(arrow, dimension), false);
  return new arrow.Schema(
    [text('id'), vector, text('scope'), text('conversation_id')],
    new Map([[DISTANCE_KEY, distance]]),
  );
}

/** The shape an existing table was created for; unknown values are absent. */
export function shapeOfSchema(schema: {
  metadata: Map<string, string>;
  fields: readonly { name: string; type: unknown }[];
}): Partial<IndexShape> {
  const type = schema.fields.find((field) => field.name === 'vector')?.type;
  const dimension = (type as { listSize?: unknown } | undefined)?.listSize;
  const distance = schema.metadata.get(DISTANCE_KEY);
  return {
    ...(typeof dimension === 'number' && { dimension }),
    ...(isDistance(distance) && { distance }),
  };
}

/** Points as an Arrow table, built from typed arrays: four times as fast as from row objects. */
export function arrowRows(arrow: Arrow, shape: IndexShape, points: readonly Point[]): Table {
  const { dimension } = shape;
  const numbers = new Float32Array(points.length * dimension);
  points.forEach((point, row) => {
    numbers.set(point.vector, row * dimension);
  });
  const text = (values: string[]) => arrow.vectorFromArray(values, new arrow.Utf8()).data[0] ?? noData();
  const child = arrow.makeData({ type: new arrow.Float32(), length: numbers.length, nullCount: 0, data: numbers });
  const vectors = arrow.makeData({ type: vectorType(arrow, dimension), length: points.length, nullCount: 0, child });
  const schema = arrowSchema(arrow, shape);
  const columns = [
    text(points.map((point) => point.id)),
    vectors,
    text(points.map((point) => point.scope)),
    text(points.map((point) => point.conversationId)),
  ];
  const struct = { type: new arrow.Struct(schema.fields), length: points.length, nullCount: 0, children: columns };
  return new arrow.Table(schema, new arrow.RecordBatch(schema, arrow.makeData(struct)));
}

/**
 * `column IN (…)` with every value quoted; quotes inside a value are doubled, and SQL has no other special characters
 * here.
 */
export function isOneOf(column: 'id' | 'scope' | 'conversation_id', values: readonly string[]): string {
  return values.length === 0 ? 'false' : `${column} IN (${values.map(quoted).join(', ')})`;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function vectorType(arrow: Arrow, dimension: number) {
  return new arrow.FixedSizeList(dimension, new arrow.Field('item', new arrow.Float32(), true));
}

function isDistance(value: string | undefined): value is Distance {
  return value !== undefined && Object.hasOwn(distances, value);
}

function noData(): never {
  throw new Error('An Arrow column was built without data.');
}

/** The points of a record batch. */
export function pointsOf(batch: RecordBatch, shape: IndexShape): Point[] {
  const [ids, scopes, conversations] = ['id', 'scope', 'conversation_id'].map((name) => batch.getChild(name));
  const vectors = numbersOf(batch, shape);
  return Array.from({ length: batch.numRows }, (_, row) => ({
    id: String(ids?.get(row)),
    vector: vectors.subarray(row * shape.dimension, (row + 1) * shape.dimension),
    scope: String(scopes?.get(row)),
    conversationId: String(conversations?.get(row)),
  }));
}

/** All vectors of a batch, contiguous as in Arrow: reading number by number takes fifty times as long. */
function numbersOf(batch: RecordBatch, { dimension }: IndexShape): Float32Array {
  const data = batch.getChild('vector')?.data[0];
  const numbers: unknown = data?.children[0]?.values;
  if (data === undefined || !(numbers instanceof Float32Array))
    throw new Error('The vector column contains no vectors.');
  return numbers.subarray(data.offset * dimension, (data.offset + data.length) * dimension);
}

export const needs = { package: '@lancedb/lancedb', range: '0.30.0' };

export type Lance = typeof import('@lancedb/lancedb');
export type Arrow = typeof import('apache-arrow');

/** The native library and the Arrow classes it uses. */
export async function loadLibrary(): Promise<{ lance: Lance; arrow: Arrow }> {
  // The native logger reads this once at load time; otherwise it writes warnings to standard error.
  process.env.LANCEDB_LOG ??= 'error';
  // Index statistics are used only for the number of unindexed rows; without this they load every centroid, and warn.
  process.env.LANCE_INCLUDE_VECTOR_CENTROIDS ??= 'false';
  return loadPackage(needs, async () => {
    const lance = await import('@lancedb/lancedb');
    // LanceDB is a CommonJS package: importing Arrow here would load a second copy, whose tables it would fail to
    // convert. So we use the copy that LanceDB loads.
    const requireHere = createRequire(import.meta.url);
    const requireThere = createRequire(requireHere.resolve(needs.package));
    return { lance, arrow: requireThere('apache-arrow') as Arrow };
  });
}

/** LanceDB's default is 6 GiB, which would keep every replaced index in memory. */
const INDEX_CACHE_BYTES = BigInt(512 * 1024 * 1024);
const METADATA_CACHE_BYTES = BigInt(256 * 1024 * 1024);

/** Every read sees the newest version, including writes by other processes. */
export async function connectTo(lance: Lance, path: string): Promise<Connection> {
  const session = new lance.Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES);
  // Absolute, because LanceDB treats a bare word such as "db" as the name of a hosted database.
  return lance.connect(resolve(path), { readConsistencyInterval: 0 }, session);
}

/** Scanning this many rows takes about as long as an index query, and is exact. */
export const SCAN_ROWS = 20_000;
/** Extra rows requested, so that a few duplicates or ties at the end need no second query. */
const SPARE_ROWS = 16;
/** If more rows than this tie at the end of the result, LanceDB chooses among them. */
const MOST_ROWS = 10_000;

interface SearchedTable {
  table: LanceTable;
  distance: Distance;
  /** Absent: scan every row of the partitions. */
  index: { probes: number } | undefined;
}

/** LanceDB's name of each distance: it returns l2 squared, and cosine and dot as one minus the value. */
const measures = {
  cosine: { type: 'cosine', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { type: 'l2', ours: (theirs: number) => Math.sqrt(theirs) }, // root of |a - b|²
  inner_product: { type: 'dot', ours: (theirs: number) => theirs }, // 1 - dot
} as const satisfies Record<Distance, { type: 'cosine' | 'l2' | 'dot'; ours: (theirs: number) => number }>;

export function lanceDistance(distance: Distance): 'cosine' | 'l2' | 'dot' {
  return measures[distance].type;
}

export async function searchTable(
  searched: SearchedTable,
  vector: Float32Array,
  { limit, where }: { limit: number; where: Where },
): Promise<NearestPoint[]> {
  if (limit <= 0 || where.ids?.length === 0 || where.conversationIds?.length === 0) return [];
  const filter = filterOf(where);
  const reach = await reachOf(searched, where);
  for (let rows = limit + SPARE_ROWS; ; rows *= 4) {
    const found = await nearestRows(searched, vector, { filter, reach, rows });
    const hits = await runYielding(orderingHits(found));
    const cutsTies = hits.at(limit - 1)?.distance === found.at(-1)?.distance;
    const complete = found.length < rows || (hits.length >= limit && !cutsTies);
    if (complete || rows >= MOST_ROWS) return hits.slice(0, limit);
  }
}

/** How a query finds its candidates: every filtered row, or this many partitions of the index. */
type Reach = { kind: 'scan' } | { kind: 'index'; probes: number };

/**
 * The index partitions all rows, so the few rows of a narrow filter are mostly in partitions that are not probed: a
 * small project next to a large one would miss most of its own points. Narrow filters are therefore scanned.
 */
async function reachOf({ table, index }: SearchedTable, where: Where): Promise<Reach> {
  if (index === undefined || where.ids !== undefined || where.conversationIds !== undefined) return { kind: 'scan' };
  const rows = await table.countRows(isOneOf('scope', where.scopes));
  return rows < SCAN_ROWS ? { kind: 'scan' } : { kind: 'index', probes: index.probes };
}

export async function nearestRows(
  { table, distance }: Pick<SearchedTable, 'table' | 'distance'>,
  vector: Float32Array,
  { filter, reach, rows }: { filter?: string; reach: Reach; rows: number },
): Promise<NearestPoint[]> {
  const query = table.query().nearestTo(vector).distanceType(lanceDistance(distance));
  const reaching: VectorQuery = reach.kind === 'scan' ? query.bypassVectorIndex() : query.nprobes(reach.probes);
  // LanceDB applies `where` before the nearest-neighbour search, not to its result.
  const filtered = filter === undefined ? reaching : reaching.where(filter);
  const answer = await filtered.select(['id', '_distance']).limit(rows).toArrow();
  const ids = answer.getChild('id');
  const distances = answer.getChild('_distance');
  return Array.from({ length: answer.numRows }, (_, row) => ({
    id: String(ids?.get(row)),
    distance: settle(distance, measures[distance].ours(Number(distances?.get(row)))),
  }));
}

function filterOf({ scopes, conversationIds, ids }: Where): string {
  return [
    isOneOf('scope', scopes),
    ...(conversationIds === undefined ? [] : [isOneOf('conversation_id', conversationIds)]),
    ...(ids === undefined ? [] : [isOneOf('id', ids)]),
  ].join(' AND ');
}
