import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../app/version.js';
import type { Command } from '../command.js';
import { runningServer } from '../local-server.js';
import { loadConfigFor } from '../open.js';
import { columns } from '../style.js';

/** The notes of one version: a heading of the changelog and what follows it. */
interface Notes {
  version: string;
  lines: string[];
}

export const upgrade: Command = {
  name: 'upgrade',
  operator: true,
  summary: 'Say how to get a newer version, what this one changed and which copies were made before',
  examples: ['threadkeep upgrade', 'threadkeep upgrade --json'],
  async run(invocation) {
    const { config, places } = await loadConfigFor(invocation);
    const own = fileURLToPath(new URL('../../../', import.meta.url));
    const isCheckout = existsSync(join(own, 'src', 'main.ts'));
    const command = isCheckout ? 'git pull && npm run build' : 'npm install -g threadkeep@latest';
    const data = places.data.path;
    const server = await runningServer(data);
    const { upgradeCopies } = await import('../../app/upgrade-copies.js');
    const made = upgradeCopies(config);
    const copies = made ?? [];
    const notes = notesIn(await readFile(join(own, 'CHANGELOG.md'), 'utf8').catch(() => ''));
    const json = {
      status: 'ok',
      version,
      command,
      data,
      copies,
      ...(server === undefined ? {} : { server }),
      ...(notes === undefined ? {} : { notes }),
    };
    return {
      json,
      text: (style) =>
        [
          columns(
            [
              ['version', version],
              ['upgrade', command],
              ['data', data],
              ['copies', copies.length === 0 ? 'none yet' : copies.join('\n')],
              [
                'server',
                server && `${server.url} (pid ${server.pid}); start it again after an upgrade, it runs the old version`,
              ],
            ],
            style,
          ),
          made !== undefined
            ? 'A newer version adds what its tables need at its first start, and copies the database first.'
            : 'A newer version adds what its tables need at its first start: run `threadkeep backup` before.',
          ...(notes === undefined ? [] : [`${style.strong(`Changes (${notes.version})`)}\n${notes.lines.join('\n')}`]),
        ].join('\n\n'),
    };
  },
};

/** The newest section of a changelog. */
export function notesIn(changelog: string): Notes | undefined {
  const lines = changelog.split('\n');
  const from = lines.findIndex((line) => line.startsWith('## '));
  if (from < 0) return undefined;
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '));
  const section = lines.slice(from + 1, length < 0 ? undefined : from + 1 + length);
  return { version: (lines[from] ?? '').slice(3).trim(), lines: section.join('\n').trim().split('\n') };
}
