import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import type { Importer } from '../../importers/contract.js';
import { importers } from '../../importers/table.js';
import { MemoryError } from '../../model/errors.js';
import type { Command, CommandOption, Invocation, Result } from '../command.js';
import { programPlace } from '../connect/clients.js';
import { hooks } from '../connect/hooks.js';
import { tokenGiven, tokenVariable } from '../open.js';
import { type ImportOptions, type ImportSource, runImport } from '../run-import.js';
import { openQuestions } from '../terminal.js';

const hookOptions: CommandOption[] = [
  {
    flags: '--hook',
    text: "Read the session's path from the hook input on standard input",
  },
  { flags: '--data-dir <folder>', text: 'The data folder, for a hook that runs elsewhere (default: paths.data_dir)' },
];

const importOptions: CommandOption[] = [
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

/** Formats whose path differs: a database is read from disk, and standard input has no file name to tell its format. */
const pathTexts: Record<string, string> = {
  'copilot-chat': 'A file, a folder or a zip; - reads a JSON file from standard input',
  cursor: 'The database state.vscdb, or a folder with it',
  json: 'A file, a folder or a zip; - reads JSON or JSON lines from standard input, no CSV',
  opencode: 'The database, or what `opencode export` wrote: a file, a folder, a zip or - for standard input',
};

interface HookCall {
  path: string;
  /** The calling program is exiting, and kills child processes it did not wait for. */
  isEnding: boolean;
}

/** Programs pass the session file's path to a hook; null when they write none. */
async function hookCall(): Promise<HookCall | undefined> {
  const { readJsonInput } = await import('../input-file.js');
  const sent = (await readJsonInput('-', 32_000_000)) as Record<string, unknown> | null;
  if (sent?.transcript_path === null) return undefined;
  if (typeof sent?.transcript_path !== 'string') {
    throw new MemoryError('invalid_input', 'The hook sent no transcript_path');
  }
  return { path: sent.transcript_path, isEnding: sent.hook_event_name === 'SessionEnd' };
}

/** Prints nothing on success, because the model sees what a hook prints; only failures are reported. */
async function runHook(invocation: Invocation<ImportOptions>, importer: Importer): Promise<Result | undefined> {
  const [handedOver] = invocation.args;
  if (handedOver !== undefined) return runImport(invocation, [{ importer, path: handedOver }], { isSession: true });
  const call = await hookCall();
  if (call === undefined) return undefined;
  if (call.isEnding) {
    importOnItsOwn(invocation, importer.name, call.path);
    return undefined;
  }
  return runImport(invocation, [{ importer, path: call.path }], { isSession: true });
}

/** The parser's own wording for commands that always need a path. */
const missingPath = "error: missing required argument 'path'";

/** One command per format, from the table of importers. */
export const importCommands: readonly Command<ImportOptions>[] = importers.map((importer) => {
  const sample =
    samples[importer.name] ?? (importer.places?.[0] === undefined ? 'export.json' : `~/${importer.places[0]}`);
  const isGeneric = importer.name === 'json';
  const hasHooks = Object.values(hooks).some(({ format }) => format === importer.name);
  return {
    name: `import ${importer.name}`,
    arguments: [
      hasHooks
        ? { name: '[path]', text: 'A file or a folder; not needed with --hook' }
        : { name: '<path>', text: pathTexts[importer.name] ?? anyPath },
    ],
    summary: `Import conversations from ${importer.label}`,
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

export const importDetect: Command<ImportOptions> = {
  name: 'import detect',
  isDefault: true,
  arguments: [{ name: '[path]', text: 'A file, a folder or a zip; the word detect may be left out' }],
  summary: 'Detect which program an export is from, and import it',
  options: importOptions,
  examples: [
    'threadkeep import ~/Downloads/export.zip',
    'threadkeep import ~/Downloads/export.zip --dry-run',
    'threadkeep import detect chats.json',
  ],
  async run(invocation) {
    const [path] = invocation.args;
    if (path === undefined) throw new CommanderError(2, 'commander.missingArgument', missing);
    if (path === '-') throw new MemoryError('invalid_input', 'Standard input has no file name; name the format');
    if (!existsSync(path) && !/[/\\.]/.test(path))
      throw new CommanderError(2, 'commander.unknownCommand', unknown(path));
    const found = await formatsOf(path);
    const [first] = found;
    if (first === undefined) {
      const { isPastedTranscript } = await import('../../operations/imports/sources.js');
      const advice = (await isPastedTranscript(path))
        ? 'is a pasted transcript; run `threadkeep import manual`'
        : 'contains no known export; `threadkeep import --help` lists the formats';
      throw new MemoryError('invalid_input', `${path} ${advice}`);
    }
    const { json, quiet } = invocation.shared;
    if (!json && !quiet) process.stderr.write(`${path} is from ${labels(found)}\n`);
    const result = await runImport(
      invocation,
      found.map((importer) => ({ importer, path })),
    );
    return { ...result, json: { ...result.json, formats: found.map(({ name }) => name) } };
  },
};

const missing = "error: missing required argument 'path'";

function unknown(word: string): string {
  return `error: '${word}' is neither a file nor a format; the formats are ${importers.map(({ name }) => name).join(', ')}`;
}

async function formatsOf(path: string): Promise<Importer[]> {
  const { formatsAt } = await import('../../importers/table.js');
  return formatsAt(path);
}

/** For people: "ChatGPT", or "ChatGPT and Claude". */
export function labels(found: readonly Importer[]): string {
  return found.map(({ label }) => label).join(' and ');
}

interface AutoOptions extends ImportOptions {
  yes?: boolean;
}

export const importAuto: Command<AutoOptions> = {
  name: 'import auto',
  summary: 'Find conversations of assistants on this machine, and import them',
  options: [{ flags: '--yes', text: 'Import everything that is found without asking' }, ...importOptions],
  examples: [
    'threadkeep import auto',
    'threadkeep import auto --dry-run',
    'threadkeep import auto --yes --since 2026-01-01',
  ],
  async run(invocation) {
    const found = placesHere();
    const chosen = invocation.options.yes === true ? found : await choose(found);
    if (chosen.length === 0) {
      const json = { status: 'ok', found: found.map(({ importer, path }) => ({ format: importer.name, path })) };
      return { json, text: () => (found.length === 0 ? 'Nothing was found on this machine' : 'Nothing was read') };
    }
    return runImport(invocation, chosen);
  },
};

/** The well-known folders that exist. */
export function placesHere(): ImportSource[] {
  return importers.flatMap((importer) =>
    (importer.places ?? [])
      .map((place) => ({ importer, path: programPlace(place) }))
      .filter(({ path }) => existsSync(path)),
  );
}

/** Other programs' folders are private: each is read only after the user agrees. */
async function choose(found: readonly ImportSource[]): Promise<ImportSource[]> {
  if (found.length === 0) return [];
  if (process.stdin.isTTY !== true) {
    const names = found.map(({ importer, path }) => `${importer.label} (${path})`).join(', ');
    throw new MemoryError(
      'invalid_input',
      `Found: ${names}. There is no terminal to ask for confirmation; add --yes to import them`,
    );
  }
  const questions = openQuestions();
  const chosen: ImportSource[] = [];
  try {
    for (const source of found) {
      if (await questions.yes(`Import ${source.importer.label} from ${source.path}? [y/N] `)) chosen.push(source);
    }
  } finally {
    questions.close();
  }
  return chosen;
}

/** Runs the same import in a detached process, which outlives the program that called us. */
function importOnItsOwn(invocation: Invocation<ImportOptions>, format: string, path: string): void {
  const { args, environment } = callOfItsOwn(invocation, format, path);
  const env = { ...process.env, ...environment };
  const [verb = '', name = '', session = '', ...rest] = args;
  // As in a hand-over: the path comes after `--`.
  const words = [process.argv[1] ?? '', verb, name, '--hook', ...rest, '--', session];
  spawn(process.execPath, words, { detached: true, stdio: 'ignore', env }).unref();
}

/**
 * The arguments and environment of that process. A token goes into the environment, where other users of the machine
 * cannot see it.
 */
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
