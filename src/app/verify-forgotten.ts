import { existsSync } from 'node:fs';
import { allRows } from '../backup/copy.js';
import type { Config } from '../config/schema.js';
import { tables as tableList } from '../model/tables.js';
import type { Observer } from '../observability/observer.js';
import { isRemote, openMetadata } from './open-metadata.js';
import { type Scan, scanFiles } from './scan-files.js';

export interface Verified {
  files: number;
  bytes: number;
  /** Files in which something of what was forgotten still stands. */
  found: string[];
  /** The rows are on a server whose files cannot be looked through from here. */
  remote?: true;
}

/**
 * Looks for pieces of what was forgotten in every file of the data and the logs folder. What another conversation says
 * in the same words is not left over, so what is found is compared with what is still stored.
 */
export async function verifyForgotten(
  config: Config,
  observer: Observer,
  probes: readonly string[],
): Promise<Verified> {
  const folders = [config.paths.data_dir, config.paths.logs_dir].filter(existsSync);
  const look = async (texts: readonly string[]): Promise<Scan[]> => {
    const scans: Scan[] = [];
    for (const folder of folders) scans.push(await scanFiles(folder, texts));
    return scans;
  };
  let scans = await look(probes);
  const left = scans.flatMap(({ texts }) => texts);
  if (left.length > 0) {
    const suspicious = await withoutStored(config, observer, left);
    const again = suspicious.length === 0 ? [] : await look(suspicious);
    scans = scans.map((scan, index) => ({ ...scan, found: again[index]?.found ?? [] }));
  }
  return {
    files: scans.reduce((sum, { files }) => sum + files, 0),
    bytes: scans.reduce((sum, { bytes }) => sum + bytes, 0),
    found: scans.flatMap(({ found }) => found),
    ...(isRemote(config) ? { remote: true as const } : {}),
  };
}

/** Those of the texts that no row holds. */
async function withoutStored(config: Config, observer: Observer, texts: readonly string[]): Promise<string[]> {
  const store = await openMetadata(config, observer);
  const left = new Set(texts);
  try {
    const snapshot = await store.snapshot();
    try {
      for await (const { row } of allRows(snapshot, tableList)) {
        const values = Object.values(row).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
        for (const text of left) if (values.some((value) => value?.includes(text))) left.delete(text);
      }
    } finally {
      await snapshot.close();
    }
  } finally {
    await store.close();
  }
  return [...left];
}
