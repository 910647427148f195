import { earlierData, type Place } from '../config/places.js';
import type { SharedOptions } from './command.js';
import { commandLine } from './shell.js';

/** A memory that an earlier version kept in the working directory is never silently left behind. */
export function mentionEarlierData(cwd: string, data: Place, { quiet }: Pick<SharedOptions, 'quiet'>): void {
  const earlier = earlierData(cwd, data);
  if (earlier === undefined || quiet) return;
  process.stderr.write(`${earlierText(earlier, data.path)}\n`);
}

export function earlierText(earlier: string, inUse: string): string {
  return [
    `note: ${earlier} holds a memory of an earlier version, and ${inUse} is used.`,
    `  to use it:  ${commandLine(['threadkeep', '--data', earlier, '…'])}`,
    `  to move it: ${commandLine(['mv', earlier, inUse])} (with no server running, and nothing there yet)`,
  ].join('\n');
}
