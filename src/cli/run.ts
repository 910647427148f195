import { CommanderError } from 'commander';
import type { SharedOptions } from './command.js';
import { commands } from './commands.js';
import { exitCodes } from './exit-codes.js';
import { failureOf } from './failure.js';
import { printFailure, printResult } from './output.js';
import { createProgram } from './program.js';
import { Interrupted } from './questions.js';

/** Runs one command line and answers its exit code. Every failure is printed here and nowhere else. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const secrets = new Set<string>();
  let shared = sharedFrom(argv);
  let exit: number = exitCodes.ok;
  const program = createProgram(commands, async (command, called) => {
    shared = called.shared;
    const print = (result: Parameters<typeof printResult>[0]) => printResult(result, called.shared);
    const result = await command.run({ ...called, secrets, print });
    if (result === undefined) return;
    print(result);
    exit = result.exit ?? exitCodes.ok;
  });
  if (shared.json || shared.quiet) program.configureOutput({ writeErr: () => {} });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    // Help and version are errors of the parser only because it leaves the exit to us.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (error instanceof Interrupted) return exitCodes.interrupted;
    const failure = failureOf(error);
    await printFailure(failure, { shared, secrets });
    return failure.exit;
  }
}

/** How to answer when the command line cannot even be parsed. */
function sharedFrom(argv: readonly string[]): SharedOptions {
  const end = argv.indexOf('--');
  const given = new Set(end < 0 ? argv : argv.slice(0, end));
  return { json: given.has('--json'), quiet: given.has('--quiet'), verbose: given.has('--verbose') };
}
