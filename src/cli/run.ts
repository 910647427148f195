import { CommanderError } from 'commander';
import { errorFaces, type Issue, MemoryError, StartupError } from '../model/errors.js';
import type { Command, Result, SharedOptions } from './command.js';
import { exitCodes } from './exit.js';
import { commandsFor, createProgram, type Known } from './program.js';
import { Interrupted, styleFor } from './terminal.js';

/** Runs one command line and prints its failures. */

/** Runs one command line and returns its exit code. All failures are printed here. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const secrets = new Set<string>();
  let shared = sharedFrom(argv);
  let exit: number = exitCodes.ok;
  let running: Command | undefined;
  const known = await commandsFor(argv);
  const program = createProgram(known, async (command, called) => {
    running = command;
    shared = called.shared;
    const print = (result: Parameters<typeof printResult>[0]) => printResult(result, called.shared);
    const result = await command.run({ ...called, secrets, print });
    if (result === undefined) return;
    print(result);
    exit = result.exit ?? exitCodes.ok;
  });
  if (shared.json || shared.quiet) program.configureOutput({ writeErr: () => {} });
  const help = helpFor(argv, known);
  try {
    refuseUnknownTopic(argv, known);
    // Without arguments, the user wants to know what the tool does.
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    // The parser reports help and version as errors only because we handle the exit.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (error instanceof Interrupted) return exitCodes.interrupted;
    const failure = inOptionNames(failureOf(error, help), { command: running, help });
    await printFailure(failure, { shared, secrets });
    return failure.exit;
  }
}

/** The help of the command, or group of commands, that was probably meant, and what it lists. */
interface Help {
  call: string;
  lists: 'every command' | 'every option';
}

const allHelp: Help = { call: 'threadkeep --help', lists: 'every command' };

function helpFor(argv: readonly string[], { commands, groups }: Known): Help {
  const typed = `${argv.filter((word) => !word.startsWith('-')).join(' ')} `;
  const longest = (names: readonly string[]): string | undefined =>
    names.filter((name) => typed.startsWith(`${name} `)).sort((a, b) => b.length - a.length)[0];
  const command = longest(commands.map(({ name }) => name));
  if (command !== undefined) return { call: `threadkeep ${command} --help`, lists: 'every option' };
  const group = longest(groupNames(commands, groups));
  if (group === undefined) return allHelp;
  // `import chats.json` is short for `import detect chats.json`.
  const usual = commands.find(({ name, isDefault }) => isDefault === true && name.startsWith(`${group} `));
  if (usual === undefined || typed === `${group} `)
    return { call: `threadkeep ${group} --help`, lists: 'every command' };
  return { call: `threadkeep ${usual.name} --help`, lists: 'every option' };
}

/** `admin`, `admin user`, …: the words before the last one of a command. */
function groupNames(commands: readonly Command[], groups: Known['groups']): string[] {
  const first = commands.flatMap(({ name }) => {
    const words = name.split(' ').slice(0, -1);
    return words.map((_, last) => words.slice(0, last + 1).join(' '));
  });
  return [...new Set([...first, ...Object.keys(groups)])];
}

/** The parser would print the whole help instead, as for a command that is missing. */
function refuseUnknownTopic([verb, topic]: readonly string[], { commands }: Known): void {
  if (verb !== 'help' || topic === undefined || topic.startsWith('-') || topic === 'help') return;
  if (commands.some(({ name }) => name.split(' ')[0] === topic)) return;
  throw new CommanderError(exitCodes.usage, 'commander.unknownCommand', `error: unknown command '${topic}'`);
}

/** The output options for a command line that cannot be parsed. */
function sharedFrom(argv: readonly string[]): SharedOptions {
  const end = argv.indexOf('--');
  const given = new Set(end < 0 ? argv : argv.slice(0, end));
  return { json: given.has('--json'), quiet: given.has('--quiet'), verbose: given.has('--verbose') };
}

/** Prints a result as text, as JSON or not at all, according to the shared options. */
function printResult(result: Result, shared: SharedOptions): void {
  if (shared.json) printJson(result.json);
  else if (!shared.quiet) process.stdout.write(`${result.text(styleFor(process.stdout, process.env))}\n`);
  else if (result.once !== undefined) process.stdout.write(`${result.once}\n`);
}

/** With --json the error is printed as a document; as text it goes to standard error. */
async function printFailure(
  failure: Failure,
  { shared, secrets }: { shared: SharedOptions; secrets: ReadonlySet<string> },
): Promise<void> {
  // Loaded here because only failures are redacted.
  const { textRedactor } = await import('../config/redact.js');
  const redact = textRedactor([...secrets]);
  if (shared.json) printJson(errorBody(failure));
  else if (!shared.quiet) process.stderr.write(`${errorText(failure, redact)}\n`);
  if (shared.verbose && failure.stack !== undefined) process.stderr.write(`${redact(failure.stack)}\n`);
}

/** Indented for a terminal, one line otherwise. */
function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`);
}

/** An error as the command line presents it. */
interface Failure {
  exit: number;
  code: string;
  message: string;
  issues?: Issue[];
  fields?: Record<string, string>;
  hints: string[];
  /** The underlying cause, for text output only; not yet redacted. */
  reason?: string;
  stack?: string;
}

/** `help` is the command that lists the options of what was typed. */
export function failureOf(error: unknown, help = allHelp): Failure {
  if (error instanceof CommanderError) return usageFailure(error, help);
  if (error instanceof StartupError) {
    const hints = error.hint === undefined ? [] : [error.hint];
    return { exit: exitCodes.configuration, code: error.code, message: error.message, hints, ...behind(error) };
  }
  if (error instanceof MemoryError) {
    const { exit } = errorFaces[error.code];
    const { code, message, issues, fields } = error;
    const known = { exit, code, message, fields, hints: [], ...(issues === undefined ? {} : { issues }) };
    // The cause of rejected input adds nothing and could quote it.
    return exit === exitCodes.input ? known : { ...known, ...behind(error) };
  }
  const message = 'Something went wrong inside Threadkeep';
  const hints = ['Run it again with --verbose to see where.'];
  return { exit: exitCodes.service, code: 'internal_error', message, hints, ...behind({ cause: error }) };
}

/** The error object of every adapter, without the request id, which a command does not have. */
function errorBody({ code, message, issues, fields, hints }: Failure): object {
  return {
    status: 'error',
    error_code: code,
    error_message: message,
    detail: message,
    ...(issues === undefined ? {} : { issues }),
    ...fields,
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  };
}

/** One line `error: message`, followed by indented details. */
export function errorText(failure: Failure, redact: (text: string) => string): string {
  const [first = '', ...rest] = failure.message.split('\n');
  const issues = (failure.issues ?? []).map(({ path, message }) => `${path} ${message}`.trim());
  // The message already contains a single issue.
  const listed = issues.length > 1 ? issues.map((issue) => `- ${issue}`) : [];
  const reason = failure.reason === undefined ? [] : [`reason: ${redact(failure.reason)}`];
  const hints = failure.hints.map((hint) => `hint: ${hint}`);
  return [`error: ${first}`, ...[...rest, ...listed, ...reason, ...hints].map((line) => `  ${line}`)].join('\n');
}

function sentenceOf({ call, lists }: Help): string {
  return `${call} lists ${lists}.`;
}

function usageFailure({ message, code }: CommanderError, help: Help): Failure {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const suggestions = rest.map((line) => line.replace(/^\((.*)\)$/, '$1')).filter((line) => line !== '');
  const isMissing = code === 'commander.help';
  const hints = [...suggestions, sentenceOf(help)];
  return { exit: exitCodes.usage, code: 'usage_error', message: isMissing ? 'a command is missing' : first, hints };
}

const longestReason = 500;

function behind(error: { cause?: unknown; stack?: string }): { reason?: string; stack?: string } {
  const chain: string[] = [];
  let stack = error.stack;
  for (let each = error.cause; each instanceof Error && chain.length < 5; each = each.cause) {
    chain.push(`${each.name}: ${each.message}`.replace(/\s+/g, ' '));
    stack = each.stack ?? stack;
  }
  const reason = chain.join('; ').slice(0, longestReason);
  return { ...(reason === '' ? {} : { reason }), ...(stack === undefined ? {} : { stack }) };
}

/** Interface fields whose option has another name. */
const others: Readonly<Record<string, string>> = { ids: '--id', token_id: '--written-by' };

/**
 * Replaces field names by the options the user typed: `--top-k`, not `top_k`. An invalid option value is a usage error,
 * like an unknown option.
 */
function inOptionNames(failure: Failure, { command, help }: { command: Command | undefined; help: Help }): Failure {
  if (failure.code !== 'invalid_input' || failure.issues === undefined) return failure;
  const flags = (command?.options ?? []).map(({ flags: text }) => text.split(' ')[0] ?? '');
  const typed = (path: string): string => {
    const [field = ''] = path.split(/[.[]/);
    const flag = others[field] ?? `--${field.replaceAll('_', '-')}`;
    return flags.includes(flag) ? flag : path;
  };
  const issues = failure.issues.map((issue) => ({ ...issue, path: typed(issue.path) }));
  const [first] = failure.issues;
  const renamed = issues[0]?.path ?? '';
  const message =
    first !== undefined && first.path !== '' && failure.message.startsWith(first.path)
      ? renamed + failure.message.slice(first.path.length)
      : failure.message;
  const isUsage = issues.length > 0 && issues.every(({ path }) => /^(?:--|<)/.test(path));
  if (!isUsage) return { ...failure, message, issues };
  return {
    ...failure,
    message,
    issues,
    exit: exitCodes.usage,
    hints: [...failure.hints, sentenceOf(help)],
  };
}
