import type { Style } from './terminal.js';

/**
 * One command of the tool as data. Its file is loaded for every `--help`, so it imports types and light modules only;
 * what is heavy (configuration, stores, operations) is imported inside `run`.
 */
export interface Command<Options extends object = object> {
  /** The words that call it: `search`, or `import manual` for one inside a group. */
  name: string;
  /** What its group does where no other word of the group is named. */
  isDefault?: true;
  arguments?: readonly { name: string; text: string }[];
  summary: string;
  options?: readonly CommandOption[];
  /** Works on the whole installation and for nobody in particular: a token means nothing to it. */
  operator?: true;
  /** Each is shown in the help as it is typed. */
  examples: readonly string[];
  /** What it returns is printed; a thrown error becomes the error of the tool, with its exit code. */
  run(invocation: Invocation<Options>): Promise<Result | undefined>;
}

export interface CommandOption {
  flags: string;
  text: string;
  /** Default a text, or a boolean where the flags take no value; a count is at least 1; a list is given piece by piece. */
  kind?: 'number' | 'count' | 'list';
  choices?: readonly string[];
  /** The command makes no sense without it. */
  required?: true;
  default?: string;
}

export interface SharedOptions {
  config?: string;
  /** The data folder. */
  data?: string;
  /** Act for whoever holds it, instead of for the person at this machine. */
  token?: string;
  json: boolean;
  quiet: boolean;
  verbose: boolean;
}

export interface Invocation<Options extends object = object> {
  args: readonly string[];
  options: Options;
  shared: SharedOptions;
  /** Filled once the configuration is read, so that the reason of a failure can be shown without them. */
  secrets: Set<string>;
  /** For a command that has something to say before it ends. */
  print(result: Result): void;
}

export interface Result {
  json: object;
  text(style: Style): string;
  /** What can be had only now, as a new token: printed alone where no other text is wanted. */
  once?: string;
  /** Default 0. */
  exit?: number;
}
