import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, relative } from 'node:path';
import type { Server } from './clients.js';

/** Folders that the system empties: at a restart, or when what is in them is old. */
const emptied = ['/tmp', '/var/tmp', '/dev/shm', '/private/tmp', '/private/var/tmp', '/var/folders'];

/**
 * The first path among the words of a command that lies in a temporary folder. None if the settings that would name it
 * lie in one, too: otherwise they would still name it when it is gone.
 */
export function temporaryPath(words: readonly string[], settingsFile: string | undefined): string | undefined {
  if (settingsFile !== undefined && isTemporary(settingsFile)) return undefined;
  return words.find((word) => isAbsolute(word) && isTemporary(word));
}

/** What the entry of a client names of this machine. */
export function wordsOf(server: Server): string[] {
  return server.kind === 'stdio' ? [server.command, ...server.args, ...Object.values(server.env)] : [];
}

function isTemporary(path: string): boolean {
  const folders = [tmpdir(), ...(process.platform === 'win32' ? [] : emptied)];
  const spellings = [path, realPath(path)];
  return folders.some((folder) =>
    [folder, realPath(folder)].some((root) => spellings.some((each) => isWithin(each, root))),
  );
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return !inside.startsWith('..') && !isAbsolute(inside);
}

/** Follows links, as far as the path exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    // What does not exist yet is no link.
    return above === path ? path : `${realPath(above)}${path.slice(above.length)}`;
  }
}
