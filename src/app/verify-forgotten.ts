import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { allRows } from '../backup/copy.js';
import type { Config } from '../config/schema.js';
import { tables as tableList } from '../model/tables.js';
import type { Observer } from '../observability/observer.js';
import { isRemote, openMetadata } from './open-metadata.js';

export interface Verified {
  files: number;
  bytes: number;
  /** Files that still contain forgotten text. */
  found: string[];
  /** The rows are on a remote server whose files cannot be scanned from here. */
  remote?: true;
}

/**
 * Searches every file of the data and logs folders for forgotten text. Other conversations may contain the same words,
 * so matches are compared with the text that is still stored.
 */
export async function verifyForgotten(
  config: Config,
  observer: Observer,
  probes: readonly string[],
): Promise<Verified> {
  const folders = [config.paths.dataDir, config.paths.logsDir].filter(existsSync);
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

/** The texts that no stored row contains. */
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

interface Scan {
  files: number;
  bytes: number;
  /** Files that still contain one of the texts, relative to the folder. */
  found: string[];
  /** The texts that were found. */
  texts: string[];
}

/** Scans every byte of a folder for these texts, including texts that span two reads of a file. */
export async function scanFiles(folder: string, texts: readonly string[]): Promise<Scan> {
  const needles = texts.map((text) => Buffer.from(text)).filter(({ length }) => length > 0);
  const longest = Math.max(1, ...needles.map(({ length }) => length));
  const lookIn = finderOf(needles);
  const seen = new Set<string>();
  const scan: Scan = { files: 0, bytes: 0, found: [], texts: [] };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const before = seen.size;
    const held = new Set<string>();
    scan.files += 1;
    let rest = Buffer.alloc(0);
    try {
      for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) {
        scan.bytes += part.length;
        const piece = Buffer.concat([rest, part]);
        for (const text of lookIn(piece)) held.add(text);
        rest = piece.subarray(Math.max(0, piece.length - longest));
      }
    } catch (error) {
      // The file was deleted during the scan, so nothing of it is left.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
    for (const text of held) seen.add(text);
    if (held.size > 0) scan.found.push(relative(folder, path));
    if (seen.size > before) scan.texts = [...seen];
  }
  return scan;
}

/** Below this many, searching for each one separately with the runtime's native search is fastest. */
const few = 16;
const windowLength = 12;
const base = 257;
const modulus = 2 ** 31 - 1;

/**
 * Returns the needles found in a buffer. Many needles are found in one pass, by a rolling hash of their first bytes.
 */
function finderOf(needles: readonly Buffer[]): (piece: Buffer) => string[] {
  const long = needles.length < few ? [] : needles.filter(({ length }) => length >= windowLength);
  const rest = long.length === 0 ? needles : needles.filter(({ length }) => length < windowLength);
  const byHash = new Map<number, Buffer[]>();
  for (const needle of long) {
    const hash = hashOf(needle, 0);
    byHash.set(hash, [...(byHash.get(hash) ?? []), needle]);
  }
  return (piece) => {
    const found = rest.filter((needle) => piece.includes(needle));
    if (byHash.size > 0 && piece.length >= windowLength) found.push(...walk(piece, byHash));
    return found.map((needle) => needle.toString());
  };
}

function walk(piece: Buffer, byHash: ReadonlyMap<number, readonly Buffer[]>): Set<Buffer> {
  const found = new Set<Buffer>();
  let top = 1;
  for (let index = 1; index < windowLength; index++) top = (top * base) % modulus;
  let hash = hashOf(piece, 0);
  for (let at = 0; ; at++) {
    for (const needle of byHash.get(hash) ?? []) {
      if (piece.compare(needle, 0, needle.length, at, Math.min(piece.length, at + needle.length)) === 0)
        found.add(needle);
    }
    if (at + windowLength >= piece.length) return found;
    hash = (hash + modulus - (((piece[at] ?? 0) * top) % modulus)) % modulus;
    hash = (hash * base + (piece[at + windowLength] ?? 0)) % modulus;
  }
}

function hashOf(bytes: Buffer, from: number): number {
  let hash = 0;
  for (let index = from; index < from + windowLength; index++) hash = (hash * base + (bytes[index] ?? 0)) % modulus;
  return hash;
}
