import { readFile } from 'node:fs/promises';
import type { BackupReport } from '../../app/backup-file.js';
import type { MigrationReport } from '../../app/migrate.js';
import { MemoryError } from '../../model/errors.js';
import type { Command, CommandOption } from '../command.js';
import { loadConfigFor, observerFor } from '../open.js';
import { columns, counted, progressOn, type Style } from '../terminal.js';

/*
 * Commands that copy a whole memory: backup, restore, and migrate to other stores.
 */

interface BackupOptions {
  verify?: boolean;
  passphraseFile?: string;
}

const passphraseFile: CommandOption = {
  flags: '--passphrase-file <path>',
  text: 'Encrypt or decrypt it with the passphrase in the first line of this file',
};

export const backup: Command<BackupOptions> = {
  name: 'backup',
  operator: true,
  arguments: [{ name: '<file>', text: 'The backup to write, or to read with --verify' }],
  summary: 'Write all conversations, facts and accounts into one file, while the server runs',
  options: [
    { flags: '--verify', text: 'Read an existing backup to the end and check it; write nothing' },
    passphraseFile,
  ],
  examples: [
    'threadkeep backup memory.tkbackup',
    'threadkeep backup memory.tkbackup --passphrase-file ~/.threadkeep-passphrase',
    'threadkeep backup memory.tkbackup --verify',
    '',
    'Vectors are not included: `threadkeep restore` computes them again. An encrypted backup is an age file.',
  ],
  async run(invocation) {
    const [file = ''] = invocation.args;
    const { options, shared } = invocation;
    const passphrase = await passphraseFrom(options.passphraseFile);
    const [{ backUp }, { verifyBackup }] = await Promise.all([
      import('../../app/backup.js'),
      import('../../app/backup-file.js'),
    ]);
    if (options.verify === true) {
      const report = await verifyBackup({ file, passphrase });
      return { json: report, text: (style) => reportText('The backup is intact', report, style) };
    }
    const { config } = await loadConfigFor(invocation);
    const observer = await observerFor(invocation, config);
    const progress = progressOn(process.stderr, !shared.quiet, 'rows');
    try {
      const report = await backUp(config, observer, { file, passphrase, onProgress: progress.step });
      return { json: report, text: (style) => reportText('Backed up', report, style) };
    } finally {
      progress.end();
    }
  },
};

export const restore: Command<{ passphraseFile?: string }> = {
  name: 'restore',
  operator: true,
  arguments: [{ name: '<file>', text: 'A file that `threadkeep backup` wrote' }],
  summary: 'Fill an empty store from a backup',
  options: [passphraseFile],
  examples: ['threadkeep restore memory.tkbackup --config new.yaml', 'threadkeep restore memory.tkbackup --json'],
  async run(invocation) {
    const [file = ''] = invocation.args;
    const passphrase = await passphraseFrom(invocation.options.passphraseFile);
    const { config } = await loadConfigFor(invocation);
    const observer = await observerFor(invocation, config);
    const { restoreBackup } = await import('../../app/backup.js');
    const progress = progressOn(process.stderr, !invocation.shared.quiet, 'rows');
    try {
      const report = await restoreBackup(config, observer, { file, passphrase, onProgress: progress.step });
      return { json: report, text: (style) => reportText('Restored', report, style) };
    } finally {
      progress.end();
    }
  },
};

function reportText(headline: string, { file, created_at, sealed, rows }: BackupReport, style: Style): string {
  const entries = columns(
    [
      ['file', file],
      ['made', created_at],
      ['sealed', sealed ? 'with a passphrase' : undefined],
      ['holds', `${counted(rows.conversations ?? 0, 'conversation')}, ${counted(rows.messages ?? 0, 'message')}`],
    ],
    style,
  );
  return `${style.strong(headline)}\n${entries}`;
}

/** The first line of a file, because other users can read command-line arguments in the process list. */
async function passphraseFrom(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MemoryError('not_found', `The file ${path} cannot be read`, { cause });
  });
  const [passphrase = ''] = text.split(/\r?\n/);
  if (passphrase === '') throw new MemoryError('invalid_input', `The first line of the file ${path} is empty`);
  return passphrase;
}

export const migrate: Command<{ to: string }> = {
  name: 'migrate',
  operator: true,
  summary: 'Copy everything into another pair of stores and check the copy',
  options: [
    {
      flags: '--to <config>',
      text: 'The configuration file of the destination, whose stores must be empty',
      required: true,
    },
  ],
  examples: [
    'threadkeep migrate --to postgres.yaml',
    'threadkeep migrate --config old.yaml --to new.yaml --json',
    '',
    'The source is only read. Stop its server first, or what is saved during the copy is left out.',
    'THREADKEEP_* variables apply to the source; the destination is read from its file alone.',
    'If it is interrupted, run it again: it continues where it stopped.',
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
      return { json: report, text: (style) => migrationText(report, style) };
    } finally {
      progress.end();
    }
  },
};

function migrationText({ tables, vectors }: MigrationReport, style: Style): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const entries = columns(
    [
      ['copied', `${counted(tables.conversations?.rows ?? 0, 'conversation')}, ${counted(rows, 'row')} in all`],
      ['compared', 'row count and SHA-256 of every table: equal'],
      ['vectors', `${counted(vectors.rows, 'row')} in ${vectors.provider}`],
    ],
    style,
  );
  return `${style.strong('Migrated')}\n${entries}`;
}
