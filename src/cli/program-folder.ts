import { homedir } from 'node:os';
import { join } from 'node:path';

/** Programs whose folder a person may have put elsewhere, by its usual name in the home folder. */
const variables: Readonly<Record<string, string>> = { '.claude': 'CLAUDE_CONFIG_DIR', '.codex': 'CODEX_HOME' };

/** Where a program keeps what usually is at this place below the home folder, in the program's own understanding. */
export function programPlace(
  place: string,
  { home = homedir(), environment = process.env }: { home?: string; environment?: NodeJS.ProcessEnv } = {},
): string {
  const [first = '', ...rest] = place.split('/');
  // An empty variable counts as none, as it does for the programs.
  const moved = environment[variables[first] ?? ''] || undefined;
  return moved === undefined ? join(home, place) : join(moved, ...rest);
}
