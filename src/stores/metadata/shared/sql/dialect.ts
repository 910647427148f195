import { storableText } from '../../../../model/text.js';
import type { Column, Row, Table, Value } from '../../contract.js';

/** A statement ready to run: identifiers come from table definitions, every value is a parameter. */
export interface Statement {
  table: string;
  text: string;
  parameters: SqlValue[];
  /** It must change exactly this many rows, else the write is a conflict. */
  mustChange?: number;
}

/** The table and dialect a statement is built for. */
export interface Target {
  dialect: Dialect;
  table: Table;
}

/** Adds a parameter and returns its placeholder. Call it in the order of the placeholders in the text. */
export type Bind = (value: SqlValue) => string;

/**
 * The differences between SQL back ends. Columns are passed quoted and qualified; lists are bound as one JSON text, so
 * that a prepared statement does not depend on the number of values.
 */
export interface Dialect {
  /** The parameter at this position, counted from 1. */
  placeholder(position: number): string;
  /** The column, written so that no index on it is used. */
  unindexed(column: string): string;
  /** True if the column's value is in the JSON array. */
  inList(column: string, list: string, type: Column['type']): string;
  /** True if the JSON array in the column contains the text. */
  hasText(column: string, text: string, bind: Bind): string;
  /**
   * Stores the search terms of a row: a new one, one that was just put, or one that a patch names and that may not
   * exist.
   */
  setTerms(input: { table: Table; bind: Bind; id: string; terms: string; row: 'new' | 'put' | 'patched' }): string;
  clearTerms(input: { table: Table; bind: Bind; ids: readonly string[] }): string;
  /** Selects id and score, best first, ties by id. `where` binds its own values and is applied before the limit. */
  searchTerms(input: {
    table: Table;
    bind: Bind;
    terms: readonly string[];
    /** If given, selects rows with every term of each run instead of rows with any of the terms. */
    runs: readonly (readonly string[])[] | undefined;
    where: () => string;
    /** Leaves only rows with any of these terms. A dialect may ignore it: the caller then gets more than it needs. */
    holding?: readonly string[];
    /** A condition on the rows that the statistics cover, for the table under this alias; absent: all rows. */
    among?: (name: string) => string;
    limit: number;
  }): string;
}

export function newStatement(dialect: Dialect): { parameters: SqlValue[]; bind: Bind } {
  const parameters: SqlValue[] = [];
  const bind: Bind = (value) => dialect.placeholder(parameters.push(value));
  return { parameters, bind };
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Parameter and result values; booleans are 0 and 1, json is text, absent is null. */
export type SqlValue = string | number | null;

/** The definition of a field. All identifiers in SQL pass through here, so an unknown one throws. */
export function columnOf(table: Table, field: string): Column {
  if (field === 'id') return { type: 'text' };
  const column = Object.hasOwn(table.columns, field) ? table.columns[field] : undefined;
  if (column === undefined) throw new Error(`table ${table.name} has no field ${field}`);
  return column;
}

export function encode(table: Table, field: string, value: Value | undefined): SqlValue {
  const { type } = columnOf(table, field);
  if (value === undefined) return null;
  switch (type) {
    case 'text':
      if (typeof value === 'string') return storableText(value);
      break;
    case 'integer':
      if (Number.isSafeInteger(value)) return value as number;
      break;
    case 'real':
      if (Number.isFinite(value)) return value as number;
      break;
    case 'boolean':
      if (typeof value === 'boolean') return value ? 1 : 0;
      break;
    case 'json':
      return JSON.stringify(value);
    default:
      return type satisfies never;
  }
  throw new Error(`field ${field} of table ${table.name} must be ${type}`);
}

/**
 * Converts the cells of a result row, in the order of `fields`, to a row without absent fields. Rows with the same
 * fields start as a copy of the same pattern, which takes a fraction of the time and memory of adding field by field.
 */
export function rowDecoder(table: Table, fields: readonly string[]): (cells: readonly SqlValue[]) => Row {
  const readers = fields.map((field) => ({ field, read: cellReaders[columnOf(table, field).type] }));
  const patterns = new Map<string, Pattern>();
  let last: Pattern | undefined;

  function patternOf(cells: readonly SqlValue[]): Pattern {
    if (last !== undefined && fits(last, cells)) return last;
    const present = readers.map((_, position) => cells[position] !== null && cells[position] !== undefined);
    const key = present.map(Number).join('');
    const known = patterns.get(key) ?? patternWith(readers, present);
    patterns.set(key, known);
    last = known;
    return known;
  }

  return (cells) => {
    const { empty, filled } = patternOf(cells);
    const row: Row = { ...empty };
    for (let i = 0; i < filled.length; i++) {
      const one = filled[i];
      const cell = one === undefined ? null : cells[one.position];
      if (one !== undefined && cell !== null && cell !== undefined) row[one.field] = one.read(cell);
    }
    return row;
  };
}

interface CellReader {
  field: string;
  read: (cell: string | number) => Value;
}

/** Which fields a row has. */
interface Pattern {
  present: readonly boolean[];
  /** A row with all of them and no values. */
  empty: Row;
  filled: (CellReader & { position: number })[];
}

function patternWith(readers: readonly CellReader[], present: readonly boolean[]): Pattern {
  const filled = readers.flatMap((reader, position) => (present[position] ? [{ ...reader, position }] : []));
  return { present, empty: { id: '', ...Object.fromEntries(filled.map(({ field }) => [field, ''])) }, filled };
}

function fits({ present }: Pattern, cells: readonly SqlValue[]): boolean {
  for (let i = 0; i < present.length; i++) {
    if (present[i] !== (cells[i] !== null && cells[i] !== undefined)) return false;
  }
  return true;
}

const cellReaders = {
  text: (cell: string | number): Value => cell,
  // Some back ends return 64-bit integers as text.
  integer: (cell: string | number): Value => Number(cell),
  real: (cell: string | number): Value => cell,
  boolean: (cell: string | number): Value => Number(cell) === 1,
  json: (cell: string | number): Value => JSON.parse(String(cell)) as Value,
} satisfies Record<Column['type'], (cell: string | number) => Value>;
