import type { HealthReport } from '../../app/health.js';
import type { LanguageModelReport } from '../../app/open-models.js';
import { encodings } from '../../tokenizer/exact.js';
import type { Command } from '../command.js';
import { exitCodes } from '../exit.js';
import { loadConfigFor, withRuntime } from '../open.js';
import { columns, type Style } from '../terminal.js';

export const health: Command = {
  name: 'health',
  operator: true,
  summary: 'Open the stores and check that they answer',
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

/** Whether texts leave this process, and where they are sent. */
function modelText(model: LanguageModelReport['ask']): string {
  return model.configured ? `${model.model} at ${model.host}` : 'none: nothing is sent';
}

const sample = 'The quick brown fox jumps over the lazy dog: naïve café, 東京, B-52.';

export const tokenizerCheck: Command<{ encoding?: string }> = {
  name: 'tokenizer-check',
  operator: true,
  summary: 'Show which tokenizer is used, and test it',
  options: [
    {
      flags: '--encoding <name>',
      text: 'Test the exact tokenizer with this encoding, whether or not it is configured',
      choices: encodings,
    },
  ],
  examples: ['threadkeep tokenizer-check', 'threadkeep tokenizer-check --encoding o200k_base'],
  async run(invocation) {
    const { config } = await loadConfigFor(invocation);
    const { tokenizerOptions } = await import('../../app/settings.js');
    const { openTokenizer } = await import('../../tokenizer/open.js');
    const { encoding } = invocation.options;
    const asked = encoding === undefined ? tokenizerOptions(config) : { enabled: true, encoding };
    const { tokenizer, status } = await openTokenizer(asked);
    const count = tokenizer.count(sample);
    const idle = !status.enabled && status.tokenizer_used !== status.encoding;
    return {
      json: { status: status.available ? 'ok' : 'unavailable', ...status, sample: { text: sample, tokens: count } },
      text: (style) =>
        columns(
          [
            ['tokenizer', style.strong(status.tokenizer_used)],
            ['encoding', `${status.encoding}${idle ? ' (tokenizer.enabled is false: not used)' : ''}`],
            ['available', status.available ? 'yes' : 'no'],
            ['note', status.message],
            ['sample', `${count} tokens in "${sample}"`],
          ],
          style,
        ),
      exit: status.available ? exitCodes.ok : exitCodes.service,
    };
  },
};
