import { storableText } from '../../../../model/text.js';
import type { Among, Change, Condition, Query, Row, Table, TextQuery, Value } from '../../contract.js';
import type { Bind, Dialect, Statement, Target } from './dialect.js';
import { columnOf, encode, newStatement, quoted } from './dialect.js';

/** SQL for queries and changes, shared by both SQL drivers. */

/** Reading statements; the writing ones follow below. */
export function findStatement(target: Target, query: Query): Statement & { fields: string[] } {
  const { table } = target;
  const { parameters, bind } = newStatement(target.dialect);
  const fields = [...new Set(['id', ...(query.fields ?? Object.keys(table.columns))])];
  for (const field of fields) columnOf(table, field);
  const text = [
    `SELECT ${fields.map((field) => `t.${quoted(field)}`).join(', ')} FROM ${quoted(table.name)} AS t`,
    `WHERE ${whereText(target, query.where ?? [], bind)}`,
    ...afterText(table, query, bind),
    `ORDER BY ${orderText(table, query)}`,
    ...(query.limit === undefined ? [] : [`LIMIT ${bind(wholeLimit(query.limit))}`]),
  ].join(' ');
  return { table: table.name, text, parameters, fields };
}

export function countStatement(target: Target, where: readonly Condition[]): Statement {
  const { parameters, bind } = newStatement(target.dialect);
  const { name } = target.table;
  const text = `SELECT COUNT(*) FROM ${quoted(name)} AS t WHERE ${whereText(target, where, bind)}`;
  return { table: name, text, parameters };
}

/** Undefined when there are no terms to search for: the result is empty without a query. */
export function searchStatement(
  target: Target,
  query: TextQuery & { holding?: readonly string[] },
): Statement | undefined {
  const { dialect, table } = target;
  if (table.terms === undefined) throw new Error(`table ${table.name} has no search terms`);
  const terms = searchTermsOf(query);
  if (terms.length === 0) return undefined;
  const { parameters, bind } = newStatement(dialect);
  const where = () => whereText(target, query.where ?? [], bind);
  const { among } = query;
  const values = among?.values.map((value) => encode(table, among.field, value));
  const counting = among && {
    among: (name: string) => dialect.inList(`${name}.${quoted(among.field)}`, bind(JSON.stringify(values)), 'text'),
  };
  const runs = query.runs?.map((run) => searchTermsOf({ terms: run }, 'repeated')).filter((run) => run.length > 0);
  const limit = wholeLimit(query.limit);
  const { holding } = query;
  const text = dialect.searchTerms({
    table,
    bind,
    terms,
    runs,
    where,
    limit,
    ...counting,
    ...(holding && { holding }),
  });
  return { table: table.name, text, parameters };
}

/** The searchable terms: a term with a blank would have been split when it was indexed. */
export function searchTermsOf(
  { terms }: { terms: readonly string[] },
  repeats: 'distinct' | 'repeated' = 'distinct',
): string[] {
  const all = terms.flatMap((term) => storableText(term).split(' ')).filter((term) => term !== '');
  return repeats === 'repeated' ? all : [...new Set(all)];
}

function orderText(table: Table, query: Query): string {
  const direction = query.order?.direction === 'desc' ? 'DESC' : 'ASC';
  const by = query.order?.by ?? 'id';
  if (by === 'id') return `t."id" ${direction}`;
  refuseJson(table, by);
  const column = `t.${quoted(by)}`;
  // Back ends disagree on where NULL sorts; here rows without the field come last in both directions.
  const absentLast = columnOf(table, by).optional ? `${column} IS NULL, ` : '';
  return `${absentLast}${column} ${direction}, t."id" ${direction}`;
}

function afterText(table: Table, query: Query, bind: Bind): string[] {
  if (query.after === undefined) return [];
  const sign = query.order?.direction === 'desc' ? '<' : '>';
  const by = query.order?.by ?? 'id';
  if (by === 'id') return [`AND t."id" ${sign} ${bind(storableText(query.after.id))}`];
  // `after` cannot name a row without the ordering value, so paging would silently skip those rows.
  if (columnOf(table, by).optional) throw new Error(`table ${table.name} cannot be paged by its optional field ${by}`);
  const value = bind(encode(table, by, query.after.value));
  return [`AND (t.${quoted(by)}, t."id") ${sign} (${value}, ${bind(storableText(query.after.id))})`];
}

function wholeLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new Error('a limit must be a whole number of at least 0');
}

/** The conditions, joined by AND, on the table alias `t`; an empty list is true. */
export function whereText(target: Target, where: readonly Condition[], bind: Bind): string {
  const byIds = where.some((condition) => condition.is === 'in' && condition.field === 'id');
  const parts = where.map((condition) => conditionText(target, condition, bind, byIds));
  return parts.length === 0 ? '1 = 1' : parts.join(' AND ');
}

function conditionText(target: Target, condition: Condition, bind: Bind, byIds: boolean): string {
  const { dialect, table } = target;
  if (condition.is === 'either') {
    const lists = condition.of.map((list) => list.map((each) => conditionText(target, each, bind, byIds)));
    const texts = lists.map((parts) => (parts.length === 0 ? '1 = 1' : parts.join(' AND ')));
    return texts.length === 0 ? '1 = 0' : `(${texts.map((text) => `(${text})`).join(' OR ')})`;
  }
  const { type } = columnOf(table, condition.field);
  const named = `t.${quoted(condition.field)}`;
  // A list of ids is short, so the rows are found by id and by no other index.
  const column = byIds && condition.field !== 'id' ? dialect.unindexed(named) : named;
  switch (condition.is) {
    case 'eq':
    case 'gte':
    case 'lte':
      refuseJson(table, condition.field);
      return `${column} ${comparisons[condition.is]} ${bind(encode(table, condition.field, condition.value))}`;
    case 'in': {
      refuseJson(table, condition.field);
      const values = condition.value.map((value) => encode(table, condition.field, value));
      const [first] = values;
      if (first === undefined) return '1 = 0';
      // A single value as an equality lets an index provide the order too.
      if (values.length === 1) return `${column} = ${bind(first)}`;
      return dialect.inList(column, bind(JSON.stringify(values)), type);
    }
    case 'absent':
      return `${column} IS NULL`;
    case 'has':
      if (type !== 'json') throw new Error(`field ${condition.field} of table ${table.name} is not json`);
      return dialect.hasText(column, condition.value, bind);
    default:
      return condition satisfies never;
  }
}

/** Json is stored as text, in which equal values may be written differently. */
function refuseJson(table: Table, field: string): void {
  if (columnOf(table, field).type !== 'json') return;
  throw new Error(`field ${field} of table ${table.name} is json and cannot be compared or ordered`);
}

const comparisons = { eq: '=', gte: '>=', lte: '<=' } as const;

/**
 * Whether the table has rows with other values: one index look-up for each gap between the values. If not, the
 * statistics of the whole table apply and cost nothing.
 */
export function othersStatement({ dialect, table }: Target, { field, values }: Among): Statement {
  columnOf(table, field);
  const { parameters, bind } = newStatement(dialect);
  const sorted = [...new Set(values)].map((value) => encode(table, field, value)).sort();
  const column = `t.${quoted(field)}`;
  const gaps = [undefined, ...sorted].map((low, at) => {
    const high = sorted[at];
    const bounds = [
      ...(low === undefined ? [] : [`${column} > ${bind(low)}`]),
      ...(high === undefined ? [] : [`${column} < ${bind(high)}`]),
    ];
    return `EXISTS (SELECT 1 FROM ${quoted(table.name)} AS t WHERE ${bounds.join(' AND ')})`;
  });
  return { table: table.name, text: `SELECT CASE WHEN ${gaps.join(' OR ')} THEN 1 ELSE 0 END`, parameters };
}

/** The statements of one change, to run in order in one transaction. */
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

function insertStatement(target: Target, row: Row): Statement {
  return rowStatement(target, row, 'insert');
}

function putStatement(target: Target, row: Row): Statement {
  return rowStatement(target, row, 'put');
}

function rowStatement(target: Target, row: Row, how: 'insert' | 'put'): Statement {
  const { table } = target;
  if (typeof row.id !== 'string' || row.id === '') throw new Error(`a row of table ${table.name} needs an id`);
  for (const field of Object.keys(row)) if (field !== table.terms) columnOf(table, field);
  const { fields, [how]: text } = rowTexts(target);
  return { table: table.name, text, parameters: fields.map((field) => encode(table, field, row[field])) };
}

interface RowTexts {
  fields: readonly string[];
  insert: string;
  put: string;
}

/** Built once for each table: an import writes dozens of rows for each conversation. */
const knownTexts = new WeakMap<Dialect, WeakMap<Table, RowTexts>>();

/** Names every column, including absent ones, so that a table has one insert text and one prepared statement. */
function rowTexts({ dialect, table }: Target): RowTexts {
  const ofDialect = knownTexts.get(dialect) ?? new WeakMap<Table, RowTexts>();
  knownTexts.set(dialect, ofDialect);
  const known = ofDialect.get(table);
  if (known !== undefined) return known;
  const fields = ['id', ...Object.keys(table.columns)];
  const values = fields.map((_, position) => dialect.placeholder(position + 1));
  const insert = `INSERT INTO ${quoted(table.name)} (${fields.map(quoted).join(', ')}) VALUES (${values.join(', ')})`;
  const sets = fields.map((field) => `${quoted(field)} = excluded.${quoted(field)}`);
  const texts = { fields, insert, put: `${insert} ON CONFLICT ("id") DO UPDATE SET ${sets.join(', ')}` };
  ofDialect.set(table, texts);
  return texts;
}

function patchStatements(target: Target, patch: Extract<Change, { kind: 'patch' }>): Statement[] {
  const { dialect, table } = target;
  const ids = [...new Set(patch.ids.map(storableText))];
  if (ids.length === 0) return [];
  const { parameters, bind } = newStatement(dialect);
  const fields = Object.keys(patch.set).filter((field) => field !== table.terms);
  if (fields.includes('id')) throw new Error(`the id of a row of table ${table.name} cannot be changed`);
  const sets = fields.map((field) => `${quoted(field)} = ${bind(encode(table, field, patch.set[field]))}`);
  // With nothing to set, `when` must still be checked, and setting the id to itself changes nothing.
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
  // Terms are removed first, because they are found through the rows.
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
