import { describe, expect, it } from 'vitest';
import type { Change, Table } from '../../../src/stores/metadata/contract.js';
import { sqliteDialect } from '../../../src/stores/metadata/drivers/sqlite/schema.js';
import { type Dialect, rowDecoder } from '../../../src/stores/metadata/shared/sql/dialect.js';
import {
  changeStatements,
  countStatement,
  findStatement,
  searchStatement,
} from '../../../src/stores/metadata/shared/sql/sql.js';

const chunks: Table = {
  name: 'chunks',
  columns: {
    scope: { type: 'text' },
    rank: { type: 'integer' },
    weight: { type: 'real', optional: true },
    done: { type: 'boolean', optional: true },
    tags: { type: 'json', optional: true },
  },
  terms: 'terms',
};
const target = { dialect: sqliteDialect, table: chunks };
const numbered: Dialect = { ...sqliteDialect, placeholder: (position) => `$${position}` };

describe('reading statements', () => {
  it('binds every value and names only defined fields', () => {
    expect(
      findStatement(target, {
        where: [
          { field: 'scope', is: 'in', value: ['a', 'b'] },
          { field: 'tags', is: 'has', value: "x'" },
          { field: 'weight', is: 'absent' },
          { field: 'done', is: 'eq', value: true },
        ],
        order: { by: 'rank', direction: 'desc' },
        after: { value: 7, id: 'c' },
        limit: 3,
        fields: ['rank'],
      }),
    ).toEqual({
      table: 'chunks',
      text: [
        'SELECT t."id", t."rank" FROM "chunks" AS t',
        'WHERE t."scope" IN (SELECT value FROM json_each(?))',
        'AND EXISTS (SELECT 1 FROM json_each(t."tags") AS held WHERE held.value = ?)',
        'AND t."weight" IS NULL AND t."done" = ?',
        'AND (t."rank", t."id") < (?, ?)',
        'ORDER BY t."rank" DESC, t."id" DESC LIMIT ?',
      ].join(' '),
      parameters: ['["a","b"]', "x'", 1, 7, 'c', 3],
      fields: ['id', 'rank'],
    });
  });

  it('has the same text for lists of any length above one', () => {
    const textOf = (length: number) =>
      countStatement(target, [{ field: 'scope', is: 'in', value: Array.from({ length }, String) }]).text;
    expect(textOf(10_000)).toBe(textOf(2));
    expect(textOf(1)).toBe('SELECT COUNT(*) FROM "chunks" AS t WHERE t."scope" = ?');
    expect(textOf(0)).toBe('SELECT COUNT(*) FROM "chunks" AS t WHERE 1 = 0');
  });

  it('numbers the placeholders where the dialect wants it', () => {
    const where = [
      { field: 'scope', is: 'eq', value: 'a' },
      { field: 'rank', is: 'gte', value: 1 },
    ] as const;
    expect(countStatement({ dialect: numbered, table: chunks }, where).text).toBe(
      'SELECT COUNT(*) FROM "chunks" AS t WHERE t."scope" = $1 AND t."rank" >= $2',
    );
  });

  it('quotes search terms, drops repeats and binds in the order of the text', () => {
    const where = [{ field: 'scope', is: 'eq', value: 's' } as const];
    const statement = searchStatement(target, { terms: ['a"b', 'OR', 'a"b'], where, limit: 5 });
    expect(statement?.parameters).toEqual(['"a""b" OR "OR"', 's', 5]);
    expect(searchStatement(target, { terms: [' '], limit: 5 })).toBeUndefined();
  });

  it.each([
    ['an unknown field', () => countStatement(target, [{ field: 'nope', is: 'absent' }]), 'chunks has no field nope'],
    ['an inherited name', () => findStatement(target, { fields: ['constructor'] }), 'chunks has no field constructor'],
    ['a value of another type', () => countStatement(target, [{ field: 'rank', is: 'eq', value: 'x' }]), 'rank'],
    ['a fraction for an integer', () => countStatement(target, [{ field: 'rank', is: 'lte', value: 1.5 }]), 'rank'],
    ['a comparison of json', () => countStatement(target, [{ field: 'tags', is: 'eq', value: 'x' }]), 'tags'],
    ['has on a text', () => countStatement(target, [{ field: 'scope', is: 'has', value: 'x' }]), 'scope'],
    [
      'paging by an optional field',
      () => findStatement(target, { order: { by: 'weight', direction: 'asc' }, after: { value: 1, id: 'a' } }),
      'weight',
    ],
    ['a limit below zero', () => findStatement(target, { limit: -1 }), 'limit'],
  ])('refuses %s', (_what, build, message) => {
    expect(build).toThrow(message);
  });
});

describe('writing statements', () => {
  it('inserts every column, absent ones as null, and indexes the terms', () => {
    const row = { id: 'c', scope: 's', rank: 1, tags: ['x'], terms: 'a b' };
    expect(changeStatements(target, { kind: 'insert', table: 'chunks', row })).toEqual([
      {
        table: 'chunks',
        text: 'INSERT INTO "chunks" ("id", "scope", "rank", "weight", "done", "tags") VALUES (?, ?, ?, ?, ?, ?)',
        parameters: ['c', 's', 1, null, null, '["x"]'],
      },
      {
        table: 'chunks',
        text: 'INSERT INTO "chunks_terms" (rowid, terms) SELECT seq, ? FROM "chunks" WHERE "id" = ?',
        parameters: ['a b', 'c'],
      },
    ]);
  });

  it('counts the rows a conditional patch must touch', () => {
    const patch: Change = {
      kind: 'patch',
      table: 'chunks',
      ids: ['a', 'b', 'a'],
      set: { rank: 2, weight: undefined },
      when: { scope: 's' },
    };
    expect(changeStatements(target, patch)).toEqual([
      {
        table: 'chunks',
        text: [
          'UPDATE "chunks" AS t SET "rank" = ?, "weight" = ?',
          'WHERE t."id" IN (SELECT value FROM json_each(?)) AND t."scope" = ?',
        ].join(' '),
        parameters: [2, null, '["a","b"]', 's'],
        mustChange: 2,
      },
    ]);
  });

  it.each([
    ['an unknown field', { kind: 'insert', table: 'chunks', row: { id: 'a', nope: 1 } }, 'nope'],
    ['an empty id', { kind: 'put', table: 'chunks', row: { id: '' } }, 'id'],
    ['a change of the id', { kind: 'patch', table: 'chunks', ids: ['a'], set: { id: 'b' } }, 'id'],
    ['an expectation on json', { kind: 'patch', table: 'chunks', ids: ['a'], set: {}, when: { tags: [] } }, 'tags'],
    ['terms that are no text', { kind: 'patch', table: 'chunks', ids: ['a'], set: { terms: 1 } }, 'terms'],
  ] satisfies [string, Change, string][])('refuses %s', (_what, change, message) => {
    expect(() => changeStatements(target, change)).toThrow(message);
  });
});

describe('rows', () => {
  it('leave absent fields out and get their types back', () => {
    const decode = rowDecoder(chunks, ['id', 'rank', 'weight', 'done', 'tags']);
    const rows = [
      ['a', 1, null, 0, '["x"]'],
      ['b', 2, null, 1, '[]'],
      ['c', null, 0.5, null, null],
      ['d', 4, null, 0, '["y"]'],
    ].map(decode);
    expect(rows).toStrictEqual([
      { id: 'a', rank: 1, done: false, tags: ['x'] },
      { id: 'b', rank: 2, done: true, tags: [] },
      { id: 'c', weight: 0.5 },
      { id: 'd', rank: 4, done: false, tags: ['y'] },
    ]);
  });
});
