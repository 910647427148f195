import type { MigrationReport } from '../../app/migrate.js';
import type { Command } from '../command.js';
import { loadConfigFor, observerFor } from '../open.js';
import { columns, counted, progressOn, type Style } from '../terminal.js';

export const migrate: Command<{ to: string }> = {
  name: 'migrate',
  operator: true,
  summary: 'Copy everything into another pair of stores and check the copy',
  options: [
    {
      flags: '--to <config>',
      text: 'The configuration file of the destination, whose stores are empty',
      required: true,
    },
  ],
  examples: [
    'threadkeep migrate --to postgres.yaml',
    'threadkeep migrate --config old.yaml --to new.yaml --json',
    '',
    'The source is only read. Stop its server first, or what is saved meanwhile stays behind.',
    'THREADKEEP_* variables count for the source; the destination is read from its file alone.',
    'Interrupted, it goes on when it is run again.',
  ],
  async run(invocation) {
    const { options, shared, secrets } = invocation;
    const { config: from } = await loadConfigFor(invocation);
    const { loadConfig } = await import('../../config/load.js');
    const { secretsOf } = await import('../../config/redact.js');
    const environment = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('THREADKEEP_')),
    );
    const { userFolders } = await import('../../config/places.js');
    const folders = userFolders();
    const { config: to } = await loadConfig({ file: options.to, cwd: process.cwd(), environment, folders });
    for (const secret of secretsOf(to)) secrets.add(secret);
    const observer = await observerFor(invocation, to);
    const { migrate: run } = await import('../../app/migrate.js');
    const progress = progressOn(process.stderr, !shared.quiet, 'rows');
    try {
      const report = await run({ from, to, observer, onProgress: progress.step });
      return { json: report, text: (style) => reportText(report, style) };
    } finally {
      progress.end();
    }
  },
};

function reportText({ tables, vectors }: MigrationReport, style: Style): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const entries = columns(
    [
      ['copied', `${counted(tables.conversations?.rows ?? 0, 'conversation')}, ${counted(rows, 'row')} in all`],
      ['compared', 'number and SHA-256 of the rows of every table: equal'],
      ['vectors', `${counted(vectors.rows, 'row')} in ${vectors.provider}`],
    ],
    style,
  );
  return `${style.strong('Migrated')}\n${entries}`;
}
