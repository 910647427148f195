import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import type { IndexShape, Point, VectorStore } from './contract.js';
import { memory } from './memory.js';

interface Kept {
  table: Table;
  version: number;
  store: Promise<VectorStore>;
}

/**
 * A small table's rows in memory, as of the newest version that any process wrote. Our own writes are added to it; what
 * others write, and what is removed or compacted, is a version we do not know and is read anew by the next search.
 */
export function createCopy(mostRows: number) {
  let kept: Kept | undefined;
  return {
    /** Undefined for a table that is too large. */
    async of({ table, shape }: { table: Table; shape: IndexShape }): Promise<VectorStore | undefined> {
      // The version is asked for first: rows that come in meanwhile are then read once more, and none is missed.
      const version = await table.version();
      if (kept?.table !== table || kept.version !== version) {
        kept = undefined;
        if ((await table.countRows()) > mostRows) return undefined;
        kept = keep({ table, version, store: read(table, shape) });
      }
      const store = await kept.store;
      // Our own writes may have made it too large; the rows are then counted again each time.
      if ((await store.count()) <= mostRows) return store;
      kept = undefined;
      return undefined;
    },

    /** These points made the table's `version` out of the one before. */
    wrote(table: Table, points: readonly Point[], version: number): void {
      if (kept?.table !== table || kept.version !== version - 1) return;
      const store = kept.store.then(async (before) => {
        await before.upsert(points);
        return before;
      });
      kept = keep({ table, version, store });
    },
  };

  /** What could not be read is forgotten, and told to those who search. */
  function keep(next: Kept): Kept {
    next.store.then(undefined, () => {
      if (kept === next) kept = undefined;
    });
    return next;
  }
}

async function read(table: Table, shape: IndexShape): Promise<VectorStore> {
  const store: VectorStore = memory.create();
  await store.open(shape);
  const rows = await table.query().select(['id', 'vector', 'scope', 'conversation_id']).toArrow();
  for (const batch of rows.batches) {
    const [ids, scopes, conversations] = ['id', 'scope', 'conversation_id'].map((name) => batch.getChild(name));
    const vectors = numbersOf(batch, shape);
    const points = Array.from(
      { length: batch.numRows },
      (_, row): Point => ({
        id: String(ids?.get(row)),
        vector: vectors.subarray(row * shape.dimension, (row + 1) * shape.dimension),
        scope: String(scopes?.get(row)),
        conversationId: String(conversations?.get(row)),
      }),
    );
    await store.upsert(points);
  }
  return store;
}

/** All vectors of a batch, one behind the other, as Arrow holds them: reading number by number takes fifty times as long. */
function numbersOf(batch: RecordBatch, { dimension }: IndexShape): Float32Array {
  const data = batch.getChild('vector')?.data[0];
  const numbers: unknown = data?.children[0]?.values;
  if (data === undefined || !(numbers instanceof Float32Array)) throw new Error('The vector column holds no vectors.');
  return numbers.subarray(data.offset * dimension, (data.offset + data.length) * dimension);
}
