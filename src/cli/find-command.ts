import type { Command } from './command.js';

/** A command that is called often is loaded alone: the whole table takes longer than most answers. */
const alone: Readonly<Record<string, () => Promise<Command>>> = {
  ask: async () => (await import('./commands/ask.js')).ask,
  'fact-search': async () => (await import('./commands/fact-search.js')).factSearch,
  forget: async () => (await import('./commands/forget.js')).forget,
  health: async () => (await import('./commands/health.js')).health,
  ingest: async () => (await import('./commands/ingest.js')).ingest,
  mcp: async () => (await import('./commands/mcp.js')).mcp,
  'profile-get': async () => (await import('./commands/profile-get.js')).profileGet,
  retrieve: async () => (await import('./commands/retrieve.js')).retrieve,
  search: async () => (await import('./commands/search.js')).search,
  serve: async () => (await import('./commands/serve.js')).serve,
  where: async () => (await import('./commands/where.js')).where,
};

/** The shared options that take a value. */
const withValue = ['--config', '--data', '--token'];

export interface Known {
  commands: readonly Command[];
  groups: Readonly<Record<string, { about: string; examples: readonly string[] }>>;
}

/** The commands that this command line can mean: one, where its first word says so, else all. */
export async function commandsFor(argv: readonly string[]): Promise<Known> {
  const word = firstWord(argv);
  const load = word !== undefined && Object.hasOwn(alone, word) ? alone[word] : undefined;
  if (load !== undefined) return { commands: [await load()], groups: {} };
  return import('./commands.js');
}

/** Undefined when an option before it asks for something else, such as the help. */
export function firstWord(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-')) return word;
    if (withValue.includes(word)) at += 1;
    else if (!/^--(?:json|quiet|verbose|config=.*|data=.*|token=.*)$/s.test(word)) return undefined;
  }
  return undefined;
}
