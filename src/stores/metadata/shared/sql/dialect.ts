import type { Column, Table } from '../../contract.js';
import type { SqlValue } from './values.js';

/** One statement, ready to run: identifiers come from table definitions, every value is a parameter. */
export interface Statement {
  table: string;
  text: string;
  parameters: SqlValue[];
  /** It must touch exactly this many rows, else the write is a conflict. */
  mustChange?: number;
}

/** What a statement is built for. */
export interface Target {
  dialect: Dialect;
  table: Table;
}

/** Adds a parameter and returns its placeholder. Call it in the order of the placeholders in the text. */
export type Bind = (value: SqlValue) => string;

/**
 * Where two SQL back ends differ. Columns are given quoted and qualified, lists are bound as one JSON text so that a
 * statement's text, and with it its prepared form, does not depend on how many values it is given.
 */
export interface Dialect {
  /** The parameter at this position, counted from 1. */
  placeholder(position: number): string;
  /** The column where no index on it is to be used. */
  unindexed(column: string): string;
  /** The column's value is in the JSON array. */
  inList(column: string, list: string, type: Column['type']): string;
  /** The JSON array in the column holds the text. */
  hasText(column: string, text: string, bind: Bind): string;
  /** Keeps the search terms of a row: a new one, one that was just put, or one that a patch names and may not exist. */
  setTerms(input: { table: Table; bind: Bind; id: string; terms: string; row: 'new' | 'put' | 'patched' }): string;
  clearTerms(input: { table: Table; bind: Bind; ids: readonly string[] }): string;
  /** Selects id and score, best first, ties by id. `where` binds its own values, and nothing is cut before it holds. */
  searchTerms(input: {
    table: Table;
    bind: Bind;
    terms: readonly string[];
    /** Where given, rows with every term of each run instead of rows with any of the terms. */
    runs: readonly (readonly string[])[] | undefined;
    where: () => string;
    /** A condition on the rows whose statistics count, of the table under this name; absent: all rows. */
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
