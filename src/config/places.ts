import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix, resolve, win32 } from 'node:path';
import { type Values, valueAt, withValue } from './layers.js';

/** Why a folder or file is the one in use. `default` is `./data` and `./logs`, when no user folders are known. */
export type Rule = 'flag' | 'variable' | 'file' | 'data' | 'user' | 'default';

export interface Place {
  path: string;
  rule: Rule;
}

export interface Places {
  /** Absent: no configuration file. */
  config?: Place;
  data: Place;
  logs: Place;
}

interface Layers {
  flags: Values;
  variables: Values;
  file: Values;
}

const dataKey = ['paths', 'data_dir'];
const logsKey = ['paths', 'logs_dir'];

/**
 * Chooses the data and log folders and the rule behind each: a flag, a variable, the configuration file, else the
 * user's folders. Logs follow data that has its own location, so that two data folders do not share a log.
 */
export function chooseFolders(layers: Layers, { cwd, folders }: { cwd: string; folders: UserFolders | undefined }) {
  const data = given(layers, dataKey, cwd) ?? fallback(folders?.data, join(cwd, 'data'));
  const logs = given(layers, logsKey, cwd) ?? logsBeside(data, folders, cwd);
  return { data, logs };
}

/** Values of the rules with lower precedence than the configuration file. */
export function folderValues({ data, logs }: Pick<Places, 'data' | 'logs'>): Values {
  return withValue(withValue({}, dataKey, data.path), logsKey, logs.path);
}

function given(layers: Layers, key: readonly string[], cwd: string): Place | undefined {
  const found = (
    [
      ['flag', layers.flags],
      ['variable', layers.variables],
      ['file', layers.file],
    ] as const
  ).find(([, values]) => valueAt(values, key) !== undefined);
  if (found === undefined) return undefined;
  const [rule, values] = found;
  const path = valueAt(values, key);
  // Any other type is rejected with the rest of the configuration.
  return { rule, path: typeof path === 'string' ? resolve(cwd, path) : cwd };
}

function fallback(user: string | undefined, usual: string): Place {
  return user === undefined ? { path: usual, rule: 'default' } : { path: user, rule: 'user' };
}

function logsBeside(data: Place, folders: UserFolders | undefined, cwd: string): Place {
  if (folders === undefined || data.rule === 'default') return { path: join(cwd, 'logs'), rule: 'default' };
  if (data.rule === 'user') return { path: folders.logs, rule: 'user' };
  return { path: join(data.path, 'logs'), rule: 'data' };
}

/**
 * Keys whose relative paths start at the folder of the user's own configuration file, because that file applies in
 * every working directory.
 */
const pathKeys = [
  dataKey,
  logsKey,
  ['schema', 'file'],
  ['storage', 'vector_providers', 'lancedb', 'path'],
  ['storage', 'metadata_providers', 'sqlite', 'path'],
];

export function settlePaths(values: Values, file: string): Values {
  return pathKeys.reduce((settled, key) => {
    const path = valueAt(settled, key);
    return typeof path === 'string' && path !== '' ? withValue(settled, key, resolve(dirname(file), path)) : settled;
  }, values);
}

/** Data of an earlier version, which used `./data` in the working directory. */
export function earlierData(cwd: string, data: Place): string | undefined {
  const earlier = join(cwd, 'data');
  if (data.rule !== 'user' || data.path === earlier) return undefined;
  return existsSync(join(earlier, 'metadata.sqlite3')) ? earlier : undefined;
}

/** The user's folders on this machine, by platform convention. None is created here. */
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
  // The XDG specification says to ignore relative paths in these variables.
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
