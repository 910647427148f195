import { storableText } from '../../../../model/text.js';
import type { Change, Row, Value } from '../../contract.js';
import { type Dialect, newStatement, quoted, type Statement, type Target } from './dialect.js';
import { refuseJson } from './sql.js';
import { columnOf, encode } from './values.js';

/** The statements of one change, to be run in order in one transaction. */
export function changeStatements(target: Target, change: Change): Statement[] {
  switch (change.kind) {
    case 'insert':
      return [insertStatement(target, change.row), ...freshTerms(target, change.row)];
    case 'put':
      return [putStatement(target, change.row), ...replacedTerms(target, change.row, 'put')];
    case 'patch':
      return patchStatements(target, change);
    case 'remove':
      return removeStatements(target, change.ids.map(storableText));
    default:
      return change satisfies never;
  }
}

/** Names every column, also absent ones, so that a table has one insert text and one prepared statement. */
function insertStatement({ dialect, table }: Target, row: Row): Statement {
  if (typeof row.id !== 'string' || row.id === '') throw new Error(`a row of table ${table.name} needs an id`);
  for (const field of Object.keys(row)) if (field !== table.terms) columnOf(table, field);
  const { parameters, bind } = newStatement(dialect);
  const fields = ['id', ...Object.keys(table.columns)];
  const values = fields.map((field) => bind(encode(table, field, row[field])));
  const text = `INSERT INTO ${quoted(table.name)} (${fields.map(quoted).join(', ')}) VALUES (${values.join(', ')})`;
  return { table: table.name, text, parameters };
}

function putStatement(target: Target, row: Row): Statement {
  const insert = insertStatement(target, row);
  const sets = ['id', ...Object.keys(target.table.columns)].map(
    (field) => `${quoted(field)} = excluded.${quoted(field)}`,
  );
  return { ...insert, text: `${insert.text} ON CONFLICT ("id") DO UPDATE SET ${sets.join(', ')}` };
}

function patchStatements(target: Target, patch: Extract<Change, { kind: 'patch' }>): Statement[] {
  const { dialect, table } = target;
  const ids = [...new Set(patch.ids.map(storableText))];
  if (ids.length === 0) return [];
  const { parameters, bind } = newStatement(dialect);
  const fields = Object.keys(patch.set).filter((field) => field !== table.terms);
  if (fields.includes('id')) throw new Error(`the id of a row of table ${table.name} cannot be changed`);
  const sets = fields.map((field) => `${quoted(field)} = ${bind(encode(table, field, patch.set[field]))}`);
  // Nothing to set still has to check `when`, and setting the id to itself changes nothing.
  if (sets.length === 0) sets.push('"id" = "id"');
  const holds = [idsText(dialect, bind(JSON.stringify(ids)))];
  for (const [field, value] of Object.entries(patch.when ?? {})) {
    refuseJson(table, field);
    holds.push(`t.${quoted(field)} = ${bind(encode(table, field, value))}`);
  }
  const text = `UPDATE ${quoted(table.name)} AS t SET ${sets.join(', ')} WHERE ${holds.join(' AND ')}`;
  const update = { table: table.name, text, parameters, ...(patch.when && { mustChange: ids.length }) };
  const { terms } = table;
  if (terms === undefined || !Object.hasOwn(patch.set, terms)) return [update];
  const termRows = ids.map((id) => ({ id, [terms]: patch.set[terms] }));
  return [update, ...termRows.flatMap((row) => replacedTerms(target, row, 'patched'))];
}

function removeStatements(target: Target, ids: readonly string[]): Statement[] {
  if (ids.length === 0) return [];
  const { dialect, table } = target;
  const { parameters, bind } = newStatement(dialect);
  const text = `DELETE FROM ${quoted(table.name)} AS t WHERE ${idsText(dialect, bind(JSON.stringify(ids)))}`;
  const remove = { table: table.name, text, parameters };
  // The terms go first: they are found through the rows.
  return table.terms === undefined ? [remove] : [clearStatement(target, ids), remove];
}

type TermRow = { id: string } & { [field: string]: Value | undefined };

function freshTerms(target: Target, row: TermRow): Statement[] {
  const terms = termsOf(target, row);
  return terms === undefined ? [] : [termStatement(target, { id: row.id, terms, row: 'new' })];
}

function replacedTerms(target: Target, row: TermRow, how: 'put' | 'patched'): Statement[] {
  if (target.table.terms === undefined) return [];
  const terms = termsOf(target, row);
  if (terms === undefined) return [clearStatement(target, [storableText(row.id)])];
  return [termStatement(target, { id: row.id, terms, row: how })];
}

function termsOf({ table }: Target, row: TermRow): string | undefined {
  if (table.terms === undefined) return undefined;
  const terms = row[table.terms];
  if (terms === undefined || typeof terms === 'string') return terms;
  throw new Error(`field ${table.terms} of table ${table.name} must be text`);
}

function termStatement(
  { dialect, table }: Target,
  given: { id: string; terms: string; row: 'new' | 'put' | 'patched' },
): Statement {
  const { parameters, bind } = newStatement(dialect);
  const id = storableText(given.id);
  const text = dialect.setTerms({ table, bind, id, terms: storableText(given.terms), row: given.row });
  return { table: table.name, text, parameters };
}

function clearStatement({ dialect, table }: Target, ids: readonly string[]): Statement {
  const { parameters, bind } = newStatement(dialect);
  const text = dialect.clearTerms({ table, bind, ids });
  return { table: table.name, text, parameters };
}

function idsText(dialect: Dialect, list: string): string {
  return dialect.inList('t."id"', list, 'text');
}
