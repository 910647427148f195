import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MetadataStore, Table } from '../../../src/stores/metadata/contract.js';
import { selectingTerms, tellingTerms } from '../../../src/stores/metadata/drivers/sqlite/search.js';
import { sqlite } from '../../../src/stores/metadata/drivers/sqlite/sqlite.js';
import { aFolder } from '../../support/service.js';

const table: Table = { name: 'notes', columns: { scope: { type: 'text' } }, terms: 'terms' };

describe('the terms that find', () => {
  const told = (counts: Record<string, number>) =>
    tellingTerms(Object.entries(counts).map(([term, rows]) => ({ term, rows })));

  it('are all of them where that is quick', () => {
    expect(told({ canoe: 12, house: 9_000, plan: 8_000 })).toEqual(['canoe', 'house', 'plan']);
  });

  it('are the rare ones where the others are in most texts', () => {
    expect(told({ plan: 90_000, canoe: 1_200, house: 50_000 })).toEqual(['canoe']);
  });

  it('are common ones too where the rare ones find little', () => {
    expect(told({ plan: 90_000, canoe: 3, house: 50_000 })).toEqual(['canoe', 'house']);
  });
});

describe('full text in a store of many rows', () => {
  it('begins a longer answer with the shorter one, and finds what only common words find', async () => {
    const store = sqlite.create({ path: ':memory:', settings: {} });
    await store.open([table]);
    onTestFinished(() => store.close());
    const rows = 24_000;
    for (let from = 0; from < rows; from += 4_000) {
      await store.write(
        Array.from({ length: 4_000 }, (_, i) => ({ kind: 'insert' as const, table: 'notes', row: aNote(from + i) })),
      );
    }
    const search = async (limit: number, scope: string) =>
      (
        (await store.searchText?.('notes', {
          terms: ['plan', 'canoe'],
          where: [{ field: 'scope', is: 'eq', value: scope }],
          limit,
        })) ?? []
      ).map(({ id }) => id);
    const short = await search(50, 'many');
    const long = await search(3_000, 'many');
    expect(long.slice(0, 50)).toEqual(short);
    expect(new Set(long).size).toBe(3_000);
    // Nobody in this scope speaks of a canoe; the plans are found all the same.
    expect(await search(10, 'few')).toHaveLength(3);
  });
});

describe('the terms that select the rows to score', () => {
  const chosen = (counts: Record<string, number>, limit = 100) =>
    selectingTerms(
      Object.entries(counts).map(([term, rows]) => ({ term, rows })),
      { rows: () => 10_000, limit },
    )?.terms;

  it('are the rare ones where the others cannot decide', () => {
    expect(chosen({ plan: 4_700, canoe: 14, lake: 1_300 })).toEqual(['canoe', 'lake']);
    expect(chosen({ plan: 7_000, house: 6_000, lake: 900 })).toEqual(['lake']);
  });

  it('are not chosen where there is little to save, or the others may decide', () => {
    expect(chosen({ canoe: 300, lake: 200 })).toBeUndefined();
    expect(chosen({ plan: 4_700, canoe: 14 })).toBeUndefined();
    expect(chosen({ house: 900, lake: 800 })).toBeUndefined();
    expect(chosen({ plan: 4_700 })).toBeUndefined();
  });

  it('give the hits and scores that scoring every row gives', async () => {
    const store = sqlite.create({ path: ':memory:', settings: {} });
    await store.open([table]);
    onTestFinished(() => store.close());
    const rows = 4_000;
    await store.write(
      Array.from({ length: rows }, (_, i) => ({ kind: 'insert' as const, table: 'notes', row: aMixedNote(i) })),
    );
    const where = [{ field: 'scope', is: 'eq' as const, value: 'many' }];
    const search = async (terms: string[], limit: number) =>
      (await store.searchText?.('notes', { terms, where, limit })) ?? [];
    for (const terms of [
      ['plan', 'lake'],
      ['plan', 'house', 'lake', 'canoe'],
      ['plan', 'canoe'],
      ['house', 'lake'],
    ]) {
      const all = await search(terms, rows);
      for (const limit of [1, 20, 150, 400]) expect(await search(terms, limit)).toEqual(all.slice(0, limit));
    }
  });
});

describe('full text that is asked for again', () => {
  it('shows what was written since, by this process or another, and not what was removed', async () => {
    const path = join(await aFolder(), 'notes.db');
    const [ours, theirs] = await Promise.all([opened(path), opened(path)]);
    const found = async (...terms: string[]) =>
      ((await ours.searchText?.('notes', { terms, limit: 10 })) ?? []).map(({ id }) => id).toSorted();
    const write = (store: MetadataStore, id: string) =>
      store.write([{ kind: 'insert', table: 'notes', row: { id, scope: 'many', terms: 'canoe lake' } }]);
    expect(await found('canoe', 'l')).toEqual([]);
    await write(ours, 'a');
    expect(await found('canoe', 'l')).toEqual(['a']);
    expect(await found('canoe', 'la')).toEqual(['a']);
    await write(theirs, 'b');
    expect(await found('canoe', 'la')).toEqual(['a', 'b']);
    await ours.write([{ kind: 'remove', table: 'notes', ids: ['a'] }]);
    expect(await found('canoe', 'la')).toEqual(['b']);
  });
});

async function opened(path: string): Promise<MetadataStore> {
  const store = sqlite.create({ path, settings: {} });
  await store.open([table]);
  onTestFinished(() => store.close());
  return store;
}

function aNote(number: number) {
  const scope = number < 3 ? 'few' : 'many';
  const canoe = number % 16 === 5 ? ' canoe'.repeat(1 + (number % 3)) : '';
  return { id: `note-${String(number).padStart(6, '0')}`, scope, terms: `plan word${number}${canoe}` };
}

/** Of 4,000 notes about half hold "plan", a third "house", a tenth "lake" and one in a hundred "canoe". */
function aMixedNote(number: number) {
  const draw = (salt: number) => ((Math.imul(number + salt, 2_654_435_761) >>> 8) % 1_000) / 1_000;
  const words = [
    ...(draw(1) < 0.5 ? Array.from({ length: 1 + (number % 4) }, () => 'plan') : []),
    ...(draw(2) < 0.33 ? ['house'] : []),
    ...(draw(3) < 0.1 ? Array.from({ length: 1 + (number % 2) }, () => 'lake') : []),
    ...(draw(4) < 0.01 ? ['canoe'] : []),
    ...Array.from({ length: number % 23 }, (_, i) => `word${number}x${i}`),
  ];
  return { id: `note-${String(number).padStart(6, '0')}`, scope: 'many', terms: words.join(' ') };
}
