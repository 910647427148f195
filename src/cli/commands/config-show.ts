import type { Command } from '../command.js';
import { loadConfigFor } from '../open.js';

export const configShow: Command = {
  name: 'config-show',
  operator: true,
  summary: 'Print the configuration in force, without its secrets',
  examples: ['threadkeep config-show', 'threadkeep config-show --config other.yaml --json'],
  async run(invocation) {
    const { config, source } = await loadConfigFor(invocation);
    const [{ redactConfig }, { stringify }] = await Promise.all([import('../../config/redact.js'), import('yaml')]);
    const shown = redactConfig(config);
    const origin = source.file === undefined ? 'No configuration file: built-in defaults' : `From ${source.file}`;
    return {
      json: { status: 'ok', ...source, config: shown },
      text: () => `# ${origin}, with what the environment overrides\n${stringify(shown).trimEnd()}`,
    };
  },
};
