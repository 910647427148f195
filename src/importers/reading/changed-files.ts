import type { Importer, SourceFile } from '../contract.js';
import { filesAt } from './files.js';

export interface Watched {
  importer: Importer;
  path: string;
}

/**
 * Which files of the watched folders are new or have changed since the last look. Looking at names, sizes and times every
 * few seconds works on every file system, costs little, and forgets nothing when the machine was asleep.
 */
export function createLook(watched: readonly Watched[]) {
  const seen = new Map<string, string>();
  return async function* look(): AsyncGenerator<{ importer: Importer; file: SourceFile }> {
    for (const { importer, path } of watched) {
      for await (const file of filesAt(path, importer)) {
        const key = `${importer.name} ${file.onDisk ?? file.path}`;
        const state = `${file.size} ${file.changedAt}`;
        if (seen.get(key) === state) continue;
        seen.set(key, state);
        yield { importer, file };
      }
    }
  };
}
