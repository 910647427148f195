import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder for its owner only, and syncs its name: even a synced file is lost in a power cut if its folder's
 * name was not. The name is synced at each start, because the process that created it may have been interrupted.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  const last = dirname(made ?? folder);
  for (let parent = dirname(folder); ; parent = dirname(parent)) {
    syncFolder(parent);
    if (parent === last || parent === dirname(parent)) return;
  }
}

/** Creates an empty file that only its owner can read, if it is missing: SQLite would make it world-readable, and gives its log the same mode. */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // Opening it next reports the problem with a clear message.
  }
}

function syncFolder(path: string): void {
  try {
    const file = openSync(path, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // Windows and some network file systems cannot sync a folder, and a parent may not be accessible; they persist
    // names in their own way.
  }
}
