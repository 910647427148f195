import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryError, StartupError } from '../../../src/model/errors.js';
import { type MetadataStore, type Table, WriteConflict } from '../../../src/stores/metadata/contract.js';
import { metadataDrivers } from '../../../src/stores/metadata/drivers.js';
import { type MetadataEvent, observedMetadata } from '../../../src/stores/metadata/wrappers.js';

const notes: Table = { name: 'notes', columns: { text: { type: 'text' } }, terms: 'terms' };
const note = { kind: 'insert' as const, table: 'notes', row: { id: 'a', text: 'x', terms: 'word' } };
let store: MetadataStore;
let events: MetadataEvent[];

beforeEach(async () => {
  events = [];
  store = observedMetadata(metadataDrivers.sqlite.create({ settings: {}, path: ':memory:' }), {
    record: (event) => events.push(event),
  });
  await store.open([notes]);
});

afterEach(async () => {
  await store.close();
});

describe('an observed metadata store', () => {
  it('passes every call on and records how long it took', async () => {
    await store.write([note]);
    expect(await store.find('notes')).toEqual([{ id: 'a', text: 'x' }]);
    expect(await store.count('notes')).toBe(1);
    expect(await store.searchText?.('notes', { terms: ['word'], limit: 1 })).toEqual([
      { id: 'a', score: expect.any(Number) },
    ]);
    await store.close();
    expect(events).toEqual(
      ['open', 'write', 'find', 'count', 'searchText', 'close'].map((call) => ({
        call,
        milliseconds: expect.any(Number),
        failed: false,
      })),
    );
  });

  it('turns a failure into metadata_unavailable and keeps its cause for the log', async () => {
    const failure = await store.find('nowhere').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MemoryError);
    expect(failure).toMatchObject({ code: 'metadata_unavailable', cause: { message: 'there is no table nowhere' } });
    expect((failure as MemoryError).message).not.toContain('nowhere');
    expect(events.at(-1)).toMatchObject({
      call: 'find',
      failed: true,
      error: { message: 'there is no table nowhere' },
    });
  });

  it('lets a conflict pass as it is', async () => {
    await store.write([note]);
    await expect(store.write([note])).rejects.toBeInstanceOf(WriteConflict);
    expect(events.at(-1)).toMatchObject({ call: 'write', failed: true });
  });

  it('lets errors with a code pass as they are', async () => {
    for (const error of [new StartupError('data_in_use', 'x'), new MemoryError('not_found', 'x')]) {
      const failing = observedMetadata({ ...store, count: () => Promise.reject(error) }, { record: () => {} });
      await expect(failing.count('notes')).rejects.toBe(error);
    }
  });

  it('has no text search when the store has none', () => {
    const { searchText: _without, ...plain } = store;
    expect(observedMetadata(plain, { record: () => {} }).searchText).toBeUndefined();
  });
});
