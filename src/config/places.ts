import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix, resolve, win32 } from 'node:path';
import { type Values, valueAt, withValue } from './layers.js';

/** Why a folder or file is the one in use. `default` is `./data` and `./logs`, where no folders of a person are known. */
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
 * Where data and logs are, and which rule says so: a flag, a variable, the configuration file, else the folders of the
 * person. Logs go with data that has a place of its own, so that two memories do not share a log.
 */
export function chooseFolders(layers: Layers, { cwd, folders }: { cwd: string; folders: UserFolders | undefined }) {
  const data = given(layers, dataKey, cwd) ?? fallback(folders?.data, join(cwd, 'data'));
  const logs = given(layers, logsKey, cwd) ?? logsBeside(data, folders, cwd);
  return { data, logs };
}

/** Values of the rules that rank below the configuration file. */
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
  // Anything but a text is refused with the rest of the configuration.
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

/** Keys whose relative paths begin at the folder of a person's own configuration file: it serves every folder. */
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

/** Before there were folders for each person, the memory was `./data` of wherever a command was run. */
export function earlierData(cwd: string, data: Place): string | undefined {
  const earlier = join(cwd, 'data');
  if (data.rule !== 'user' || data.path === earlier) return undefined;
  return existsSync(join(earlier, 'metadata.sqlite3')) ? earlier : undefined;
}

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
