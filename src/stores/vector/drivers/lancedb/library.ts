import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import { loadPackage } from '../../../shared/load-package.js';

export const needs = { package: '@lancedb/lancedb', range: '0.30.0' };

export type Lance = typeof import('@lancedb/lancedb');
export type Arrow = typeof import('apache-arrow');

/** The native library and the Arrow classes it knows. */
export async function loadLibrary(): Promise<{ lance: Lance; arrow: Arrow }> {
  // The native logger reads this once, when the module loads, and otherwise writes warnings to standard error.
  process.env.LANCEDB_LOG ??= 'error';
  // Statistics of an index are asked for its unindexed rows only; without this they load every centroid, and warn.
  process.env.LANCE_INCLUDE_VECTOR_CENTROIDS ??= 'false';
  return loadPackage(needs, async () => {
    const lance = await import('@lancedb/lancedb');
    // LanceDB is a CommonJS package: importing Arrow here would make a second copy, whose tables it would convert
    // class by class, and fail. So we take the copy that it sees.
    const requireHere = createRequire(import.meta.url);
    const requireThere = createRequire(requireHere.resolve(needs.package));
    return { lance, arrow: requireThere('apache-arrow') as Arrow };
  });
}

/** LanceDB would keep 6 GiB: every index that a larger one has replaced among them. */
const INDEX_CACHE_BYTES = BigInt(512 * 1024 * 1024);
const METADATA_CACHE_BYTES = BigInt(256 * 1024 * 1024);

/** Every read sees the newest version, including writes by other processes. */
export async function connectTo(lance: Lance, path: string): Promise<Connection> {
  const session = new lance.Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES);
  // Absolute, because a bare word such as "db" is taken for the name of a hosted database.
  return lance.connect(resolve(path), { readConsistencyInterval: 0 }, session);
}
