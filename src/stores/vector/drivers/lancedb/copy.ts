import { totalmem } from 'node:os';
import type { Table } from '@lancedb/lancedb';
import type { IndexShape, Point, VectorStore } from '../../contract.js';
import { createScanner, type Scanner } from '../../shared/memory/scan/scanner.js';
import { createMemoryStore } from '../memory.js';
import { pointsOf } from './rows.js';

interface Kept {
  table: Table;
  version: number;
  store: Promise<VectorStore>;
  /** Searches may wait for it: it is small, or already read. */
  isReady: boolean;
}

export interface CopyLimits {
  /** Searches wait until tables up to this size are read; larger ones are read in the background. */
  smallRows: number;
  /** Limit on the size of a copy's vectors. */
  mostBytes: number;
}

/**
 * 390,000 vectors of 256 numbers, many years of conversations; more if there is much memory, since a copy takes almost
 * twice the size of its vectors: a million with 16 GiB. Beyond that, the index on disk is used.
 */
export function copyLimits(): CopyLimits {
  // A container may have less memory than its machine; unlimited is reported as zero or as more than the total.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  // Half of it is scanned, and a scan can address 4 GiB.
  return { smallRows: 2_000, mostBytes: Math.min(Math.max(400_000_000, memory / 16), 6_000_000_000) };
}

interface Subject {
  table: Table;
  shape: IndexShape;
}

/**
 * The pause before the next read, as a multiple of the last read's duration: a table that others keep changing costs at
 * most a tenth of the time.
 */
const PAUSE_FACTOR = 10;

/**
 * A copy of the table's rows in memory, at the newest version any process wrote: an in-memory scan is exact and takes a
 * tenth of the time of a LanceDB query. Our own writes are applied to it; writes by others and compactions produce an
 * unknown version, which is read again. Until then LanceDB answers.
 */
export function createCopy({ smallRows, mostBytes }: CopyLimits) {
  const scanner = createScanner();
  let kept: Kept | undefined;
  let searches = 0;
  let readAgainAt = 0;

  function keep(table: Table, { version, shape, isReady }: { version: number; shape: IndexShape; isReady: boolean }) {
    const began = performance.now();
    // A search waits for a small table even if the cache has moved on.
    const store = read(table, { shape, scanner, isWanted: () => isReady || kept === mine });
    const mine: Kept = { table, version, store, isReady };
    kept = mine;
    store.then(
      () => {
        mine.isReady = true;
        readAgainAt = performance.now() + PAUSE_FACTOR * (performance.now() - began);
      },
      // Waiting searches get the error; otherwise the next search starts another read.
      () => {
        if (kept === mine) kept = undefined;
      },
    );
  }

  function isKept(table: Table, version: number): boolean {
    return kept?.table === table && kept.version === version;
  }

  function change(table: Table, version: number, apply: (store: VectorStore) => Promise<void>): void {
    if (kept?.table !== table || kept.version !== version - 1) return;
    kept.version = version;
    kept.store = kept.store.then(async (store) => {
      await apply(store);
      return store;
    });
    kept.store.then(undefined, () => undefined);
  }

  return {
    /** Undefined when LanceDB has to answer: the table is too large, or its copy is not read yet. */
    async of({ table, shape }: Subject): Promise<VectorStore | undefined> {
      searches += 1;
      const fits = (rows: number) => rows * shape.dimension * Float32Array.BYTES_PER_ELEMENT <= mostBytes;
      // The version is read first: rows added meanwhile are then read twice, and none is missed.
      const version = await table.version();
      if (!isKept(table, version)) {
        const rows = await table.countRows();
        const isSmall = rows <= smallRows;
        // A command that searches once would end before a large copy pays off.
        const pays = isSmall || (searches > 1 && performance.now() >= readAgainAt);
        if (!fits(rows) || !pays) return undefined;
        // Another search may have started reading it meanwhile.
        if (!isKept(table, version)) keep(table, { version, shape, isReady: isSmall });
      }
      if (!kept?.isReady) return undefined;
      const store = await kept.store;
      if (fits(await store.count())) return store;
      // Our own writes made it too large; from now on the rows are counted each time.
      kept = undefined;
      return undefined;
    },

    /** Reads the table before the first search. */
    async begin(subject: Subject): Promise<void> {
      searches += 1;
      await this.of(subject);
      await kept?.store;
    },

    /** Applies our own write, which produced `version` from the one before. */
    wrote(table: Table, points: readonly Point[], version: number): void {
      change(table, version, (store) => store.upsert(points));
    },

    /** Applies our own removal in the same way. */
    removed(table: Table, ids: readonly string[], version: number): void {
      change(table, version, (store) => store.remove(ids));
    },

    async close(): Promise<void> {
      kept = undefined;
      await scanner.stop();
    },
  };
}

interface Reading {
  shape: IndexShape;
  scanner: Scanner;
  /** False when another copy has replaced this one. */
  isWanted: () => boolean;
}

async function read(table: Table, { shape, scanner, isWanted }: Reading): Promise<VectorStore> {
  const store = createMemoryStore(scanner);
  await store.open(shape);
  for await (const batch of table.query().select(['id', 'vector', 'scope', 'conversation_id'])) {
    await store.upsert(pointsOf(batch, shape));
    // A partial copy must never be used as a complete one.
    if (!isWanted()) throw new Error('A newer version of the table is being read.');
  }
  return store;
}
