import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../model/json.js';

/** A client that calls a program at certain moments: where that is written, and how. */
export interface Hooks {
  file: () => string;
  /** The settings with our hook in them; everything else stays as it was, and ours is there once. */
  add(settings: Record<string, unknown>, command: string): Record<string, unknown>;
  /** What else has to be done. */
  next: string;
}

const soon = 'Its next session is kept by itself.';

/** All three hand over the path of the session on standard input. */
export const hooks: Readonly<Record<string, Hooks>> = {
  'claude-code': {
    file: () => join(homedir(), '.claude', 'settings.json'),
    add: (settings, command) =>
      withHook(settings, ['Stop', 'SessionEnd'], { hooks: [{ type: 'command', command, timeout: 60 }] }),
    next: soon,
  },
  codex: {
    file: () => join(process.env.CODEX_HOME ?? join(homedir(), '.codex'), 'hooks.json'),
    add: (settings, command) => withHook(settings, ['Stop'], { hooks: [{ type: 'command', command, timeout: 60 }] }),
    next: 'Codex asks once whether the hook may run: /hooks shows it.',
  },
  'gemini-cli': {
    file: () => join(homedir(), '.gemini', 'settings.json'),
    // Times are in milliseconds there.
    add: (settings, command) =>
      withHook(settings, ['AfterAgent', 'SessionEnd'], {
        matcher: '*',
        hooks: [{ name: 'threadkeep', type: 'command', command, timeout: 60_000 }],
      }),
    next: soon,
  },
};

/** Lists of matchers by event, each with the commands to run. */
function withHook(
  settings: Record<string, unknown>,
  events: readonly string[],
  entry: object,
): Record<string, unknown> {
  const before = isObject(settings.hooks) ? settings.hooks : {};
  const after = Object.fromEntries(
    events.map((event) => {
      const listed = Array.isArray(before[event]) ? before[event] : [];
      const others = listed.filter((each) => !/ import [a-z-]+ --hook /.test(JSON.stringify(each)));
      return [event, [...others, entry]];
    }),
  );
  return { ...settings, hooks: { ...before, ...after } };
}
