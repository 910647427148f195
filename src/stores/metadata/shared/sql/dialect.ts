import type { Column, Table } from '../../contract.js';
import type { SqlValue } from './values.js';

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
