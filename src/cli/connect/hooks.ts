import { isObject } from '../../model/json.js';
import { notOurs } from './add-entry.js';
import { programPlace } from './clients.js';

/** A client that runs a program on certain events: its settings file and format. */
export interface Hooks {
  file: () => string;
  /** The format of its session files, as in `threadkeep import`. */
  format: string;
  /** Returns the settings with our hook exactly once; everything else is unchanged. */
  add(settings: Record<string, unknown>, command: string): Record<string, unknown>;
  /** Returns the settings without our hook, and without the rest of what we wrote if the file is ours. */
  remove(settings: Record<string, unknown>, isOurFile: boolean): Record<string, unknown>;
  /** The remaining step for the user. */
  next: string;
}

const soon = 'Its next session is saved automatically.';

/** All pass the session's path on standard input, as `transcript_path`. */
export const hooks: Readonly<Record<string, Hooks>> = {
  'claude-code': {
    file: () => programPlace('.claude/settings.json'),
    format: 'claude-code',
    add: (settings, command) =>
      withHook(settings, ['Stop', 'SessionEnd'], { hooks: [{ type: 'command', command, timeout: 60 }] }),
    remove: withoutHook,
    next: soon,
  },
  codex: {
    file: () => programPlace('.codex/hooks.json'),
    format: 'codex',
    add: (settings, command) => withHook(settings, ['Stop'], { hooks: [{ type: 'command', command, timeout: 60 }] }),
    remove: withoutHook,
    next: 'Codex asks once whether the hook may run: /hooks shows it.',
  },
  'gemini-cli': {
    file: () => programPlace('.gemini/settings.json'),
    format: 'gemini-cli',
    // Time-outs are in milliseconds here.
    add: (settings, command) =>
      withHook(settings, ['AfterAgent', 'SessionEnd'], {
        matcher: '*',
        hooks: [{ name: 'threadkeep', type: 'command', command, timeout: 60_000 }],
      }),
    remove: withoutHook,
    next: soon,
  },
  cursor: {
    file: () => programPlace('.cursor/hooks.json'),
    format: 'cursor-agent',
    add: (settings, command) => withHook({ version: 1, ...settings }, ['stop'], { command }),
    remove: withoutVersionedHook,
    next: 'Restart Cursor; Settings, Hooks shows it.',
  },
  vscode: {
    file: copilotHooks,
    format: 'copilot-cli',
    add: withCopilotHook,
    remove: withoutVersionedHook,
    next: 'Its next agent session is saved automatically. Copilot CLI reads the same file.',
  },
  'copilot-cli': {
    file: copilotHooks,
    format: 'copilot-cli',
    add: withCopilotHook,
    remove: withoutVersionedHook,
    next: 'Its next session is saved automatically. VS Code reads the same file.',
  },
};

/** A separate file: both programs read every file in this folder. */
function copilotHooks(): string {
  return programPlace('.copilot/hooks/threadkeep.json');
}

/** For an event with this spelling, Copilot CLI sends the same input as VS Code. */
function withCopilotHook(settings: Record<string, unknown>, command: string): Record<string, unknown> {
  return withHook({ version: 1, ...settings }, ['Stop'], { type: 'command', command });
}

/** In a file that we made, the format's version is ours too, if nothing else is left. */
function withoutVersionedHook(settings: Record<string, unknown>, isOurFile: boolean): Record<string, unknown> {
  const left = withoutHook(settings);
  const isOnlyVersion = Object.keys(left).every((key) => key === 'version');
  return isOurFile && isOnlyVersion && settings.hooks !== undefined ? {} : left;
}

/** Lists by event: of commands, or of matchers with their commands. Any other structure is rejected. */
function withHook(
  settings: Record<string, unknown>,
  events: readonly string[],
  entry: object,
): Record<string, unknown> {
  const before = settings.hooks ?? {};
  if (!isObject(before)) throw notOurs('"hooks" in it is not an object');
  const after = Object.fromEntries(
    events.map((event) => {
      const listed = before[event] ?? [];
      if (!Array.isArray(listed)) throw notOurs(`"hooks.${event}" in it is not a list`);
      return [event, [...listed.flatMap(withoutOurs), entry]];
    }),
  );
  return { ...settings, hooks: { ...before, ...after } };
}

/** Lists that contained only our hook are removed too. */
function withoutHook(settings: Record<string, unknown>): Record<string, unknown> {
  const { hooks: before, ...others } = settings;
  if (!isObject(before)) return settings;
  const after = Object.entries(before).flatMap(([event, listed]) => {
    if (!Array.isArray(listed)) return [[event, listed] as const];
    const kept = listed.flatMap(withoutOurs);
    return kept.length === 0 && listed.length > 0 ? [] : [[event, kept] as const];
  });
  return after.length === 0 ? others : { ...settings, hooks: Object.fromEntries(after) };
}

/** Other commands under the same matcher are kept. Some programs list commands without matchers. */
function withoutOurs(matcher: unknown): unknown[] {
  if (isOurs(matcher)) return [];
  if (!isObject(matcher) || !Array.isArray(matcher.hooks)) return [matcher];
  const others = matcher.hooks.filter((each) => !isOurs(each));
  if (others.length === matcher.hooks.length) return [matcher];
  return others.length === 0 ? [] : [{ ...matcher, hooks: others }];
}

function isOurs(hook: unknown): boolean {
  return isObject(hook) && / import [a-z-]+ --hook /.test(String(hook.command));
}
