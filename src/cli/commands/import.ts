import { importers } from '../../importers/table.js';
import { MemoryError } from '../../model/errors.js';
import type { ImportReport } from '../../operations/import-conversations.js';
import type { Command, CommandOption } from '../command.js';
import { importText, runImport } from '../run-import.js';

export interface ImportOptions {
  dryRun?: boolean;
  since?: string;
  projectId?: string;
  source?: string;
  field?: string[];
  hook?: boolean;
}

const hookOption: CommandOption = {
  flags: '--hook',
  text: 'Read the path of the session from what a hook of the program sends on standard input',
};

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

/** Programs tell a hook where the session is written down. */
async function pathFromHook(): Promise<string> {
  const { readJsonInput } = await import('../input-file.js');
  const sent = (await readJsonInput('-', 1_000_000)) as { transcript_path?: unknown } | null;
  if (typeof sent?.transcript_path === 'string') return sent.transcript_path;
  throw new MemoryError('invalid_input', 'The hook sent no transcript_path');
}

/** One command per format, from the table of formats. */
export const importCommands: readonly Command<ImportOptions>[] = importers.map((importer) => {
  const sample =
    samples[importer.name] ?? (importer.places?.[0] === undefined ? 'export.json' : `~/${importer.places[0]}`);
  const isGeneric = importer.name === 'json';
  return {
    name: `import ${importer.name}`,
    arguments: [
      importer.name === 'claude-code'
        ? { name: '[path]', text: 'A file or a folder; not needed with --hook' }
        : { name: '<path>', text: 'A file, a folder or a zip; - reads standard input' },
    ],
    summary: `Bring in conversations from ${importer.label}`,
    options: [
      ...(isGeneric ? genericOptions : []),
      ...(importer.name === 'claude-code' ? [hookOption] : []),
      ...importOptions,
    ],
    examples: [
      `threadkeep import ${importer.name} ${sample}`,
      `threadkeep import ${importer.name} ${sample} --dry-run`,
      ...(isGeneric ? ['threadkeep import json notes.csv --field text=body --field role=who --source notes'] : []),
      '',
      `${importer.howTo}.`,
    ],
    async run(invocation) {
      const path = invocation.options.hook === true ? await pathFromHook() : (invocation.args[0] ?? '-');
      const report: ImportReport = await runImport(invocation, [{ importer, path }]);
      return { json: report, text: (style) => importText(report, style) };
    },
  };
});
