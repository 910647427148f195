import type { MetadataStore, Query, Table } from '../../contract.js';
import { columnOf } from '../../shared/sql/values.js';
import type { Collection, InSession } from './client.js';
import { afterFilter, filterOf, nameOf, refuseJson, rowOf } from './documents.js';

/** The table of a name and the collection of its rows; throws for an unknown name, and while nothing is open. */
export type Source = (name: string) => { table: Table; rows: Collection };

/** The plain reads, inside a session or outside any. */
export function plainReads(source: Source, options: InSession): Pick<MetadataStore, 'find' | 'count'> {
  return {
    async find(name, query = {}) {
      const { table, rows } = source(name);
      const fields = [...new Set(['id', ...(query.fields ?? Object.keys(table.columns))])];
      const projection = Object.fromEntries(fields.map((field) => [fieldOf(table, field), 1]));
      const documents = await ordered(table, query, (filter, sort, limit) => {
        const cursor = rows.find(filter, { ...options, projection }).sort(sort);
        return (limit === undefined ? cursor : cursor.limit(limit)).toArray();
      });
      return documents.map((document) => rowOf(table, document, fields));
    },

    async count(name, where = []) {
      const { table, rows } = source(name);
      return rows.countDocuments(filterOf(table, where), options);
    },
  };
}

type Documents = Awaited<ReturnType<ReturnType<Collection['find']>['toArray']>>;
type Ask = (filter: object, sort: Record<string, 1 | -1>, limit: number | undefined) => Promise<Documents>;

/** Rows without the ordering field come last in both directions; the server would put them first in one of them. */
async function ordered(table: Table, query: Query, ask: Ask): Promise<Documents> {
  const { limit, where = [], order } = query;
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0)) {
    throw new Error('a limit must be a whole number of at least 0');
  }
  const by = order?.by ?? 'id';
  refuseJson(table, by);
  const direction = order?.direction === 'desc' ? -1 : 1;
  const filter = { $and: [filterOf(table, where), afterFilter(table, query)] };
  const byId = { _id: direction } as const;
  // To the server a limit of 0 is none.
  if (limit === 0) return [];
  if (by === 'id') return ask(filter, byId, limit);
  const sort = { [nameOf(by)]: direction, ...byId } as const;
  if (columnOf(table, by).optional !== true) return ask(filter, sort, limit);
  const present = await ask({ ...filter, [by]: { $exists: true } }, sort, limit);
  const left = limit === undefined ? undefined : limit - present.length;
  const absent = left === 0 ? [] : await ask({ ...filter, [by]: { $exists: false } }, byId, left);
  return [...present, ...absent];
}

function fieldOf(table: Table, field: string): string {
  columnOf(table, field);
  return nameOf(field);
}
