import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Values, valueAt, withValue } from './layers.js';
import type { UserFolders } from './user-folders.js';

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
