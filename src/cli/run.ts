import { CommanderError } from 'commander';
import type { Command, SharedOptions } from './command.js';
import { exitCodes } from './exit-codes.js';
import { failureOf } from './failure.js';
import { commandsFor } from './find-command.js';
import { inOptionNames } from './option-names.js';
import { printFailure, printResult } from './output.js';
import { createProgram } from './program.js';
import { Interrupted } from './questions.js';

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
