import type { OpenObserver } from '../app/observer.js';
import type { Runtime } from '../app/open-runtime.js';
import type { tokenVariable as TokenVariable } from '../config/environment.js';
import type { LoadedConfig } from '../config/load.js';
import { earlierData, type Place } from '../config/places.js';
import type { Config, ConfigInput } from '../config/schema.js';
import type { Call } from '../operations/operation.js';
import type { Invocation, SharedOptions } from './command.js';
import { commandLine } from './terminal.js';

type Caller = Pick<Invocation, 'shared' | 'secrets'>;

export interface Opened {
  config: Config;
  runtime: Runtime;
  /** Acts as the local user or the user of the given token; a conversation without a source gets `cli`. */
  call: Call;
}

/** Loads the configuration that the command line names. Flags override the file and the environment. */
export async function loadConfigFor(caller: Caller, flags: ConfigInput = {}): Promise<LoadedConfig> {
  const loaded = await readConfigFor(caller, flags);
  mentionEarlierData(process.cwd(), loaded.places.data, caller.shared);
  return loaded;
}

/** Like `loadConfigFor`, but without the note about data of an earlier version. */
export async function readConfigFor({ shared, secrets }: Caller, flags: ConfigInput = {}): Promise<LoadedConfig> {
  const { loadConfig } = await import('../config/load.js');
  const { secretsOf } = await import('../config/redact.js');
  const { userFolders } = await import('../config/places.js');
  const loaded = await loadConfig({
    file: shared.config,
    cwd: process.cwd(),
    environment: process.env,
    flags: withData(flags, shared.data),
    folders: userFolders(),
  });
  for (const secret of secretsOf(loaded.config)) secrets.add(secret);
  return loaded;
}

function withData(flags: ConfigInput, data: string | undefined): ConfigInput {
  return data === undefined ? flags : { ...flags, paths: { data_dir: data, ...flags.paths } };
}

/** Logs warnings and errors to standard error; everything with `--verbose`, nothing with `--quiet`. */
export async function observerFor({ shared }: Caller, config: Config): Promise<OpenObserver['observer']> {
  if (shared.quiet && !shared.verbose) return { log() {}, count() {}, duration() {} };
  const { openObserver } = await import('../app/observer.js');
  const { verbose } = shared;
  // One line says what went wrong; stack traces are for --verbose.
  const observability = { ...config.observability, includeStackTraces: verbose };
  return openObserver({ ...config, observability }, { toFile: false, level: verbose ? 'debug' : 'warn' }).observer;
}

/** Opens the stores, runs, and always closes them. A server on the same data is not affected. */
export async function withRuntime<T>(
  caller: Caller,
  run: (opened: Opened) => Promise<T>,
  options: { config?: Config; purpose?: 'command' | 'reindex'; look?: boolean; only?: 'search' | 'ask' } = {},
): Promise<T> {
  const config = options.config ?? (await loadConfigFor(caller)).config;
  const observer = await observerFor(caller, config);
  const { openRuntime } = await import('../app/open-runtime.js');
  const { purpose = 'command', look = false, only } = options;
  const { userFolders } = await import('../config/places.js');
  // Other commands do not wait for the model, or are followed by none that would.
  const quick = only === undefined ? {} : { only, cache: userFolders().cache };
  const runtime = await openRuntime({ config, observer, purpose, look, ...quick });
  try {
    const { principalOf } = await import('../app/by-hand.js');
    const principal = await principalOf(runtime, tokenGiven(caller));
    return await run({ config, runtime, call: { principal, defaultSource: 'cli' } });
  } finally {
    await runtime.close();
  }
}

/** The token of the user a command acts for, if given; it is never printed. */
export function tokenGiven({ shared, secrets }: Caller): string | undefined {
  const token = shared.token ?? process.env[tokenVariable];
  if (token !== undefined) secrets.add(token);
  return token;
}

/** The configuration knows this name too; otherwise it would treat it as a setting. */
export const tokenVariable = 'THREADKEEP_TOKEN' satisfies typeof TokenVariable;

/** Mentions data that an earlier version stored in the working directory, so that it is not silently left behind. */
export function mentionEarlierData(cwd: string, data: Place, { quiet }: Pick<SharedOptions, 'quiet'>): void {
  const earlier = earlierData(cwd, data);
  if (earlier === undefined || quiet) return;
  process.stderr.write(`${earlierText(earlier, data.path)}\n`);
}

export function earlierText(earlier: string, inUse: string): string {
  return [
    `note: ${earlier} holds data of an earlier version, but ${inUse} is used.`,
    `  to use it:  ${commandLine(['threadkeep', '--data', earlier, '…'])}`,
    `  to move it: ${commandLine(['mv', earlier, inUse])} (stop the server first; the destination must not exist)`,
  ].join('\n');
}
