import { describe, expect, it } from 'vitest';
import type { Table } from '../../../src/stores/metadata/contract.js';
import { metadataDrivers } from '../../../src/stores/metadata/drivers.js';
import { dryRunMetadata } from '../../../src/stores/metadata/wrappers.js';

const notes: Table = { name: 'notes', columns: { text: { type: 'text' } }, terms: 'terms' };

describe('a dry-run metadata store', () => {
  it('reads existing data and writes nothing', async () => {
    const store = metadataDrivers.sqlite.create({ settings: {}, path: ':memory:' });
    const dry = dryRunMetadata(store);
    expect(await dry.open([notes])).toEqual({ schemaVersion: 1 });
    await store.write([{ kind: 'insert', table: 'notes', row: { id: 'a', text: 'x', terms: 'word' } }]);
    await dry.write([{ kind: 'remove', table: 'notes', ids: ['a'] }]);
    await dry.write([{ kind: 'insert', table: 'notes', row: { id: 'b', text: 'y' } }]);
    expect(await dry.find('notes')).toEqual([{ id: 'a', text: 'x' }]);
    expect(await dry.count('notes')).toBe(1);
    expect(await dry.searchText?.('notes', { terms: ['word'], limit: 5 })).toHaveLength(1);
    await dry.close();
  });

  it('has no text search when the store has none', () => {
    const { searchText: _without, ...plain } = metadataDrivers.sqlite.create({ settings: {}, path: ':memory:' });
    expect(dryRunMetadata(plain).searchText).toBeUndefined();
  });
});
