import type { Among } from '../../contract.js';
import { newStatement, quoted, type Statement, type Target } from './dialect.js';
import { columnOf, encode } from './values.js';

/**
 * Whether the table holds rows of anybody else: one look into the index for each gap between the values. Where it does
 * not, the statistics of the whole table are those of the rows asked about, and they cost nothing.
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
