import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from './environment.js';
import { type Place, userFolders } from './places.js';

/**
 * What a command needs to find a running server: far less than the whole configuration, and read in a few milliseconds.
 */
export interface QuickPlace {
  data: Place;
  /** Everything besides the stores that affects the result of an operation: equal texts mean equal settings. */
  settings: string;
}

interface Given {
  config?: string | undefined;
  data?: string | undefined;
  cwd: string;
  environment: Environment;
}

/** Undefined when the whole configuration is needed, or when something is wrong with it. */
export async function quickPlace({ config, data, cwd, environment }: Given): Promise<QuickPlace | undefined> {
  const folders = userFolders({ environment });
  const named = config ?? (environment.THREADKEEP_CONFIG || undefined);
  const own = join(folders.config, 'config.yaml');
  const candidates = named === undefined ? [resolve(cwd, 'config.yaml'), own] : [resolve(cwd, named)];
  const file = candidates.map((path) => ({ path, text: readText(path) })).find(({ text }) => text !== undefined);
  if (named !== undefined && file === undefined) return undefined;
  const settings = settingsText({ file: file?.path, text: file?.text, environment });
  const variables = Object.entries(environment).filter(([name]) => name.toUpperCase() === dataVariable);
  if (data !== undefined) return { settings, data: { path: resolve(cwd, data), rule: 'flag' } };
  const [variable, ...others] = variables.map(([, value]) => value);
  if (others.length > 0 || variable === '') return undefined;
  if (variable !== undefined) return { settings, data: { path: resolve(cwd, variable), rule: 'variable' } };
  const inFile = file?.text === undefined ? undefined : await dataFolderIn(file.text);
  if (inFile === unclear) return undefined;
  if (inFile === undefined) return { settings, data: { path: folders.data, rule: 'user' } };
  const base = file?.path === own && named === undefined ? folders.config : cwd;
  return { settings, data: { path: resolve(base, inFile), rule: 'file' } };
}

/**
 * Serialises the settings of a process. Server-only settings (addresses, logs, telemetry) are left out, as is the data
 * folder, which both sides find themselves.
 */
export function settingsText(given: {
  file: string | undefined;
  text: string | undefined;
  environment: Environment;
}): string {
  const { file, text = '', environment } = given;
  const ours = Object.entries(environment)
    .map(([name, value]) => [name.toUpperCase(), value] as const)
    .filter(([name]) => name.startsWith('THREADKEEP_') && !serverOnly.test(name));
  const named = [...text.matchAll(/\$\{([A-Za-z_]\w{0,200})\}/g)].map(
    ([, name = '']) => [name, environment[name]] as const,
  );
  return JSON.stringify([file, text, ours.sort(byName), named]);
}

const dataVariable = 'THREADKEEP_PATHS__DATA_DIR';
const serverOnly = /^THREADKEEP_(?:CONFIG$|TOKEN$|PATHS__|API__|OBSERVABILITY__|INTERFACES__|MCP__)/;

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
