import { existsSync } from 'node:fs';
import { earlierData, type Place, type Rule, userFolders } from '../../config/places.js';
import type { Command } from '../command.js';
import { earlierText, loadConfigFor } from '../open.js';
import { runningServer } from '../perform.js';
import { columns } from '../terminal.js';

const reasons: Record<Rule, string> = {
  flag: 'the command line',
  variable: 'a THREADKEEP_ variable',
  file: 'the configuration file',
  data: 'next to the data',
  user: 'your user folder on this system',
  default: 'the working directory',
};

export const where: Command = {
  name: 'where',
  operator: true,
  summary: 'Print the location of configuration, data and logs, and the rule that chose each',
  examples: ['threadkeep where', 'threadkeep where --json', 'threadkeep --data ./project-memory where'],
  async run(invocation) {
    // The note about earlier data is part of this command's own output.
    const { places } = await loadConfigFor({ ...invocation, shared: { ...invocation.shared, quiet: true } });
    const { config, data, logs } = places;
    const { cache, config: own } = userFolders();
    const server = await runningServer(data.path);
    const earlier = earlierData(process.cwd(), data);
    const json = {
      status: 'ok',
      ...(config === undefined ? {} : { config: shown(config) }),
      data: { ...shown(data), exists: existsSync(data.path) },
      logs: shown(logs),
      cache: { path: cache },
      ...(server === undefined ? {} : { server }),
      ...(earlier === undefined ? {} : { earlier_data: earlier }),
    };
    return {
      json,
      text(style) {
        const line = ({ path, rule }: Place) => `${path}  ${style.faint(`(${reasons[rule]})`)}`;
        const facts = columns(
          [
            ['config', config === undefined ? `none  ${style.faint(`(would be read from ${own})`)}` : line(config)],
            ['data', `${line(data)}${json.data.exists ? '' : style.faint(', does not exist yet')}`],
            ['logs', line(logs)],
            ['cache', cache],
            [
              'server',
              server === undefined ? 'none on this data' : `${server.url}  ${style.faint(`(pid ${server.pid})`)}`,
            ],
          ],
          style,
        );
        return earlier === undefined ? facts : `${facts}\n\n${earlierText(earlier, data.path)}`;
      },
    };
  },
};

function shown({ path, rule }: Place): { path: string; chosen_by: Rule } {
  return { path, chosen_by: rule };
}

export const configShow: Command = {
  name: 'config-show',
  operator: true,
  summary: 'Print the effective configuration, without secrets',
  examples: ['threadkeep config-show', 'threadkeep config-show --config other.yaml --json'],
  async run(invocation) {
    const { config, source } = await loadConfigFor(invocation);
    const [{ redactConfig }, { stringify }] = await Promise.all([import('../../config/redact.js'), import('yaml')]);
    const shown = redactConfig(config);
    const origin = source.file === undefined ? 'No configuration file: built-in defaults' : `From ${source.file}`;
    return {
      json: { status: 'ok', ...source, config: shown },
      text: () => `# ${origin}, with overrides from the environment\n${stringify(shown).trimEnd()}`,
    };
  },
};
