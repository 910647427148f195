import type { Command } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { withRuntime } from '../open.js';

export const storageCheck: Command = {
  name: 'storage-check',
  operator: true,
  summary: 'Count what is stored, compare it with the vector index, and try the vector store step by step',
  examples: ['threadkeep storage-check', 'threadkeep storage-check --json'],
  async run(invocation) {
    const { storageReport, storageText } = await import('../storage-report.js');
    // The purpose that looks and neither refuses an index made with other settings nor begins to repair it.
    const report = await withRuntime(invocation, storageReport, { purpose: 'reindex' });
    const exit = report.status === 'ok' ? exitCodes.ok : exitCodes.service;
    return { json: report, text: (style) => storageText(report, style), exit };
  },
};
