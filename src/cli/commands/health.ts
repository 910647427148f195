import type { HealthReport } from '../../app/health.js';
import type { LanguageModelReport } from '../../app/open-language-models.js';
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
    const report = await withRuntime(invocation, async ({ runtime }) => ({
      ...(await runtime.health.ready()),
      language_models: runtime.languageModels.report(),
    }));
    const exit = report.status === 'ok' ? exitCodes.ok : exitCodes.service;
    return { json: report, text: (style) => healthText(report, style), exit };
  },
};

function healthText(report: HealthReport & { language_models: LanguageModelReport }, style: Style): string {
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
      ['ask.model', modelText(report.language_models.ask)],
      ['facts.model', modelText(report.language_models.facts)],
      ['checks', checks.join(', ')],
    ],
    style,
  );
}

/** Whether texts leave this process, and where they go. */
function modelText(model: LanguageModelReport['ask']): string {
  return model.configured ? `${model.model} at ${model.host}` : 'none: nothing is sent';
}
