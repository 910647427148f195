import { spawn } from 'node:child_process';
import type { Invocation } from './command.js';
import { tokenGiven, tokenVariable } from './open.js';
import type { ImportOptions } from './run-import.js';

/** The same import in a process of its own, which goes on when the program that called us is gone. */
export function importOnItsOwn(invocation: Invocation<ImportOptions>, format: string, path: string): void {
  const { args, environment } = callOfItsOwn(invocation, format, path);
  const env = { ...process.env, ...environment };
  spawn(process.execPath, [process.argv[1] ?? '', ...args], { detached: true, stdio: 'ignore', env }).unref();
}

/** Everything that was asked for. A token goes into the environment, where other users of the machine do not see it. */
export function callOfItsOwn(
  invocation: Pick<Invocation<ImportOptions>, 'options' | 'shared' | 'secrets'>,
  format: string,
  path: string,
): { args: string[]; environment: Record<string, string> } {
  const { options, shared } = invocation;
  const named = {
    '--config': shared.config,
    '--data': shared.data,
    '--data-dir': options.dataDir,
    '--since': options.since,
    '--project-id': options.projectId,
  };
  const given = Object.entries(named).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  const token = tokenGiven(invocation);
  return {
    args: ['import', format, path, '--quiet', ...given, ...(options.dryRun === true ? ['--dry-run'] : [])],
    environment: token === undefined ? {} : { [tokenVariable]: token },
  };
}
