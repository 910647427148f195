import type { HealthReport } from '../../app/health.js';
import type { Command } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { withRuntime } from '../open.js';
import { columns, type Style } from '../style.js';

export const health: Command = {
  name: 'health',
  operator: true,
  summary: 'Open the stores and say whether they answer',
  examples: ['threadkeep health', 'threadkeep health --json', 'threadkeep health --quiet && echo ready'],
  async run(invocation) {
    const report = await withRuntime(invocation, ({ runtime }) => runtime.health.ready());
    const exit = report.status === 'ok' ? exitCodes.ok : exitCodes.service;
    return { json: report, text: (style) => healthText(report, style), exit };
  },
};

function healthText(report: HealthReport, style: Style): string {
  const { health: detail } = report;
  const { model, dimension } = detail.embedding;
  const checks = Object.entries(detail.checks ?? {}).map(([name, answer]) => `${name} ${answer}`);
  return columns(
    [
      ['status', style.strong(report.status)],
      ['mode', [report.mode, ...detail.reasons].join(': ')],
      ['metadata', report.metadata_provider],
      ['vectors', `${report.vector_provider}, ${detail.vector_index.distance} distance`],
      ['embedding', `${report.embedding_provider}, ${model}, ${dimension} dimensions`],
      ['tokenizer', [detail.tokenizer.tokenizer_used, detail.tokenizer.message].filter(Boolean).join(': ')],
      ['checks', checks.join(', ')],
    ],
    style,
  );
}
