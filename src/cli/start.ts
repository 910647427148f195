import module from 'node:module';
import { join } from 'node:path';
import { version } from '../app/version.js';
import { userFolders } from '../config/user-folders.js';
import { exitCodes } from './exit-codes.js';
import { handOver, isHandOver } from './hand-over.js';

/** Runs one command line and answers its exit code. The version is told without loading anything else. */
export async function start(argv: readonly string[]): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return exitCodes.ok;
  }
  if (isHandOver(argv)) return handOver(argv);
  // What uninstall removes would be written again when it ends.
  if (!argv.includes('uninstall')) keepCompiledCode();
  const { runCli } = await import('./run.js');
  return runCli(argv);
}

/** From Node 22 on, code is compiled once and not at every start. What cannot be kept there costs nothing but time. */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(join(userFolders().cache, 'compiled'));
}
