import { importers } from '../../importers/table.js';
import type { ImportReport } from '../../operations/import-conversations.js';
import type { Command, CommandOption } from '../command.js';
import { importText, runImport } from '../run-import.js';

export interface ImportOptions {
  dryRun?: boolean;
  since?: string;
  projectId?: string;
  source?: string;
  field?: string[];
}

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

/** One command per format, from the table of formats. */
export const importCommands: readonly Command<ImportOptions>[] = importers.map((importer) => {
  const sample =
    samples[importer.name] ?? (importer.places?.[0] === undefined ? 'export.json' : `~/${importer.places[0]}`);
  const isGeneric = importer.name === 'json';
  return {
    name: `import ${importer.name}`,
    arguments: [{ name: '<path>', text: 'A file, a folder or a zip; - reads standard input' }],
    summary: `Bring in conversations from ${importer.label}`,
    options: [...(isGeneric ? genericOptions : []), ...importOptions],
    examples: [
      `threadkeep import ${importer.name} ${sample}`,
      `threadkeep import ${importer.name} ${sample} --dry-run`,
      ...(isGeneric ? ['threadkeep import json notes.csv --field text=body --field role=who --source notes'] : []),
      '',
      `${importer.howTo}.`,
    ],
    async run(invocation) {
      const [path = '-'] = invocation.args;
      const report: ImportReport = await runImport(invocation, [{ importer, path }]);
      return { json: report, text: (style) => importText(report, style) };
    },
  };
});
