import { configVariable, type Environment, readEnvironment } from './environment.js';
import { readConfigFile } from './file.js';
import { mergeLayers, settleEmbeddingAddress, type Values, withoutEmpty } from './layers.js';
import { parseConfig } from './parse.js';
import { chooseFolders, folderValues, type Places, settlePaths } from './places.js';
import type { Config, ConfigInput } from './schema.js';
import type { UserFolders } from './user-folders.js';
import { expandVariables } from './variables.js';

export interface LoadOptions {
  /** The file named on the command line; otherwise THREADKEEP_CONFIG, ./config.yaml or that of the person. */
  file?: string | undefined;
  /** The working directory: relative paths, in the file too, start here. */
  cwd: string;
  environment: Environment;
  flags?: ConfigInput;
  /** The folders of the person, for a program that is installed; without them the defaults are `./data` and `./logs`. */
  folders?: UserFolders | undefined;
}

export interface LoadedConfig {
  config: Config;
  source: { file?: string };
  places: Places;
}

/**
 * Defaults, then the file, then the environment, then flags; each wins over the one before. Throws one StartupError
 * `config_invalid` that lists every problem.
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
  const layers = [folderValues(chosen), fromFile, variables.values, flags].map(settleEmbeddingAddress);
  const config = parseConfig(mergeLayers(layers.map((layer) => layer.values)), {
    cwd,
    issues: [...expanded.issues, ...variables.issues, ...layers.flatMap((layer) => layer.issues)],
    origins: variables.origins,
  });
  const rule = options.file !== undefined ? 'flag' : named !== undefined ? 'variable' : isUsers ? 'user' : 'default';
  const places = { ...(file === undefined ? {} : { config: { path: file, rule } as const }), ...chosen };
  return { config, source: file === undefined ? {} : { file }, places };
}

function namedByVariable(environment: Environment): string | undefined {
  const named = environment[configVariable];
  return named === '' ? undefined : named;
}
