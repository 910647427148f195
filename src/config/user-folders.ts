import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** The folders of one person on this machine, where the platform expects them. Nothing is made here. */
export interface UserFolders {
  /** Holds `config.yaml`. */
  config: string;
  data: string;
  logs: string;
  /** May be deleted at any time. */
  cache: string;
}

interface Machine {
  platform?: NodeJS.Platform;
  environment?: Record<string, string | undefined>;
  home?: string;
}

/** XDG on Linux and other Unix systems, `Library` on macOS, `LOCALAPPDATA` on Windows. */
export function userFolders({ platform, environment, home }: Machine = {}): UserFolders {
  const { platform: here } = process;
  const variables = environment ?? process.env;
  const own = home ?? homedir();
  if ((platform ?? here) === 'win32') {
    const { join } = win32;
    const root = join(absolute(variables.LOCALAPPDATA, win32) ?? join(own, 'AppData', 'Local'), 'Threadkeep');
    return { config: root, data: join(root, 'data'), logs: join(root, 'logs'), cache: join(root, 'cache') };
  }
  const { join } = posix;
  if ((platform ?? here) === 'darwin') {
    const library = join(own, 'Library');
    const root = join(library, 'Application Support', 'Threadkeep');
    const [logs, cache] = ['Logs', 'Caches'].map((folder) => join(library, folder, 'Threadkeep')) as [string, string];
    return { config: root, data: join(root, 'data'), logs, cache };
  }
  // The specification of these variables says that a relative path in one of them is to be ignored.
  const base = (name: string, ...usual: string[]) => absolute(variables[name], posix) ?? join(own, ...usual);
  return {
    config: join(base('XDG_CONFIG_HOME', '.config'), 'threadkeep'),
    data: join(base('XDG_DATA_HOME', '.local', 'share'), 'threadkeep'),
    logs: join(base('XDG_STATE_HOME', '.local', 'state'), 'threadkeep', 'logs'),
    cache: join(base('XDG_CACHE_HOME', '.cache'), 'threadkeep'),
  };
}

function absolute(path: string | undefined, { isAbsolute }: Pick<typeof posix, 'isAbsolute'>): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
