import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Document } from 'yaml';
import { StartupError } from '../model/errors.js';
import { configVariable, type Environment, expandVariables, readEnvironment } from './environment.js';
import { isMapping, mergeLayers, settleEmbeddingAddress, type Values, withoutEmpty } from './layers.js';
import { parseConfig } from './parse.js';
import { chooseFolders, folderValues, type Places, settlePaths, type UserFolders } from './places.js';
import type { Config, ConfigInput } from './schema.js';
import { type SourceOf, sourceIn } from './settings.js';

export interface LoadOptions {
  /** The file named on the command line; otherwise THREADKEEP_CONFIG, ./config.yaml or the user's own. */
  file?: string | undefined;
  /** The working directory, to which relative paths refer, in the file too. */
  cwd: string;
  environment: Environment;
  flags?: ConfigInput;
  /** The user's folders, for an installed program; without them the defaults are `./data` and `./logs`. */
  folders?: UserFolders | undefined;
}

export interface LoadedConfig {
  config: Config;
  source: { file?: string };
  places: Places;
  /** Which layer set a key. */
  sourceOf: SourceOf;
}

/**
 * Merges defaults, file, environment and flags, in increasing precedence. Throws one StartupError `config_invalid` that
 * lists every problem.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { cwd, environment, folders } = options;
  const named = namedByVariable(environment);
  const { file, values, isUsers } = await readConfigFile({
    file: options.file ?? named,
    cwd,
    userFolder: folders?.config,
  });
  const expanded = expandVariables(withoutEmpty(values), environment);
  const fromFile = isUsers && file !== undefined ? settlePaths(expanded.values, file) : expanded.values;
  const variables = readEnvironment(environment);
  const flags = withoutEmpty({ ...options.flags } satisfies Values);
  const chosen = chooseFolders({ flags, variables: variables.values, file: fromFile }, { cwd, folders });
  const layers = {
    folders: settleEmbeddingAddress(folderValues(chosen)),
    file: settleEmbeddingAddress(fromFile),
    environment: settleEmbeddingAddress(variables.values),
    flag: settleEmbeddingAddress(flags),
  };
  // In increasing precedence.
  const ordered = [layers.folders, layers.file, layers.environment, layers.flag];
  const config = parseConfig(mergeLayers(ordered.map((layer) => layer.values)), {
    cwd,
    issues: [...expanded.issues, ...variables.issues, ...ordered.flatMap((layer) => layer.issues)],
    origins: variables.origins,
  });
  const rule = options.file !== undefined ? 'flag' : named !== undefined ? 'variable' : isUsers ? 'user' : 'default';
  const places = { ...(file === undefined ? {} : { config: { path: file, rule } as const }), ...chosen };
  const sourceOf = sourceIn({
    file: layers.file.values,
    environment: layers.environment.values,
    flag: layers.flag.values,
  });
  return { config, source: file === undefined ? {} : { file }, places, sourceOf };
}

function namedByVariable(environment: Environment): string | undefined {
  const named = environment[configVariable];
  return named === '' ? undefined : named;
}

const usualName = 'config.yaml';

interface ConfigFile {
  file?: string;
  values: Values;
  /** Found in the user's folder: not named, and not in the working directory. */
  isUsers?: true;
}

interface Where {
  file?: string | undefined;
  cwd: string;
  /** The user's own configuration folder. */
  userFolder?: string | undefined;
}

/**
 * Reads the named file, or `config.yaml` in the working directory if it exists, or the user's own. Throws
 * `config_invalid` for a named file that is missing and for a file that is not a YAML mapping; the message never quotes
 * the file.
 */
async function readConfigFile(options: Where): Promise<ConfigFile> {
  const file = resolve(options.cwd, options.file ?? usualName);
  const source = await readText(file);
  if (source !== undefined) return { file, values: await parse(file, source) };
  if (options.file === undefined) return readUserFile(options.userFolder);
  throw new StartupError('config_invalid', `The configuration file ${file} does not exist.`);
}

async function readUserFile(folder: string | undefined): Promise<ConfigFile> {
  const file = folder === undefined ? undefined : join(folder, usualName);
  const source = file === undefined ? undefined : await readText(file);
  if (file === undefined || source === undefined) return { values: {} };
  return { file, values: await parse(file, source), isUsers: true };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    if (code === 'ENOENT') return undefined;
    throw new StartupError('config_invalid', `The configuration file ${file} cannot be read (${code}).`, { cause });
  }
}

async function parse(file: string, source: string): Promise<Values> {
  // Most people have no file, and loading the parser takes longer than the rest of this.
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  // Without pretty errors, which quote the line and may reveal a secret.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw notYaml(file, `line ${line}, column ${col}: ${fault.code}`);
  }
  const value = plainValue(file, document);
  // A file with only comments is an empty configuration.
  if (value === null) return {};
  if (!isMapping(value)) throw notYaml(file, 'its top level is not a mapping of keys');
  return value;
}

function plainValue(file: string, document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch {
    // The cause is omitted: it may quote the file.
    throw notYaml(file, 'an alias cannot be resolved');
  }
}

function notYaml(file: string, why: string): StartupError {
  return new StartupError('config_invalid', `The configuration file ${file} is not valid YAML: ${why}.`);
}
