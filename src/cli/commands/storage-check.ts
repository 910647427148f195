import type { RepairReport } from '../../indexing/repair.js';
import { StartupError } from '../../model/errors.js';
import type { Command } from '../command.js';
import { exitCodes } from '../exit.js';
import { type Opened, withRuntime } from '../open.js';

export const storageCheck: Command<{ repair?: boolean }> = {
  name: 'storage-check',
  operator: true,
  summary: 'Count what is stored, compare it with the vector index, and try the vector store step by step',
  options: [
    { flags: '--repair', text: 'Make lost vectors again and remove those that must not be there or belong to nothing' },
  ],
  examples: ['threadkeep storage-check', 'threadkeep storage-check --json', 'threadkeep storage-check --repair'],
  async run(invocation) {
    const { storageReport, storageText } = await import('../storage-report.js');
    // The purpose that looks and neither refuses an index made with other settings nor begins to repair it.
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

/** An index made with other settings cannot be mended point by point. */
async function mend({ config, runtime }: Opened): Promise<RepairReport> {
  const { vectors, service } = runtime;
  const state = vectors.persistent ? await runtime.identity.state() : 'same';
  if (vectors.shapeMismatch !== undefined || state === 'changed' || state === 'interrupted') {
    throw new StartupError('reindex_required', 'The vector index was made with other settings, or not to its end.', {
      hint: 'Run `threadkeep reindex`, which builds it anew.',
    });
  }
  const { repairIndex } = await import('../../indexing/repair.js');
  return repairIndex(service, vectors.store, config.providers.embedding_dimension);
}

const refusedHint = 'The embedding model refuses their texts: it may take no texts of their length.';

function repairText(repair: RepairReport | undefined): string {
  if (repair === undefined) return '';
  const { reindexed_chunks: made, removed_chunks: removed, removed_vectors: strays, stray_vectors: stray } = repair;
  const { pending_chunks: pending, reason } = repair;
  const left = stray === 0 ? '' : `\n${stray} vectors belong to nothing: run \`threadkeep reindex\` to be rid of them.`;
  const waiting = pending === 0 ? '' : `\n${pending} chunks could not be indexed and wait. ${reason ?? refusedHint}`;
  return `Repaired: ${made} chunks indexed again, ${removed} taken out of the index, ${strays} vectors without a chunk removed.${left}${waiting}\n\n`;
}
