import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix, resolve, win32 } from 'node:path';
import type { Environment } from './environment.js';
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

/**
 * What a command needs to find a running server: far less than the whole configuration, and read in a few milliseconds.
 */
interface QuickPlace {
  data: Place;
  /** How the settings are written: equal texts mean equal settings, different ones may. */
  settings: string;
}

interface Given {
  config?: string | undefined;
  data?: string | undefined;
  cwd: string;
  environment: Environment;
}

/** Undefined if the whole configuration is needed or invalid. */
export async function quickPlace({ config, data, cwd, environment }: Given): Promise<QuickPlace | undefined> {
  const folders = userFolders({ environment });
  const named = config ?? (environment.THREADKEEP_CONFIG || undefined);
  const own = join(folders.config, 'config.yaml');
  const candidates = named === undefined ? [resolve(cwd, 'config.yaml'), own] : [resolve(cwd, named)];
  const file = candidates.map((path) => ({ path, text: readText(path) })).find(({ text }) => text !== undefined);
  if (named !== undefined && file === undefined) return undefined;
  const isUsers = named === undefined && file?.path === own;
  const settings = settingsText({ file: file?.path, text: file?.text, isUsers, cwd, environment });
  const variables = Object.entries(environment).filter(([name]) => name.toUpperCase() === dataVariable);
  if (data !== undefined) return { settings, data: { path: resolve(cwd, data), rule: 'flag' } };
  const [variable, ...others] = variables.map(([, value]) => value);
  if (others.length > 0 || variable === '') return undefined;
  if (variable !== undefined) return { settings, data: { path: resolve(cwd, variable), rule: 'variable' } };
  const inFile = file?.text === undefined ? undefined : await dataFolderIn(file.text);
  if (inFile === unclear) return undefined;
  if (inFile === undefined) return { settings, data: { path: folders.data, rule: 'user' } };
  return { settings, data: { path: resolve(isUsers ? folders.config : cwd, inFile), rule: 'file' } };
}

/**
 * Serialises the settings of a process as written. Server-only settings (addresses, logs, telemetry) are left out, as
 * is the data folder, which both sides determine themselves.
 */
export function settingsText(given: {
  file: string | undefined;
  text: string | undefined;
  /** The file is the one in the user's folder. */
  isUsers: boolean;
  cwd: string;
  environment: Environment;
}): string {
  const { file, text = '', isUsers, cwd, environment } = given;
  const ours = Object.entries(environment)
    .map(([name, value]) => [name.toUpperCase(), value] as const)
    .filter(([name]) => name.startsWith('THREADKEEP_') && !serverOnly.test(name));
  const named = [...text.matchAll(/\$\{([A-Za-z_]\w{0,200})\}/g)].map(
    ([, name = '']) => [name, environment[name]] as const,
  );
  // The paths in the user's own file begin at its folder, except for that of a model.
  const inFile = isUsers ? text.includes('embedding_model') : file !== undefined;
  const beginsHere = inFile || ours.some(([name]) => pathVariable.test(name));
  return JSON.stringify([file, text, ours.sort(byName), named, beginsHere ? cwd : undefined]);
}

const dataVariable = 'THREADKEEP_PATHS__DATA_DIR';
const serverOnly = /^THREADKEEP_(?:CONFIG$|TOKEN$|PATHS__|API__|OBSERVABILITY__|INTERFACES__|MCP__)/;
const pathVariable = /__(?:PATH|FILE|EMBEDDING_MODEL)$/;

const unclear = Symbol('unclear');

async function dataFolderIn(text: string): Promise<string | undefined | typeof unclear> {
  // Most files set no data folder, and loading the parser takes longer than everything else here.
  if (!text.includes('data_dir')) return undefined;
  const { parse } = await import('yaml');
  try {
    const value: unknown = (parse(text, { prettyErrors: false }) as { paths?: { data_dir?: unknown } })?.paths
      ?.data_dir;
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' && value !== '' && !value.includes('${') ? value : unclear;
  } catch {
    // Loading the full configuration reports what is wrong with it.
    return unclear;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Loading the full configuration reports a file that cannot be read.
    return undefined;
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
