import { stat } from 'node:fs/promises';
import { MemoryError } from '../../model/errors.js';
import type { Importer, SourceFile } from '../contract.js';
import { filesAt } from './files.js';

export interface Watched {
  importer: Importer;
  path: string;
}

export interface ChangedFile {
  importer: Importer;
  file: SourceFile;
  /** Look at it next time as well, changed or not. */
  again(): void;
}

/**
 * Which files of the watched folders are new or have changed since the last look. Looking at names, sizes and times every
 * few seconds works on every file system, costs little, and forgets nothing when the machine was asleep. Folders may come
 * and go meanwhile.
 */
export function createLook(watched: () => readonly Watched[]) {
  const seen = new Map<string, string>();
  return async function* look(): AsyncGenerator<ChangedFile> {
    for (const { importer, path } of watched()) {
      for await (const file of filesThere(path, importer)) {
        const key = `${importer.name} ${file.onDisk ?? file.path}`;
        const state = await stateOf(file);
        if (seen.get(key) === state) continue;
        seen.set(key, state);
        yield { importer, file, again: () => seen.delete(key) };
      }
    }
  };
}

async function* filesThere(path: string, importer: Importer): AsyncGenerator<SourceFile> {
  try {
    yield* filesAt(path, importer);
  } catch (error) {
    // It went between two looks.
    if (!(error instanceof MemoryError) || error.code !== 'not_found') throw error;
  }
}

/** A database that is in use changes its log first, and itself much later. */
async function stateOf({ onDisk = '', size, changedAt }: SourceFile): Promise<string> {
  const log = /\.(vscdb|db)$/.test(onDisk) ? await stat(`${onDisk}-wal`).catch(() => undefined) : undefined;
  return [size, changedAt, log?.size, log?.mtimeMs].join(' ');
}
