import type { ReindexReport, RepairReport } from '../../indexing/reindex.js';
import { StartupError } from '../../model/errors.js';
import type { Command, Result } from '../command.js';
import { exitCodes, onStopRequest } from '../exit.js';
import { loadConfigFor, type Opened, observerFor, withRuntime } from '../open.js';
import { columns, counted, progressOn, type Style } from '../terminal.js';

/** Commands that maintain the index: rebuild, check and repair. */

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
  summary: 'Rebuild the vector index from the stored conversations',
  options: [
    { flags: '--project-id <id>', text: 'Only this project' },
    { flags: '--limit <n>', text: 'At most this many conversations', kind: 'count' },
    { flags: '--include-inactive', text: 'Also conversations that are held for review or were rejected' },
  ],
  examples: [
    'threadkeep reindex',
    'threadkeep reindex --include-inactive --json',
    '',
    'Needed after changing the embedding model, its dimension or the distance; stop the server first in that case.',
    'Ctrl+C stops it after the conversations in progress.',
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
        { report, interrupted: stop.signal.aborted && !report.complete, dryRun: config.storage.dryRun },
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
        ['skipped', report.skipped === 0 ? undefined : `${report.skipped} not active (--include-inactive adds them)`],
        ['failed', report.failed === 0 ? undefined : String(report.failed)],
      ],
      style,
    ),
    ...report.failures.map(({ id, error }) => `  ${id}  ${error}`),
  ];
  if (dryRun) lines.push('Dry run: nothing was written.');
  if (interrupted) lines.push('Run `threadkeep reindex` again; a rebuild for new settings continues where it stopped.');
  return lines.join('\n');
}

function headline(report: ReindexReport, interrupted: boolean): string {
  if (interrupted) return 'Stopped before the end';
  if (report.status === 'error') return 'Some conversations could not be indexed';
  return report.complete ? 'The index is rebuilt' : 'Part of the index is rebuilt';
}

export const storageCheck: Command<{ repair?: boolean }> = {
  name: 'storage-check',
  operator: true,
  summary: 'Count what is stored, compare it with the vector index, and test the vector store step by step',
  options: [
    { flags: '--repair', text: 'Recompute missing vectors and remove those that must not be there or have no chunk' },
  ],
  examples: ['threadkeep storage-check', 'threadkeep storage-check --json', 'threadkeep storage-check --repair'],
  async run(invocation) {
    const { storageReport, storageText } = await import('../storage-report.js');
    // This purpose neither refuses an index made with other settings nor starts to repair it.
    const report = await withRuntime(
      invocation,
      async (opened) => {
        const repair = invocation.options.repair === true ? await mend(opened) : undefined;
        return { ...(await storageReport(opened)), ...(repair === undefined ? {} : { repair }) };
      },
      { purpose: 'reindex', look: invocation.options.repair !== true },
    );
    const mended = (report.repair?.pending_chunks ?? 0) === 0;
    const exit = report.status === 'ok' && mended ? exitCodes.ok : exitCodes.service;
    return { json: report, text: (style) => repairText(report.repair) + storageText(report, style), exit };
  },
};

/** Throws for an index made with other settings: it cannot be repaired point by point. */
async function mend({ config, runtime }: Opened): Promise<RepairReport> {
  const { vectors, service } = runtime;
  const state = vectors.persistent ? await runtime.identity.state() : 'same';
  if (vectors.shapeMismatch !== undefined || state === 'changed' || state === 'interrupted') {
    throw new StartupError(
      'reindex_required',
      'The vector index was made with other settings, or a rebuild was not finished.',
      {
        hint: 'Run `threadkeep reindex` to rebuild it.',
      },
    );
  }
  const { repairIndex } = await import('../../indexing/reindex.js');
  return repairIndex(service, vectors.store, config.providers.embeddingDimension);
}

const refusedHint = 'The embedding model rejects their texts: they may be too long for it.';

function repairText(repair: RepairReport | undefined): string {
  if (repair === undefined) return '';
  const { reindexed_chunks: made, removed_chunks: removed, removed_vectors: strays, stray_vectors: stray } = repair;
  const { pending_chunks: pending, reason } = repair;
  const left = stray === 0 ? '' : `\n${stray} vectors have no chunk: run \`threadkeep reindex\` to remove them.`;
  const waiting =
    pending === 0 ? '' : `\n${pending} chunks could not be indexed and stay pending. ${reason ?? refusedHint}`;
  return `Repaired: ${made} chunks indexed again, ${removed} taken out of the index, ${strays} vectors without a chunk removed.${left}${waiting}\n\n`;
}
