import { CommanderError } from 'commander';
import type { Command, Result, SharedOptions } from './command.js';
import { exitCodes } from './exit.js';
import { errorBody, errorText, type Failure, failureOf, inOptionNames } from './failure.js';
import { commandsFor, createProgram } from './program.js';
import { Interrupted, styleFor } from './terminal.js';

/** Runs one command line and answers its exit code. Every failure is printed here and nowhere else. */
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
  try {
    // Somebody who types the name alone wants to know what it does.
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    // Help and version are errors of the parser only because it leaves the exit to us.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (error instanceof Interrupted) return exitCodes.interrupted;
    const failure = inOptionNames(failureOf(error, helpFor(argv, known.commands)), running);
    await printFailure(failure, { shared, secrets });
    return failure.exit;
  }
}

/** The help that has the options of the command that was meant. */
function helpFor(argv: readonly string[], commands: readonly Command[]): string {
  const words = argv.filter((word) => !word.startsWith('-'));
  const meant = commands
    .filter(({ name }) => words.join(' ') === name || words.join(' ').startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
  return meant === undefined ? 'threadkeep --help' : `threadkeep ${meant.name} --help`;
}

/** How to answer when the command line cannot even be parsed. */
function sharedFrom(argv: readonly string[]): SharedOptions {
  const end = argv.indexOf('--');
  const given = new Set(end < 0 ? argv : argv.slice(0, end));
  return { json: given.has('--json'), quiet: given.has('--quiet'), verbose: given.has('--verbose') };
}

/** The one place that writes: text or JSON, or nothing, as the shared options say. */
function printResult(result: Result, shared: SharedOptions): void {
  if (shared.json) printJson(result.json);
  else if (!shared.quiet) process.stdout.write(`${result.text(styleFor(process.stdout, process.env))}\n`);
  else if (result.once !== undefined) process.stdout.write(`${result.once}\n`);
}

/** As JSON an error is a document like any other; as text it goes to standard error. */
async function printFailure(
  failure: Failure,
  { shared, secrets }: { shared: SharedOptions; secrets: ReadonlySet<string> },
): Promise<void> {
  // Only a failure is redacted, so only a failure loads what redacts.
  const { textRedactor } = await import('../config/redact-text.js');
  const redact = textRedactor([...secrets]);
  if (shared.json) printJson(errorBody(failure));
  else if (!shared.quiet) process.stderr.write(`${errorText(failure, redact)}\n`);
  if (shared.verbose && failure.stack !== undefined) process.stderr.write(`${redact(failure.stack)}\n`);
}

/** Indented for a person, one line for a program. */
function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`);
}
