import type { Style } from './terminal.js';

/**
 * One command of the tool as data. Its file is loaded for every `--help`, so it imports only types and light modules;
 * heavy ones (configuration, stores, operations) are imported inside `run`.
 */
export interface Command<Options extends object = object> {
  /** The words that invoke it: `search`, or `import manual` for one in a group. */
  name: string;
  /** Runs when its group is invoked without a subcommand. */
  isDefault?: true;
  /** `choices` are completed by the shell. */
  arguments?: readonly { name: string; text: string; choices?: readonly string[] }[];
  summary: string;
  options?: readonly CommandOption[];
  /** Works on the whole installation and not for a user, so it takes no token. */
  operator?: true;
  /** Shown in the help exactly as typed. */
  examples: readonly string[];
  /** The result is printed; a thrown error is printed with its exit code. */
  run(invocation: Invocation<Options>): Promise<Result | undefined>;
}

export interface CommandOption {
  flags: string;
  text: string;
  /**
   * By default a string, or a boolean if the flag takes no value. A count is at least 1; a list is given by repeating
   * the flag.
   */
  kind?: 'number' | 'count' | 'list';
  choices?: readonly string[];
  /** The option must be given. */
  required?: true;
  default?: string;
}

export interface SharedOptions {
  config?: string;
  /** The data folder. */
  data?: string;
  /** Act as the user of this token instead of the local user. */
  token?: string;
  json: boolean;
  quiet: boolean;
  verbose: boolean;
}

export interface Invocation<Options extends object = object> {
  args: readonly string[];
  options: Options;
  shared: SharedOptions;
  /** Filled once the configuration is read, so that error output can be redacted. */
  secrets: Set<string>;
  /** For a command that prints output before it ends. */
  print(result: Result): void;
}

export interface Result {
  json: object;
  text(style: Style): string;
  /** A value that is shown only once, such as a new token: `--quiet` prints it alone. */
  once?: string;
  /** Exit code, default 0. */
  exit?: number;
}
