import type { Condition, Table } from '../../contract.js';
import { type Bind, quoted, type Target } from './dialect.js';
import { columnOf, encode } from './values.js';

/** The conditions, joined by AND, on the table under its alias `t`; the empty list is true. */
export function whereText(target: Target, where: readonly Condition[], bind: Bind): string {
  const byIds = where.some(({ field, is }) => field === 'id' && is === 'in');
  const parts = where.map((condition) => conditionText(target, condition, bind, byIds));
  return parts.length === 0 ? '1 = 1' : parts.join(' AND ');
}

function conditionText({ dialect, table }: Target, condition: Condition, bind: Bind, byIds: boolean): string {
  const { type } = columnOf(table, condition.field);
  const named = `t.${quoted(condition.field)}`;
  // Ids are few: the rows are found by them and by nothing else.
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
      // One value as an equality lets an index give the order too.
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

/** Json is kept as text, and equal values may be written differently. */
export function refuseJson(table: Table, field: string): void {
  if (columnOf(table, field).type !== 'json') return;
  throw new Error(`field ${field} of table ${table.name} is json and cannot be compared or ordered`);
}

const comparisons = { eq: '=', gte: '>=', lte: '<=' } as const;
