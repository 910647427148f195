import { configVariable, type Environment, readEnvironment } from './environment.js';
import { readConfigFile } from './file.js';
import { mergeLayers, settleEmbeddingAddress, type Values, withoutEmpty } from './layers.js';
import { parseConfig } from './parse.js';
import type { Config, ConfigInput } from './schema.js';
import { expandVariables } from './variables.js';

export interface LoadOptions {
  /** The file named on the command line; otherwise THREADKEEP_CONFIG, otherwise ./config.yaml when present. */
  file?: string | undefined;
  /** The working directory: relative paths, in the file too, start here. */
  cwd: string;
  environment: Environment;
  flags?: ConfigInput;
}

export interface LoadedConfig {
  config: Config;
  source: { file?: string };
}

/**
 * Defaults, then the file, then the environment, then flags; each wins over the one before. Throws one StartupError
 * `config_invalid` that lists every problem.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { cwd, environment } = options;
  const { file, values } = await readConfigFile({ file: options.file ?? namedByVariable(environment), cwd });
  const expanded = expandVariables(withoutEmpty(values), environment);
  const variables = readEnvironment(environment);
  const flags = withoutEmpty({ ...options.flags } satisfies Values);
  const layers = [expanded.values, variables.values, flags].map(settleEmbeddingAddress);
  const config = parseConfig(mergeLayers(layers.map((layer) => layer.values)), {
    cwd,
    issues: [...expanded.issues, ...variables.issues, ...layers.flatMap((layer) => layer.issues)],
    origins: variables.origins,
  });
  return { config, source: file === undefined ? {} : { file } };
}

function namedByVariable(environment: Environment): string | undefined {
  const named = environment[configVariable];
  return named === '' ? undefined : named;
}
