import { describe, expect, it } from 'vitest';
import { chunkId, chunkOfPoint, pointId, pointIds } from '../../src/ingestion/hash.js';
import { canonicalUuid } from '../../src/model/ids.js';
import fc from '../support/properties.js';

const chunks = fc
  .tuple(fc.uuid(), fc.nat(100_000))
  .map(([conversation, index]) => ({ conversation, index, id: chunkId(conversation, index) }));

describe('the points of a chunk', () => {
  it('are UUIDs that lead back to it', () => {
    fc.assert(
      fc.property(chunks, fc.nat(65_535), ({ id }, window) => {
        const point = pointId(id, window);
        expect(canonicalUuid(point)).toBe(point);
        expect(chunkOfPoint(point)).toBe(id);
      }),
    );
  });

  it('differ from each other and from those of other chunks', () => {
    fc.assert(
      fc.property(chunks, ({ conversation, index }) => {
        const ids = [index, index + 1].flatMap((number) =>
          pointIds({ id: chunkId(conversation, number), windows: 20 }),
        );
        expect(new Set(ids).size).toBe(40);
      }),
    );
  });

  it('are the chunk itself when it has one window', () => {
    const id = chunkId('3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c', 0);
    expect(pointIds({ id })).toEqual([id]);
  });
});

describe('a chunk that was stored before windows existed', () => {
  it('is its own point', () => {
    const id = '3f2b8c1a-9d4e-5f6a-8b7c-0d1e2f3a4b5c';
    expect([pointIds({ id }), chunkOfPoint(id)]).toEqual([[id], id]);
  });
});
