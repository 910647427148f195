import type { ReindexReport } from '../../indexing/reindex.js';
import type { Command, Result } from '../command.js';
import { exitCodes, onStopRequest } from '../exit.js';
import { loadConfigFor, observerFor } from '../open.js';
import { columns, counted, progressOn, type Style } from '../terminal.js';

interface ReindexFlags {
  projectId?: string;
  limit?: number;
  includeInactive?: boolean;
}

interface Ending {
  report: ReindexReport;
  interrupted: boolean;
  dryRun: boolean;
}

export const reindex: Command<ReindexFlags> = {
  name: 'reindex',
  operator: true,
  summary: 'Rebuild the vector index from what is stored',
  options: [
    { flags: '--project-id <id>', text: 'Only this project' },
    { flags: '--limit <n>', text: 'At most this many conversations', kind: 'count' },
    { flags: '--include-inactive', text: 'Also memories that wait for review or were rejected' },
  ],
  examples: [
    'threadkeep reindex',
    'threadkeep reindex --include-inactive --json',
    '',
    'Needed after a change of the embedding model, its dimension or the distance; stop the server first in that case.',
    'Ctrl+C stops it after the conversations under way.',
  ],
  async run(invocation) {
    const { options, shared } = invocation;
    const { config } = await loadConfigFor(invocation);
    const observer = await observerFor(invocation, config);
    const { runReindex } = await import('../../app/reindex.js');
    const progress = progressOn(process.stderr, !shared.quiet, 'conversations');
    const stop = onStopRequest();
    try {
      const report = await runReindex(config, observer, {
        ...(options.projectId === undefined ? {} : { projectId: options.projectId }),
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        includeInactive: options.includeInactive === true,
        onProgress: progress.step,
        signal: stop.signal,
      });
      return ended(
        { report, interrupted: stop.signal.aborted && !report.complete, dryRun: config.storage.dry_run },
        stop.exit(),
      );
    } finally {
      progress.end();
      stop.ignore();
    }
  },
};

function ended(ending: Ending, asked: number | undefined): Result {
  const { report, interrupted, dryRun } = ending;
  const failed = report.status === 'error' ? exitCodes.input : exitCodes.ok;
  return {
    json: { ...report, ...(interrupted ? { interrupted } : {}), ...(dryRun ? { dry_run: true } : {}) },
    text: (style) => reportText(ending, style),
    exit: interrupted && asked !== undefined ? asked : failed,
  };
}

function reportText({ report, interrupted, dryRun }: Ending, style: Style): string {
  const lines = [
    style.strong(headline(report, interrupted)),
    columns(
      [
        ['reindexed', `${report.reindexed} of ${counted(report.total, 'conversation')}`],
        ['chunks', String(report.chunks)],
        [
          'skipped',
          report.skipped === 0 ? undefined : `${report.skipped} not active (--include-inactive takes them too)`,
        ],
        ['failed', report.failed === 0 ? undefined : String(report.failed)],
      ],
      style,
    ),
    ...report.failures.map(({ id, error }) => `  ${id}  ${error}`),
  ];
  if (dryRun) lines.push('Dry run: nothing was written.');
  if (interrupted) lines.push('Run `threadkeep reindex` again; a rebuild for new settings goes on where it stopped.');
  return lines.join('\n');
}

function headline(report: ReindexReport, interrupted: boolean): string {
  if (interrupted) return 'Stopped before the end';
  if (report.status === 'error') return 'Some conversations could not be indexed';
  return report.complete ? 'The index is rebuilt' : 'A part of the index is rebuilt';
}
