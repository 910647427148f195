import { CommanderError } from 'commander';
import type { Importer } from '../../importers/contract.js';
import { importers } from '../../importers/table.js';
import { MemoryError } from '../../model/errors.js';
import type { Command, CommandOption, Invocation, Result } from '../command.js';
import { hooks } from '../connect/hooks.js';
import { type ImportOptions, runImport } from '../run-import.js';

const hookOptions: CommandOption[] = [
  {
    flags: '--hook',
    text: 'Read the path of the session from what a hook of the program sends on standard input',
  },
  { flags: '--data-dir <folder>', text: 'The data folder, for a hook that runs elsewhere (default: paths.data_dir)' },
];

export const importOptions: CommandOption[] = [
  { flags: '--dry-run', text: 'Read and count; store nothing' },
  { flags: '--since <date>', text: 'Only conversations from this date or time on (UTC)' },
  { flags: '--project-id <id>', text: 'The project to store them in (default: your own)' },
];

const genericOptions: CommandOption[] = [
  { flags: '--source <name>', text: 'Where the conversations took place (default: import)' },
  {
    flags: '--field <name=path>',
    text: 'Which field is which: messages, role, text, title, timestamp, id, conversation; repeat it for several',
    kind: 'list',
  },
];

const samples: Record<string, string> = {
  chatgpt: 'chatgpt-export.zip',
  claude: 'claude-export.zip',
  json: 'chats.jsonl',
};

const anyPath = 'A file, a folder or a zip; - reads standard input';

/** Where that is not all, or not true: a database is read on disk, and standard input has no name to tell its format. */
const pathTexts: Record<string, string> = {
  'copilot-chat': 'A file, a folder or a zip; - reads a JSON file from standard input',
  cursor: 'The database state.vscdb, or a folder with it',
  json: 'A file, a folder or a zip; - reads JSON or JSON lines from standard input, no CSV',
  opencode: 'The database, or what `opencode export` wrote: a file, a folder, a zip or - for standard input',
};

interface HookCall {
  path: string;
  /** The program ends, and takes with it what it started and did not wait for. */
  isEnding: boolean;
}

/** Programs tell a hook where the session is written down; null where they write none. */
async function hookCall(): Promise<HookCall | undefined> {
  const { readJsonInput } = await import('../input-file.js');
  const sent = (await readJsonInput('-', 32_000_000)) as Record<string, unknown> | null;
  if (sent?.transcript_path === null) return undefined;
  if (typeof sent?.transcript_path !== 'string') {
    throw new MemoryError('invalid_input', 'The hook sent no transcript_path');
  }
  return { path: sent.transcript_path, isEnding: sent.hook_event_name === 'SessionEnd' };
}

/** Nothing to say, because what a hook prints is shown to the model; only a failure is told. */
async function runHook(invocation: Invocation<ImportOptions>, importer: Importer): Promise<Result | undefined> {
  const call = await hookCall();
  if (call === undefined) return undefined;
  if (call.isEnding) {
    const { importOnItsOwn } = await import('../import-on-its-own.js');
    importOnItsOwn(invocation, importer.name, call.path);
    return undefined;
  }
  return runImport(invocation, [{ importer, path: call.path }], { mayBeEmpty: true });
}

/** As the parser says it where a path is always needed. */
const missingPath = "error: missing required argument 'path'";

/** One command per format, from the table of formats. */
export const importCommands: readonly Command<ImportOptions>[] = importers.map((importer) => {
  const sample =
    samples[importer.name] ?? (importer.places?.[0] === undefined ? 'export.json' : `~/${importer.places[0]}`);
  const isGeneric = importer.name === 'json';
  const hasHooks = importer.name in hooks;
  return {
    name: `import ${importer.name}`,
    arguments: [
      hasHooks
        ? { name: '[path]', text: 'A file or a folder; not needed with --hook' }
        : { name: '<path>', text: pathTexts[importer.name] ?? anyPath },
    ],
    summary: `Bring in conversations from ${importer.label}`,
    options: [...(isGeneric ? genericOptions : []), ...(hasHooks ? hookOptions : []), ...importOptions],
    examples: [
      `threadkeep import ${importer.name} ${sample}`,
      `threadkeep import ${importer.name} ${sample} --dry-run`,
      ...(isGeneric ? ['threadkeep import json notes.csv --field text=body --field role=who --source notes'] : []),
      '',
      `${importer.howTo}.`,
    ],
    async run(invocation) {
      if (invocation.options.hook === true) return runHook(invocation, importer);
      const [path] = invocation.args;
      if (path === undefined) throw new CommanderError(2, 'commander.missingArgument', missingPath);
      return runImport(invocation, [{ importer, path }]);
    },
  };
});
