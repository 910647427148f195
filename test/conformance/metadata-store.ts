import { describe, expect, it } from 'vitest';
import {
  type Change,
  type Condition,
  type MetadataStore,
  type Query,
  type Row,
  type Table,
  WriteConflict,
} from '../../src/stores/metadata/contract.js';
import fc from '../support/properties.js';

export interface MetadataHarness {
  /** A new, empty store, opened with these tables. */
  open(tables: readonly Table[]): Promise<MetadataStore>;
  /** Closes the store and opens the same data again. Leave it out when nothing outlives a close. */
  reopen?(store: MetadataStore, tables: readonly Table[]): Promise<{ store: MetadataStore; schemaVersion: number }>;
  /** Cases the back end cannot pass, by title. They are run and expected to fail, so that a stale skip is noticed. */
  skip?: readonly { reason: string; cases: readonly string[] }[];
  /** Cases that cannot even be tried there, by title, because they would never end. */
  leaveOut?: readonly { reason: string; cases: readonly string[] }[];
}

const things: Table = {
  name: 'things',
  columns: {
    rank: { type: 'integer' },
    title: { type: 'text', optional: true },
    weight: { type: 'real', optional: true },
    done: { type: 'boolean', optional: true },
    tags: { type: 'json', optional: true },
    extra: { type: 'json', optional: true },
    owner: { type: 'text', optional: true },
    code: { type: 'text', optional: true },
  },
  unique: [['owner', 'code']],
  indexes: [['owner', 'rank']],
  terms: 'terms',
};
const notes: Table = { name: 'notes', columns: { text: { type: 'text' } } };
const note = { id: 'n', text: 'a note' };
const tables = [things, notes];
const hexDigit = fc.constantFrom(...'0123456789abcdef');

/** The promises of the metadata contract; every driver's test file calls this. */
export function describeMetadataStore(name: string, harness: MetadataHarness): void {
  const skipped = new Set((harness.skip ?? []).flatMap(({ cases }) => cases));
  const leftOut = new Set((harness.leaveOut ?? []).flatMap(({ cases }) => cases));
  const titles = new Set<string>();

  describe(`${name} as a metadata store`, () => {
    describe('a snapshot', () => {
      check('stays as it was while rows are added, changed and removed', async (store) => {
        await store.write([insert(aThing({ id: 'a', rank: 1 })), insert(aThing({ id: 'b', rank: 2 }))]);
        const snapshot = await store.snapshot();
        await store.write([
          insert(aThing({ id: 'c', rank: 3 })),
          { kind: 'patch', table: 'things', ids: ['a'], set: { rank: 9 } },
          { kind: 'remove', table: 'things', ids: ['b'] },
        ]);
        expect(await snapshot.find('things', { fields: ['rank'] })).toEqual([
          { id: 'a', rank: 1 },
          { id: 'b', rank: 2 },
        ]);
        expect(await snapshot.count('things')).toBe(2);
        await snapshot.close();
        expect(await store.count('things')).toBe(2);
        expect((await store.find('things')).map(({ id }) => id)).toEqual(['a', 'c']);
      });
    });

    describe('writing', () => {
      check('inserts a row and returns it with every kind of value', async (store) => {
        const row = aThing({
          id: 'a',
          rank: -7,
          title: 'One',
          weight: 0.25,
          done: false,
          tags: ['x', 'y'],
          extra: { deep: [1, { flag: true }], text: '' },
          owner: 'o',
          code: 'c',
        });
        await store.write([insert(row)]);
        expect(await store.find('things')).toEqual([row]);
      });

      check('leaves absent fields out and keeps empty ones', async (store) => {
        await store.write([insert(aThing({ id: 'a' })), insert(aThing({ id: 'b', title: '', tags: [], extra: {} }))]);
        expect(await store.find('things')).toEqual([
          { id: 'a', rank: 0 },
          { id: 'b', rank: 0, title: '', tags: [], extra: {} },
        ]);
      });

      check('treats a field given as undefined as absent', async (store) => {
        await store.write([insert({ id: 'a', rank: 1, title: undefined })]);
        const [row] = await store.find('things');
        expect(Object.keys(row ?? {}).sort()).toEqual(['id', 'rank']);
      });

      check('refuses to insert an existing id', async (store) => {
        await store.write([insert(aThing({ id: 'a', rank: 1 }))]);
        await expect(store.write([insert(aThing({ id: 'a', rank: 2 }))])).rejects.toBeInstanceOf(WriteConflict);
        expect(await store.find('things')).toEqual([{ id: 'a', rank: 1 }]);
      });

      check('names the table in a conflict', async (store) => {
        await store.write([insert(aThing({ id: 'a' }))]);
        await expect(store.write([insert(aThing({ id: 'a' }))])).rejects.toMatchObject({ table: 'things' });
      });

      check('refuses a broken unique key on insert, put and patch', async (store) => {
        await store.write([
          insert(aThing({ id: 'a', owner: 'o', code: 'c' })),
          insert(aThing({ id: 'b', owner: 'o', code: 'd' })),
        ]);
        const taken = { owner: 'o', code: 'c' };
        const attempts: Change[] = [
          insert(aThing({ id: 'x', ...taken })),
          put(aThing({ id: 'x', ...taken })),
          put(aThing({ id: 'b', ...taken })),
          { kind: 'patch', table: 'things', ids: ['b'], set: { code: 'c' } },
        ];
        for (const attempt of attempts) await expect(store.write([attempt])).rejects.toBeInstanceOf(WriteConflict);
        expect(await idsOf(store, { where: [{ field: 'code', is: 'eq', value: 'c' }] })).toEqual(['a']);
      });

      check('lets any number of rows lack a part of a unique key', async (store) => {
        await store.write([insert(aThing({ id: 'a', owner: 'o' })), insert(aThing({ id: 'b', owner: 'o' }))]);
        expect(await store.count('things')).toBe(2);
      });

      check('replaces the whole row on put', async (store) => {
        await store.write([put(aThing({ id: 'a', title: 'old', done: true }))]);
        await store.write([put(aThing({ id: 'a', rank: 2, owner: 'o' }))]);
        expect(await store.find('things')).toEqual([{ id: 'a', rank: 2, owner: 'o' }]);
      });

      check('patches only the fields it names, and removes those set to undefined', async (store) => {
        await store.write([insert(aThing({ id: 'a', rank: 1, title: 't', owner: 'o' })), insert(aThing({ id: 'b' }))]);
        const set = { title: undefined, done: true };
        await store.write([{ kind: 'patch', table: 'things', ids: ['a', 'b', 'unknown'], set }]);
        expect(await store.find('things')).toEqual([
          { id: 'a', rank: 1, owner: 'o', done: true },
          { id: 'b', rank: 0, done: true },
        ]);
      });

      check('patches all rows when each holds the expected values', async (store) => {
        await store.write([insert(aThing({ id: 'a', done: false })), insert(aThing({ id: 'b', done: false }))]);
        await store.write([
          { kind: 'patch', table: 'things', ids: ['a', 'b', 'a'], set: { rank: 5 }, when: { done: false, rank: 0 } },
        ]);
        expect(await store.count('things', [{ field: 'rank', is: 'eq', value: 5 }])).toBe(2);
      });

      check('patches nothing when one row is missing, differs or lacks the expected field', async (store) => {
        await store.write([insert(aThing({ id: 'a', title: 'x' })), insert(aThing({ id: 'b', title: 'y' }))]);
        await store.write([insert(aThing({ id: 'c' }))]);
        for (const other of ['b', 'c', 'unknown']) {
          const change: Change = {
            kind: 'patch',
            table: 'things',
            ids: ['a', other],
            set: { rank: 9 },
            when: { title: 'x' },
          };
          await expect(store.write([change])).rejects.toBeInstanceOf(WriteConflict);
        }
        expect(await store.count('things', [{ field: 'rank', is: 'eq', value: 9 }])).toBe(0);
      });

      check('removes rows and ignores unknown ids', async (store) => {
        await store.write([insert(aThing({ id: 'a' })), insert(aThing({ id: 'b' }))]);
        await store.write([{ kind: 'remove', table: 'things', ids: ['a', 'unknown'] }]);
        expect(await idsOf(store)).toEqual(['b']);
      });

      check(
        'removes a row only while it holds the expected values, when the same batch asks for them',
        async (store) => {
          await store.write([insert(aThing({ id: 'a', rank: 1 })), { kind: 'insert', table: 'notes', row: note }]);
          const removal = (rank: number): Change[] => [
            { kind: 'patch', table: 'things', ids: ['a'], set: {}, when: { rank } },
            { kind: 'remove', table: 'things', ids: ['a'] },
            { kind: 'remove', table: 'notes', ids: ['n'] },
          ];
          await expect(store.write(removal(2))).rejects.toBeInstanceOf(WriteConflict);
          expect([await store.count('things'), await store.count('notes')]).toEqual([1, 1]);
          await store.write(removal(1));
          expect([await store.count('things'), await store.count('notes')]).toEqual([0, 0]);
          await expect(store.write(removal(1))).rejects.toBeInstanceOf(WriteConflict);
        },
      );

      check('does nothing for empty lists', async (store) => {
        await store.write([]);
        await store.write([
          { kind: 'remove', table: 'things', ids: [] },
          { kind: 'patch', table: 'things', ids: [], set: { rank: 1 }, when: { rank: 0 } },
        ]);
        expect(await store.count('things')).toBe(0);
      });

      check('applies all changes of a batch, in order and across tables', async (store) => {
        await store.write([
          insert(aThing({ id: 'a', rank: 1 })),
          { kind: 'patch', table: 'things', ids: ['a'], set: { rank: 2 } },
          { kind: 'remove', table: 'notes', ids: ['n'] },
          { kind: 'insert', table: 'notes', row: { id: 'n', text: 'kept' } },
        ]);
        expect(await store.find('things')).toEqual([{ id: 'a', rank: 2 }]);
        expect(await store.find('notes')).toEqual([{ id: 'n', text: 'kept' }]);
      });

      check('applies none of a batch when one change conflicts', async (store) => {
        await store.write([insert(aThing({ id: 'a', rank: 1, terms: 'before' }))]);
        const batch: Change[] = [
          { kind: 'insert', table: 'notes', row: { id: 'n', text: 'lost' } },
          { kind: 'patch', table: 'things', ids: ['a'], set: { rank: 2, terms: 'after' } },
          insert(aThing({ id: 'b', terms: 'after' })),
          insert(aThing({ id: 'a' })),
        ];
        await expect(store.write(batch)).rejects.toBeInstanceOf(WriteConflict);
        expect(await store.find('things')).toEqual([{ id: 'a', rank: 1 }]);
        expect(await store.count('notes')).toBe(0);
        if (store.searchText) expect(await matches(store, ['after'])).toEqual([]);
      });

      check('rejects unknown tables and fields by name, and writes nothing of that batch', async (store) => {
        await expect(store.write([insert({ id: 'a', rank: 1, colour: 'red' })])).rejects.toThrow('colour');
        const badPatch: Change = { kind: 'patch', table: 'things', ids: ['a'], set: { colour: 'red' } };
        await expect(store.write([insert(aThing({ id: 'a' })), badPatch])).rejects.toThrow('colour');
        await expect(store.write([{ kind: 'remove', table: 'nowhere', ids: ['a'] }])).rejects.toThrow('nowhere');
        expect(await store.count('things')).toBe(0);
      });

      check('rejects a row without a required field', async (store) => {
        await expect(store.write([insert({ id: 'a' })])).rejects.not.toBeInstanceOf(WriteConflict);
        expect(await store.count('things')).toBe(0);
      });

      check('lets exactly one of many concurrent writers of a unique key win', async (store) => {
        const writers = Array.from({ length: 20 }, (_, index) =>
          store.write([
            insert(aThing({ id: `w${index}`, owner: 'o', code: 'c' })),
            { kind: 'insert', table: 'notes', row: { id: `n${index}`, text: 'x' } },
          ]),
        );
        await expectOneWinner(writers);
        expect(await store.count('things')).toBe(1);
        expect(await store.count('notes')).toBe(1);
      });

      check('lets exactly one of many concurrent patches with the same expectation win', async (store) => {
        await store.write([insert(aThing({ id: 'a', rank: 1 }))]);
        const writers = Array.from({ length: 20 }, (_, index) =>
          store.write([{ kind: 'patch', table: 'things', ids: ['a'], set: { rank: 100 + index }, when: { rank: 1 } }]),
        );
        await expectOneWinner(writers);
      });

      check('applies nothing of a long batch whose last change cannot be stored', async (store) => {
        const rows = Array.from({ length: 1_500 }, (_, rank) =>
          insert(aThing({ id: `r${rank}`, rank, terms: 'lost' })),
        );
        await expect(store.write([...rows, insert({ id: 'without rank' })])).rejects.toThrow();
        const twin: Change = { kind: 'insert', table: 'notes', row: { id: 'n', text: 'x' } };
        await expect(store.write([...rows, twin, twin])).rejects.toBeInstanceOf(WriteConflict);
        expect([await store.count('things'), await store.count('notes')]).toEqual([0, 0]);
        if (store.searchText) expect(await matches(store, ['lost'])).toEqual([]);
        await store.write(rows);
        expect(await store.count('things')).toBe(1_500);
      });

      check('loses and doubles nothing of many concurrent writers', async (store) => {
        const writers = Array.from({ length: 16 }, async (_, writer) => {
          for (let turn = 0; turn < 10; turn++) {
            await store.write([
              insert(aThing({ id: `${writer}-${turn}`, rank: turn, terms: `word writer${writer}` })),
              put({ id: 'shared', rank: turn, title: `${writer}` }),
            ]);
          }
        });
        await Promise.all(writers);
        expect(await store.count('things')).toBe(161);
        if (store.searchText) expect((await matches(store, ['writer7'])).length).toBe(10);
      });

      check('shows a write to the reads that follow it', async (store) => {
        for (let index = 0; index < 20; index++) {
          await store.write([insert(aThing({ id: `r${index}` }))]);
          expect(await store.count('things')).toBe(index + 1);
        }
      });
    });

    describe('finding', () => {
      const conditions: { title: string; where: Condition[]; ids: string[] }[] = [
        { title: 'equal text', where: [{ field: 'title', is: 'eq', value: 'b' }], ids: ['2'] },
        { title: 'equal integer', where: [{ field: 'rank', is: 'eq', value: 3 }], ids: ['3'] },
        { title: 'equal real', where: [{ field: 'weight', is: 'eq', value: 0.5 }], ids: ['1'] },
        { title: 'equal boolean', where: [{ field: 'done', is: 'eq', value: false }], ids: ['2'] },
        { title: 'equal id', where: [{ field: 'id', is: 'eq', value: '3' }], ids: ['3'] },
        { title: 'at least', where: [{ field: 'rank', is: 'gte', value: 2 }], ids: ['2', '3', '4'] },
        { title: 'at most', where: [{ field: 'title', is: 'lte', value: 'b' }], ids: ['1', '2'] },
        { title: 'in texts', where: [{ field: 'title', is: 'in', value: ['a', 'c', 'z', 'a'] }], ids: ['1', '3'] },
        { title: 'in integers', where: [{ field: 'rank', is: 'in', value: [1, 4, 9] }], ids: ['1', '4'] },
        { title: 'in one', where: [{ field: 'title', is: 'in', value: ['c'] }], ids: ['3'] },
        { title: 'in none', where: [{ field: 'title', is: 'in', value: [] }], ids: [] },
        { title: 'absent', where: [{ field: 'title', is: 'absent' }], ids: ['4'] },
        { title: 'has', where: [{ field: 'tags', is: 'has', value: 'x' }], ids: ['1', '2'] },
        { title: 'has, compared as a whole', where: [{ field: 'tags', is: 'has', value: 'x y' }], ids: ['3'] },
        { title: 'has, compared as text', where: [{ field: 'tags', is: 'has', value: '1' }], ids: [] },
        {
          title: 'several conditions at once',
          where: [
            { field: 'tags', is: 'has', value: 'x' },
            { field: 'rank', is: 'gte', value: 2 },
            { field: 'rank', is: 'lte', value: 3 },
          ],
          ids: ['2'],
        },
        {
          title: 'either of two conditions, beside another',
          where: [
            { field: 'rank', is: 'gte', value: 2 },
            {
              is: 'either',
              of: [[{ field: 'title', is: 'eq', value: 'b' }], [{ field: 'id', is: 'in', value: ['1', '4'] }]],
            },
          ],
          ids: ['2', '4'],
        },
        {
          title: 'either of several conditions at once',
          where: [
            {
              is: 'either',
              of: [
                [
                  { field: 'rank', is: 'gte', value: 1 },
                  { field: 'rank', is: 'lte', value: 1 },
                ],
                [
                  { field: 'tags', is: 'has', value: 'x' },
                  { field: 'title', is: 'absent' },
                ],
                [
                  { field: 'id', is: 'in', value: [] },
                  { field: 'rank', is: 'gte', value: 1 },
                ],
                [{ is: 'either', of: [[{ field: 'title', is: 'eq', value: 'c' }]] }],
              ],
            },
          ],
          ids: ['1', '3'],
        },
        { title: 'either of nothing', where: [{ is: 'either', of: [] }], ids: [] },
        { title: 'either, with a list that is empty', where: [{ is: 'either', of: [[]] }], ids: ['1', '2', '3', '4'] },
      ];
      for (const { title, where, ids } of conditions) {
        check(`finds and counts by ${title}`, async (store) => {
          await store.write([
            insert(aThing({ id: '1', rank: 1, title: 'a', weight: 0.5, done: true, tags: ['x', 'y'] })),
            insert(aThing({ id: '2', rank: 2, title: 'b', weight: 1.5, done: false, tags: ['x'] })),
            insert(aThing({ id: '3', rank: 3, title: 'c', tags: ['x y', "o'clock"] })),
            insert(aThing({ id: '4', rank: 4, tags: [1, 2] })),
          ]);
          expect(await idsOf(store, { where })).toEqual(ids);
          expect(await store.count('things', where)).toBe(ids.length);
        });
      }

      check('returns only the asked fields and the id', async (store) => {
        await store.write([insert(aThing({ id: 'a', rank: 1, title: 't', done: true }))]);
        expect(await store.find('things', { fields: ['title', 'owner'] })).toEqual([{ id: 'a', title: 't' }]);
        expect(await store.find('things', { fields: [] })).toEqual([{ id: 'a' }]);
      });

      check('does not return search terms', async (store) => {
        await store.write([insert(aThing({ id: 'a', terms: 'hidden' }))]);
        expect(await store.find('things')).toEqual([{ id: 'a', rank: 0 }]);
        await expect(store.find('things', { fields: ['terms'] })).rejects.toThrow('terms');
      });

      check('orders by id unless told otherwise', async (store) => {
        await store.write(['b', 'c', 'a'].map((id) => insert(aThing({ id }))));
        expect(await idsOf(store)).toEqual(['a', 'b', 'c']);
        expect(await idsOf(store, { order: { by: 'id', direction: 'desc' }, limit: 2 })).toEqual(['c', 'b']);
        expect(await idsOf(store, { limit: 1, after: { value: 'a', id: 'a' } })).toEqual(['b']);
        expect(await idsOf(store, { limit: 0 })).toEqual([]);
      });

      check('orders text by code point', async (store) => {
        const texts = ['Z', 'a', 'b', 'é', 'я', '東', '\uffee', '😀'];
        await store.write([...texts].reverse().map((text, index) => insert(aThing({ id: `${index}`, title: text }))));
        const rows = await store.find('things', { order: { by: 'title', direction: 'asc' } });
        expect(rows.map(({ title }) => title)).toEqual(texts);
      });

      check('puts rows without the ordering field last in both directions', async (store) => {
        await store.write([
          insert(aThing({ id: 'a' })),
          insert(aThing({ id: 'b', title: 'x' })),
          insert(aThing({ id: 'c', title: 'y' })),
        ]);
        expect(await idsOf(store, { order: { by: 'title', direction: 'asc' } })).toEqual(['b', 'c', 'a']);
        expect(await idsOf(store, { order: { by: 'title', direction: 'desc' } })).toEqual(['c', 'b', 'a']);
      });

      check('pages without gaps or repeats, also among equal ordering values', async (store) => {
        let owner = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.uniqueArray(
              fc.record({
                key: fc.string({ unit: hexDigit, minLength: 1, maxLength: 3 }),
                rank: fc.integer({ min: 0, max: 3 }),
              }),
              {
                selector: ({ key }) => key,
                maxLength: 25,
              },
            ),
            fc.integer({ min: 1, max: 7 }),
            fc.constantFrom('asc' as const, 'desc' as const),
            async (entries, limit, direction) => {
              const mine = `owner-${owner++}`;
              const rows = entries.map(({ key, rank }) => aThing({ id: `${mine}-${key}`, rank, owner: mine }));
              await store.write(rows.map(insert));
              const paged = await allPages(store, {
                where: [{ field: 'owner', is: 'eq', value: mine }],
                order: { by: 'rank', direction },
                limit,
              });
              const sorted = rows.toSorted(byRankThenId);
              expect(paged).toEqual(direction === 'asc' ? sorted : sorted.reverse());
            },
          ),
          { numRuns: 40 },
        );
      });

      check('rejects unknown tables and fields by name', async (store) => {
        await expect(store.find('nowhere')).rejects.toThrow('nowhere');
        await expect(store.find('things', { fields: ['colour'] })).rejects.toThrow('colour');
        await expect(store.count('things', [{ field: 'colour', is: 'absent' }])).rejects.toThrow('colour');
        const order = { by: 'rank"; --', direction: 'asc' as const };
        await expect(store.find('things', { order })).rejects.toThrow('rank"; --');
      });

      check('pages through 10,000 rows in either direction', async (store) => {
        const rows = Array.from({ length: 10_000 }, (_, index) => aThing({ id: `ж${index}`, rank: index % 97 }));
        for (let from = 0; from < rows.length; from += 2_000)
          await store.write(rows.slice(from, from + 2_000).map(insert));
        const sorted = rows.toSorted(byRankThenId).map(({ id }) => id);
        const fields = ['rank'];
        const up = await allPages(store, { order: { by: 'rank', direction: 'asc' }, limit: 700, fields });
        expect(up.map(({ id }) => id)).toEqual(sorted);
        const down = await allPages(store, { order: { by: 'rank', direction: 'desc' }, limit: 3_000, fields });
        expect(down.map(({ id }) => id)).toEqual(sorted.toReversed());
      });

      check('finds by 10,000 values at once', async (store) => {
        const ids = Array.from({ length: 10_000 }, (_, index) => `id-${String(index).padStart(5, '0')}`);
        await store.write(ids.filter((_, index) => index % 10 === 0).map((id) => insert(aThing({ id }))));
        const where: Condition[] = [{ field: 'id', is: 'in', value: ids }];
        expect(await store.count('things', where)).toBe(1000);
        expect((await store.find('things', { where, fields: [] })).length).toBe(1000);
        await store.write([{ kind: 'remove', table: 'things', ids }]);
        expect(await store.count('things')).toBe(0);
      });
    });

    describe('text', () => {
      const odd = [
        'Привет, мир',
        '東京タワー',
        'e\u0301 é',
        '👩‍👩‍👧 😀',
        '\u202Eright to left',
        '\ufeff\ufffe\uffff',
        'tab\tline\r\n\u0001\u001f\u007f',
        `'; DROP TABLE things; --`,
        '"quoted" \\ back\\slash % _ ? :a $1',
        'NULL',
        ' spaces ',
      ];
      check('keeps Unicode and odd text exactly, in text, json, ids and conditions', async (store) => {
        await store.write(
          odd.map((text, rank) =>
            insert(aThing({ id: text, rank, title: text, tags: [text], extra: { [text]: text } })),
          ),
        );
        for (const [rank, text] of odd.entries()) {
          const row = { id: text, rank, title: text, tags: [text], extra: { [text]: text } };
          const wheres: Condition[] = [
            { field: 'id', is: 'eq', value: text },
            { field: 'title', is: 'in', value: [text, 'something else'] },
            { field: 'tags', is: 'has', value: text },
          ];
          for (const where of wheres) expect(await store.find('things', { where: [where] })).toEqual([row]);
        }
      });

      check('keeps any string that a text can hold', async (store) => {
        let count = 0;
        await fc.assert(
          fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 50 }), async (drawn) => {
            const text = drawn.replaceAll('\0', '');
            const row = aThing({ id: `s${count++}`, title: text, extra: [drawn] });
            await store.write([insert(row)]);
            const where: Condition[] = [
              { field: 'title', is: 'eq', value: text },
              { field: 'id', is: 'eq', value: row.id },
            ];
            expect(await store.find('things', { where })).toEqual([row]);
          }),
          { numRuns: 50 },
        );
      });

      // What cannot be text in a back end becomes U+FFFD there; everything around it stays, and json loses nothing.
      check('keeps the rest of a text with NUL or half a surrogate pair, and finds it again', async (store) => {
        const pairs = [
          ['a\0b', 'a\ufffdb'],
          ['a\ud800b', 'a\ufffdb'],
          ['\udc00', '\ufffd'],
        ] as const;
        for (const [text, replaced] of pairs) {
          await store.write([put(aThing({ id: 'a', title: text, extra: [text] }))]);
          const [row] = await store.find('things', { where: [{ field: 'title', is: 'eq', value: text }] });
          expect(row?.extra).toEqual([text]);
          expect([text, replaced]).toContain(row?.title);
          expect(await idsOf(store, { where: [{ field: 'title', is: 'in', value: [text, 'x'] }] })).toEqual(['a']);
        }
      });

      check('keeps a text of one megabyte', async (store) => {
        const text = 'abc é 東 😀 '.repeat(70_000);
        await store.write([insert(aThing({ id: 'a', title: text, extra: { text } }))]);
        expect(await store.find('things')).toEqual([{ id: 'a', rank: 0, title: text, extra: { text } }]);
      });
    });

    describe('searching text', () => {
      checkSearch('ranks rows with more and rarer terms higher, and breaks ties by id', async (search, store) => {
        await store.write([
          insert(aThing({ id: 'common', terms: 'apple filler filler' })),
          insert(aThing({ id: 'both', terms: 'apple quince filler' })),
          insert(aThing({ id: 'rare', terms: 'quince filler filler' })),
          insert(aThing({ id: 'z-twin', terms: 'pear x' })),
          insert(aThing({ id: 'a-twin', terms: 'pear x' })),
          insert(aThing({ id: 'none', terms: 'filler' })),
          insert(aThing({ id: 'without' })),
          ...Array.from({ length: 3 }, (_, index) => insert(aThing({ id: `more${index}`, terms: 'apple and others' }))),
        ]);
        const found = await search('things', { terms: ['apple', 'quince'], limit: 3 });
        expect(found.map(({ id }) => id).slice(0, 2)).toEqual(['both', 'rare']);
        expect(found.length).toBe(3);
        const scores = found.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        const twins = await search('things', { terms: ['pear'], limit: 5 });
        expect(twins.map(({ id }) => id)).toEqual(['a-twin', 'z-twin']);
        expect(twins[0]?.score).toBe(twins[1]?.score);
        expect(await matches(store, ['pear'], { limit: 1 })).toEqual(['a-twin']);
        expect(await matches(store, ['pear', 'pear'])).toEqual(['a-twin', 'z-twin']);
      });

      checkSearch('scores as BM25 does', async (search, store) => {
        const words = Array.from({ length: 31 }, (_, number) => `word${number}`);
        // A fixed walk through the words, so that rows differ in length and in how often a word occurs.
        const documents = Array.from({ length: 60 }, (_, row) =>
          Array.from({ length: 2 + ((row * 7) % 13) }, (_, place) => words[(row * row + place * (row % 4)) % 31] ?? ''),
        );
        await store.write(
          documents.map((document, row) => insert(aThing({ id: `d${row + 10}`, terms: document.join(' ') }))),
        );
        const found = await search('things', { terms: ['word1', 'word5', 'word19'], limit: 60 });
        const expected = bm25(documents, ['word1', 'word5', 'word19']);
        expect(Math.max(...expected.values())).toBeGreaterThan(1);
        for (const { id, score } of found) expect(score).toBeCloseTo(expected.get(Number(id.slice(1)) - 10) ?? -1, 4);
        expect(found.length).toBe(expected.size);
      });

      checkSearch('scores rows as if others were not there, when told among which to count', async (search, store) => {
        const words = Array.from({ length: 31 }, (_, number) => `word${number}`);
        const documents = Array.from({ length: 60 }, (_, row) =>
          Array.from({ length: 2 + ((row * 7) % 13) }, (_, place) => words[(row * row + place * (row % 4)) % 31] ?? ''),
        );
        const rowOf = (document: readonly string[], id: string, owner: string): Change =>
          insert(aThing({ id, owner, code: id, terms: document.join(' ') }));
        await store.write(documents.map((document, row) => rowOf(document, `d${row + 10}`, row % 2 ? 'anna' : 'mia')));
        const asked = { terms: ['word1', 'word5', 'word19', 'absent'], limit: 60 };
        const among = { field: 'owner', values: ['mia', 'anna', 'nobody'] };
        const where: Condition[] = [{ field: 'owner', is: 'in', value: ['anna', 'mia'] }];
        const alone = await search('things', { ...asked, where, among });
        // Other people hold the same words, other words, and longer rows.
        const others = documents.map((document) => [...document, 'word1', 'word5', ...words, 'absent']);
        await store.write(
          others.map((document, row) => rowOf(document, `o${row}`, ['abe', 'bo', 'zoe'][row % 3] ?? '')),
        );
        const beside = await search('things', { ...asked, where, among });
        expect(beside.map(({ id }) => id).toSorted()).toEqual(alone.map(({ id }) => id).toSorted());
        const expected = bm25(documents, ['word1', 'word5', 'word19']);
        expect(beside.length).toBe(expected.size);
        for (const { id, score } of beside) expect(score).toBeCloseTo(expected.get(Number(id.slice(1)) - 10) ?? -1, 4);
        const best = (hits: readonly { id: string; score: number }[]) => hits.map(({ score }) => score.toFixed(4));
        expect(best(beside)).toEqual(best(alone));
        // What is looked for may be less than what is counted.
        const few = await search('things', {
          ...asked,
          where: [{ field: 'id', is: 'in', value: ['d11', 'd15'] }],
          among,
        });
        for (const { id, score } of few) expect(score).toBeCloseTo(expected.get(Number(id.slice(1)) - 10) ?? -1, 4);
      });

      checkSearch('matches whole terms literally, whatever signs they hold', async (_search, store) => {
        const terms = [
          'привет',
          '東京',
          'café',
          'b-52',
          'foo_bar',
          'c++',
          '"quoted"',
          "it's",
          'a:b',
          '(x)',
          'x*',
          '^y',
        ];
        const operators = ['AND', 'OR', 'NOT', 'NEAR', 'NEAR(a', '*', '+', '-', '{a}', '\\', '%', '😀'];
        const all = [...terms, ...operators];
        await store.write(all.map((term, index) => insert(aThing({ id: `t${index}`, terms: `some ${term} other` }))));
        for (const [index, term] of all.entries()) expect(await matches(store, [term])).toEqual([`t${index}`]);
        for (const part of ['52', 'foo', 'c', 'quoted', 'caf', 'x', 'y', 'приве', '東', 'some*', 'terms:some']) {
          expect(await matches(store, [part])).toEqual([]);
        }
      });

      checkSearch('finds only rows with every term of each run', async (search, store) => {
        await store.write([
          insert(aThing({ id: 'in-order', owner: 'me', terms: 'we saw jazz im park today' })),
          insert(aThing({ id: 'without', terms: 'jazz im wald' })),
          insert(aThing({ id: 'other', owner: 'other', terms: 'jazz im park' })),
        ]);
        const runs = [['jazz', 'im'], ['park']];
        const ids = async (where: Condition[]) =>
          (await search('things', { terms: runs.flat(), runs, where, limit: 5 })).map(({ id }) => id);
        expect((await ids([])).toSorted()).toEqual(['in-order', 'other']);
        expect(await ids([{ field: 'owner', is: 'eq', value: 'me' }])).toEqual(['in-order']);
        expect(await search('things', { terms: ['none'], runs: [['none'], ['park']], limit: 5 })).toEqual([]);
      });

      checkSearch('applies conditions before the limit', async (search, store) => {
        await store.write([
          ...Array.from({ length: 30 }, (_, index) =>
            insert(aThing({ id: `o${index}`, owner: 'other', terms: 'word' })),
          ),
          insert(aThing({ id: 'mine', owner: 'me', terms: 'word and much more that lowers its score here' })),
        ]);
        const where: Condition[] = [{ field: 'owner', is: 'in', value: ['me', 'nobody'] }];
        expect((await search('things', { terms: ['word'], where, limit: 1 })).map(({ id }) => id)).toEqual(['mine']);
        expect(
          await search('things', { terms: ['word'], where: [{ field: 'owner', is: 'in', value: [] }], limit: 1 }),
        ).toEqual([]);
      });

      checkSearch('finds nothing without terms, and bears many of them', async (search, store) => {
        await store.write([insert(aThing({ id: 'a', terms: 't999' }))]);
        expect(await search('things', { terms: [], limit: 5 })).toEqual([]);
        expect(await search('things', { terms: ['', ' '], limit: 5 })).toEqual([]);
        expect(
          await matches(
            store,
            Array.from({ length: 1000 }, (_, index) => `t${index}`),
          ),
        ).toEqual(['a']);
        expect(await matches(store, ['t999'], { limit: 0 })).toEqual([]);
      });

      checkSearch(
        'forgets terms that were replaced or removed, and keeps those not mentioned',
        async (_search, store) => {
          await store.write(
            ['put', 'patch', 'undefined', 'other', 'remove'].map((id) => insert(aThing({ id, terms: 'old' }))),
          );
          await store.write([
            put(aThing({ id: 'put', terms: 'new' })),
            { kind: 'patch', table: 'things', ids: ['patch', 'unknown'], set: { terms: 'new' } },
            { kind: 'patch', table: 'things', ids: ['undefined'], set: { terms: undefined } },
            { kind: 'patch', table: 'things', ids: ['other'], set: { rank: 3 } },
            { kind: 'remove', table: 'things', ids: ['remove'] },
          ]);
          expect(await matches(store, ['old'])).toEqual(['other']);
          expect(await matches(store, ['new'])).toEqual(['patch', 'put']);
          await store.write([put(aThing({ id: 'put' })), put(aThing({ id: 'fresh', terms: 'new' }))]);
          expect(await matches(store, ['new'])).toEqual(['fresh', 'patch']);
        },
      );

      checkSearch('rejects a table without search terms', async (search) => {
        await expect(search('notes', { terms: ['x'], limit: 1 })).rejects.toThrow('notes');
      });
    });

    it('has every case that is to be skipped', () => {
      expect([...skipped, ...leftOut].filter((title) => !titles.has(title))).toEqual([]);
    });

    describe('living', () => {
      const { reopen } = harness;
      if (reopen) {
        check('keeps rows, terms and unique keys over a reopen, and reports its version', async (first) => {
          await first.write([insert(aThing({ id: 'a', owner: 'o', code: 'c', terms: 'kept' }))]);
          const { store, schemaVersion } = await reopen(first, tables);
          try {
            expect(schemaVersion).toBeGreaterThanOrEqual(1);
            expect(await store.find('things')).toEqual([{ id: 'a', rank: 0, owner: 'o', code: 'c' }]);
            if (store.searchText) expect(await matches(store, ['kept'])).toEqual(['a']);
            const twin = insert(aThing({ id: 'b', owner: 'o', code: 'c' }));
            await expect(store.write([twin])).rejects.toBeInstanceOf(WriteConflict);
          } finally {
            await store.close();
          }
        });

        check('finishes accepted writes before it closes', async (first) => {
          const writes = Array.from({ length: 10 }, (_, index) => first.write([insert(aThing({ id: `w${index}` }))]));
          const { store } = await reopen(first, tables);
          await Promise.all(writes);
          expect(await store.count('things')).toBe(10);
          await store.close();
        });
      }

      check('closes twice and rejects every call afterwards', async (store) => {
        await Promise.all([store.close(), store.close()]);
        await store.close();
        await expect(store.write([insert(aThing({ id: 'a' }))])).rejects.toThrow();
        await expect(store.write([])).rejects.toThrow();
        await expect(store.find('things')).rejects.toThrow();
        await expect(store.count('things')).rejects.toThrow();
        if (store.searchText) await expect(store.searchText('things', { terms: ['x'], limit: 1 })).rejects.toThrow();
        await expect(store.open(tables)).rejects.toThrow();
      });
    });
  });

  function check(title: string, work: (store: MetadataStore) => Promise<void>): void {
    titles.add(title);
    const run = leftOut.has(title) ? it.skip : skipped.has(title) ? it.fails : it;
    run(title, async () => {
      const store = await harness.open(tables);
      try {
        await work(store);
      } finally {
        await store.close();
      }
    });
  }

  /** `searchText` is optional: without it, its cases have nothing to say. */
  function checkSearch(
    title: string,
    work: (search: NonNullable<MetadataStore['searchText']>, store: MetadataStore) => Promise<void>,
  ): void {
    check(title, async (store) => {
      const { searchText } = store;
      if (searchText) await work(searchText.bind(store), store);
    });
  }
}

function aThing(row: Row): Row {
  return { rank: 0, ...row };
}

function insert(row: Row): Change {
  return { kind: 'insert', table: 'things', row };
}

function put(row: Row): Change {
  return { kind: 'put', table: 'things', row };
}

async function idsOf(store: MetadataStore, query: Query = {}): Promise<string[]> {
  const rows = await store.find('things', query);
  return rows.map(({ id }) => id);
}

/** The ids of the rows with any of the terms, by id: where the order matters the test looks at it itself. */
async function matches(store: MetadataStore, terms: string[], { limit = 50 } = {}): Promise<string[]> {
  const found = (await store.searchText?.('things', { terms, limit })) ?? [];
  return found.map(({ id }) => id).toSorted();
}

/** The scores of the rows with any of the terms, by their position. */
function bm25(documents: readonly string[][], terms: readonly string[]): Map<number, number> {
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const scores = new Map<number, number>();
  for (const term of terms) {
    const rows = documents.filter((document) => document.includes(term)).length;
    const idf = Math.max(Math.log((documents.length - rows + 0.5) / (rows + 0.5)), 1e-6);
    for (const [row, document] of documents.entries()) {
      const count = document.filter((word) => word === term).length;
      if (count === 0) continue;
      const part = (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * document.length) / average));
      scores.set(row, (scores.get(row) ?? 0) + part);
    }
  }
  return scores;
}

async function allPages(store: MetadataStore, query: Query & { limit: number }): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const after = last && { value: Number(last.rank), id: last.id };
    const page = await store.find('things', { ...query, ...(after && { after }) });
    rows.push(...page);
    if (page.length < query.limit) return rows;
  }
}

function byRankThenId(left: Row, right: Row): number {
  return Number(left.rank) - Number(right.rank) || (left.id < right.id ? -1 : 1);
}

async function expectOneWinner(writers: Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(writers);
  const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(lost.length).toBe(writers.length - 1);
  for (const reason of lost) expect(reason).toBeInstanceOf(WriteConflict);
}
