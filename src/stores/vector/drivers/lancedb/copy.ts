import { totalmem } from 'node:os';
import type { Table } from '@lancedb/lancedb';
import type { IndexShape, Point, VectorStore } from '../../contract.js';
import { createScanner, type Scanner } from '../../shared/memory/scan/thread.js';
import { createMemoryStore } from '../memory.js';
import { pointsOf } from './rows.js';

interface Kept {
  table: Table;
  version: number;
  store: Promise<VectorStore>;
  /** Searches may wait for it: it is small, or read already. */
  isReady: boolean;
}

export interface CopyLimits {
  /** A search waits for tables up to this many rows to be read; larger ones are read in the background. */
  smallRows: number;
  /** What the vectors of a copy may take. */
  mostBytes: number;
}

/**
 * 390,000 vectors of 256 numbers, what a person says in many years; more where there is much memory, as a copy takes not
 * quite twice its vectors: a million with 16 GiB. Beyond that the index on disk is asked.
 */
export function copyLimits(): CopyLimits {
  // A container may have less than its machine; that it has all of it is told as zero, or as more than there is.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  // Half of it is scanned, and a scan reaches 4 GiB.
  return { smallRows: 2_000, mostBytes: Math.min(Math.max(400_000_000, memory / 16), 6_000_000_000) };
}

interface Subject {
  table: Table;
  shape: IndexShape;
}

/** So much longer than the reading took is waited before the next: a table that others keep changing costs a tenth. */
const PAUSE_FACTOR = 10;

/**
 * A table's rows in memory, as of the newest version that any process wrote: a scan in memory is exact, and takes a
 * tenth of the time of a question to LanceDB. Our own writes are applied to it; what others write, and what is
 * compacted, is a version we do not know, and is read anew. Until then LanceDB answers.
 */
export function createCopy({ smallRows, mostBytes }: CopyLimits) {
  const scanner = createScanner();
  let kept: Kept | undefined;
  let searches = 0;
  let readAgainAt = 0;

  function keep(table: Table, { version, shape, isReady }: { version: number; shape: IndexShape; isReady: boolean }) {
    const began = performance.now();
    // A search waits for a small table, whatever is cached by then.
    const store = read(table, { shape, scanner, isWanted: () => isReady || kept === mine });
    const mine: Kept = { table, version, store, isReady };
    kept = mine;
    store.then(
      () => {
        mine.isReady = true;
        readAgainAt = performance.now() + PAUSE_FACTOR * (performance.now() - began);
      },
      // Waiting searches get the error; otherwise the next search starts reading again.
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
    /** Undefined where LanceDB has to answer: the table is too large, or its copy is not read yet. */
    async of({ table, shape }: Subject): Promise<VectorStore | undefined> {
      searches += 1;
      const fits = (rows: number) => rows * shape.dimension * Float32Array.BYTES_PER_ELEMENT <= mostBytes;
      // The version is asked for first: rows that come in meanwhile are then read once more, and none is missed.
      const version = await table.version();
      if (!isKept(table, version)) {
        const rows = await table.countRows();
        const isSmall = rows <= smallRows;
        // A command that searches once has ended before a large copy pays.
        const pays = isSmall || (searches > 1 && performance.now() >= readAgainAt);
        if (!fits(rows) || !pays) return undefined;
        // Another search may have begun to read it meanwhile.
        if (!isKept(table, version)) keep(table, { version, shape, isReady: isSmall });
      }
      if (!kept?.isReady) return undefined;
      const store = await kept.store;
      if (fits(await store.count())) return store;
      // Our own writes have made it too large; the rows are then counted each time.
      kept = undefined;
      return undefined;
    },

    /** Reads the table before the first search. */
    async begin(subject: Subject): Promise<void> {
      searches += 1;
      await this.of(subject);
      await kept?.store;
    },

    /** These points made the table's `version` out of the one before. */
    wrote(table: Table, points: readonly Point[], version: number): void {
      change(table, version, (store) => store.upsert(points));
    },

    /** As did the removal of these. */
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
  /** False when something else is kept by now. */
  isWanted: () => boolean;
}

async function read(table: Table, { shape, scanner, isWanted }: Reading): Promise<VectorStore> {
  const store = createMemoryStore(scanner);
  await store.open(shape);
  for await (const batch of table.query().select(['id', 'vector', 'scope', 'conversation_id'])) {
    await store.upsert(pointsOf(batch, shape));
    // Part of a table must never pass for the whole of it.
    if (!isWanted()) throw new Error('Another version of the table is read by now.');
  }
  return store;
}
