import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../model/json.js';

/** A client that calls a program at certain moments: where that is written, and how. */
export interface Hooks {
  file: () => string;
  /** The settings with our hook in them; everything else stays as it was, and ours is there once. */
  add(settings: Record<string, unknown>, command: string): Record<string, unknown>;
}

export const hooks: Readonly<Record<string, Hooks>> = {
  'claude-code': {
    file: () => join(homedir(), '.claude', 'settings.json'),
    add: (settings, command) => withHook(settings, ['Stop', 'SessionEnd'], command),
  },
};

/** Claude Code: lists of matchers by event, each with the commands to run; they get the path of the session on stdin. */
function withHook(
  settings: Record<string, unknown>,
  events: readonly string[],
  command: string,
): Record<string, unknown> {
  const before = isObject(settings.hooks) ? settings.hooks : {};
  const after = Object.fromEntries(
    events.map((event) => {
      const listed = Array.isArray(before[event]) ? before[event] : [];
      const others = listed.filter((entry) => !JSON.stringify(entry).includes('import claude-code --hook'));
      return [event, [...others, { hooks: [{ type: 'command', command, timeout: 60 }] }]];
    }),
  );
  return { ...settings, hooks: { ...before, ...after } };
}
