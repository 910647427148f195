import { encodings } from '../../tokenizer/vocabulary.js';
import type { Command } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { loadConfigFor } from '../open.js';
import { columns } from '../style.js';

const sample = 'The quick brown fox jumps over the lazy dog: naïve café, 東京, B-52.';

export const tokenizerCheck: Command<{ encoding?: string }> = {
  name: 'tokenizer-check',
  operator: true,
  summary: 'Say which tokenizer counts, and try it',
  options: [
    {
      flags: '--encoding <name>',
      text: 'Try the exact tokenizer with this encoding, whether or not it is configured',
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
