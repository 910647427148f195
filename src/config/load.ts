import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Document } from 'yaml';
import { StartupError } from '../model/errors.js';
import { configVariable, type Environment, expandVariables, readEnvironment, variableOf } from './environment.js';
import { isMapping, mergeLayers, settleEmbeddingAddress, type Values, valueAt, withoutEmpty } from './layers.js';
import { parseConfig } from './parse.js';
import { chooseFolders, folderValues, type Places, settlePaths, type UserFolders } from './places.js';
import { redactConfig } from './redact.js';
import type { Config, ConfigInput } from './schema.js';
import { anyName, describeConfig, type KeyDescription, type SectionDescription } from './tree.js';

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
  // In order of increasing precedence.
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
  /** Found in the user's folder, neither named nor in the working directory. */
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
  // Most users have no file, and loading the parser takes longer than everything else here.
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

/** The source of a value, in increasing precedence. */
export type SettingSource = 'default' | 'file' | 'environment' | 'flag';

export type SourceOf = (path: readonly string[]) => SettingSource;

/** Determines which layer set each key. */
function sourceIn(layers: Readonly<Record<Exclude<SettingSource, 'default'>, Values>>): SourceOf {
  const order = ['flag', 'environment', 'file'] as const;
  return (path) => order.find((name) => valueAt(layers[name], path) !== undefined) ?? 'default';
}

export interface Setting {
  key: string;
  section: string;
  description: string;
  /** The allowed values, in words. */
  allowed: string;
  /** With secrets masked. Absent when nothing is set. */
  value?: unknown;
  default?: unknown;
  /** Absent when the service was not started from a configuration file, flags or the environment. */
  source?: SettingSource;
  /** The environment variable that sets it. */
  variable: string;
  secret: boolean;
  /** False for settings of an inactive provider. */
  in_use: boolean;
  /** The configuration is read once, when the service starts. */
  needs_restart: true;
}

/** Every key of the effective configuration, in the order of the documentation. */
export function settingsOf(config: Config, sourceOf: SourceOf | undefined): Setting[] {
  const shown = redactConfig(config);
  return describeConfig().flatMap((section) =>
    section.keys.flatMap((key) =>
      named(key.path.split('.'), shown).map((path) => settingOf({ key, section, path, shown, config, sourceOf })),
    ),
  );
}

interface Parts {
  key: KeyDescription;
  section: SectionDescription;
  path: readonly string[];
  shown: Values;
  config: Config;
  sourceOf: SourceOf | undefined;
}

function settingOf({ key, section, path, shown, config, sourceOf }: Parts): Setting {
  const value = valueAt(shown, path);
  const { description, allowed, fallback, secret } = key;
  return {
    key: path.join('.'),
    section: section.path,
    description,
    allowed,
    ...(value === undefined ? {} : { value }),
    ...(fallback === undefined ? {} : { default: 'value' in fallback ? fallback.value : fallback.words }),
    ...(sourceOf === undefined ? {} : { source: sourceOf(path) }),
    variable: variableOf(path.join('.')),
    secret,
    in_use: !section.block || isActive(section.path, config),
    needs_restart: true,
  };
}

/** Expands a key below user-chosen names, once per existing name; unchanged if there is none. */
function named(path: readonly string[], shown: Values): string[][] {
  const at = path.indexOf(anyName);
  if (at === -1) return [[...path]];
  const given = valueAt(shown, path.slice(0, at));
  const names = isMapping(given) ? Object.keys(given) : [];
  if (names.length === 0) return [[...path]];
  return names.flatMap((name) => named([...path.slice(0, at), name, ...path.slice(at + 1)], shown));
}

function isActive(block: string, { providers }: Config): boolean {
  const [, kind, name] = block.split('.');
  return name === (kind === 'vector_providers' ? providers.vectorDb : providers.metadataDb);
}
