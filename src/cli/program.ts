import { InvalidArgumentError, Option, Command as Parser } from 'commander';
import { version } from '../app/version.js';
import type { Command, CommandOption, Invocation, SharedOptions } from './command.js';
import { exitCodeHelp } from './exit.js';

export type Called = Pick<Invocation, 'args' | 'options' | 'shared'>;

/** Builds the parser for a table of commands; it calls `execute` with the one that was named. */
export function createProgram(
  { commands, groups }: Known,
  execute: (command: Command, called: Called) => Promise<void>,
): Parser {
  const program = new Parser('threadkeep')
    .description('A local-first memory for AI conversations.')
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand('help [command]', 'Print the help of a command')
    .option('--config <path>', 'The configuration file (default: see threadkeep where)')
    .option('--data <folder>', 'The data folder (default: see threadkeep where)')
    .option('--token <token>', 'Act as the user of this token (prefer THREADKEEP_TOKEN)')
    .option('--json', 'Print one JSON document, also for an error')
    .option('--quiet', 'Print no text except a new token; check the exit code')
    .option('--verbose', 'Log at level debug to standard error')
    .configureHelp({ showGlobalOptions: true })
    // run.ts prints errors; only the help for a missing command is printed here.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText('after', footer());
  for (const command of commands) {
    add(program, command, groups).action(async (...received: unknown[]) => {
      // Commander passes the arguments, then the options, then itself.
      const parser = received.at(-1) as Parser;
      const options = parser.opts<Record<string, unknown>>();
      const shared = sharedOf(program);
      if (command.operator && shared.token !== undefined) parser.error(`error: ${command.name} takes no --token`);
      await execute(command, { args: parser.args, options, shared });
    });
  }
  return program;
}

function add(program: Parser, command: Command, groups: Known['groups']): Parser {
  const words = command.name.split(' ');
  const name = words.pop() ?? '';
  const parent = words.reduce((group, word) => groupIn(group, word, groups), program);
  const parser = parent
    .command(name, { isDefault: command.isDefault === true })
    .summary(command.summary)
    .description(`${command.summary}.`);
  for (const argument of command.arguments ?? []) parser.argument(argument.name, argument.text);
  for (const option of command.options ?? []) parser.addOption(optionOf(option));
  return parser.helpOption('-h, --help', 'Print this help').addHelpText('after', examplesOf(command.examples));
}

function groupIn(parent: Parser, word: string, groups: Known['groups']): Parser {
  const known = parent.commands.find((each) => each.name() === word);
  if (known !== undefined) return known;
  const { about = word, examples = [] } = groups[word] ?? {};
  return parent
    .command(word)
    .description(about)
    .helpOption('-h, --help', 'Print this help')
    .addHelpText('after', examplesOf(examples));
}

function optionOf({ flags, text, kind, choices, required, default: usual }: CommandOption): Option {
  const option = new Option(flags, text).makeOptionMandatory(required === true);
  if (choices !== undefined) option.choices(choices);
  if (usual !== undefined) option.default(usual);
  if (kind === 'number') option.argParser(numberOf);
  if (kind === 'count') option.argParser(countOf);
  if (kind === 'list') option.argParser((value, earlier: string[] | undefined) => [...(earlier ?? []), value]);
  return option;
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function countOf(text: string): number {
  const count = numberOf(text);
  if (count < 1) throw new InvalidArgumentError('It must be at least 1.');
  return count;
}

function sharedOf(program: Parser): SharedOptions {
  const { config, data, token, json = false, quiet = false, verbose = false } = program.opts<Partial<SharedOptions>>();
  return {
    json,
    quiet,
    verbose,
    ...(config === undefined ? {} : { config }),
    ...(data === undefined ? {} : { data }),
    ...(token === undefined ? {} : { token }),
  };
}

function examplesOf(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`;
}

function footer(): string {
  const codes = exitCodeHelp.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`);
  const examples = examplesOf([
    'threadkeep serve',
    'threadkeep ingest conversation.json',
    'threadkeep search "what did we say about bicycles" --top-k 3',
    'threadkeep search --help',
  ]);
  return `${examples}\n\nShared options may come before or after the command.\n\nExit codes:\n${codes.join('\n')}`;
}

/** Frequent commands are loaded on their own: loading the whole table takes longer than most answers. */
const alone: Readonly<Record<string, () => Promise<Command>>> = {
  ask: async () => (await import('./commands/ask.js')).ask,
  'fact-search': async () => (await import('./commands/fact-search.js')).factSearch,
  forget: async () => (await import('./commands/forget.js')).forget,
  health: async () => (await import('./commands/health.js')).health,
  ingest: async () => (await import('./commands/ingest.js')).ingest,
  mcp: async () => (await import('./commands/serve.js')).mcp,
  'profile-get': async () => (await import('./commands/fact-search.js')).profileGet,
  retrieve: async () => (await import('./commands/conversations.js')).retrieve,
  search: async () => (await import('./commands/search.js')).search,
  serve: async () => (await import('./commands/serve.js')).serve,
  where: async () => (await import('./commands/where.js')).where,
};

/** The shared options that take a value. */
const withValue = ['--config', '--data', '--token'];

export interface Known {
  commands: readonly Command[];
  groups: Readonly<Record<string, { about: string; examples: readonly string[] }>>;
}

/** The commands that this command line may refer to: one if its first word identifies it, otherwise all. */
export async function commandsFor(argv: readonly string[]): Promise<Known> {
  const word = firstWord(argv);
  const load = word !== undefined && Object.hasOwn(alone, word) ? alone[word] : undefined;
  if (load !== undefined) return { commands: [await load()], groups: {} };
  return import('./commands.js');
}

/** Undefined when an earlier option asks for something else, such as help. */
export function firstWord(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-')) return word;
    if (withValue.includes(word)) at += 1;
    else if (!/^--(?:json|quiet|verbose|config=.*|data=.*|token=.*)$/s.test(word)) return undefined;
  }
  return undefined;
}
