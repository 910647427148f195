import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../app/version.js';
import { userFolders } from '../../config/places.js';
import type { Command } from '../command.js';
import { clients } from '../connect/clients.js';
import { hooks } from '../connect/hooks.js';
import { loadConfigFor } from '../open.js';
import { runningServer } from '../perform.js';
import { columns, commandLine } from '../terminal.js';
import { removeService } from './service.js';

/** The release notes of one version: a changelog heading and its section. */
interface Notes {
  version: string;
  lines: string[];
}

export const upgrade: Command = {
  name: 'upgrade',
  operator: true,
  summary: 'Show how to upgrade, what this version changed and which database copies were made',
  examples: ['threadkeep upgrade', 'threadkeep upgrade --json'],
  async run(invocation) {
    const { config, places } = await loadConfigFor(invocation);
    const own = fileURLToPath(new URL('../../../', import.meta.url));
    const isCheckout = existsSync(join(own, 'src', 'main.ts'));
    const command = isCheckout ? 'git pull && npm run build' : 'npm install -g threadkeep@latest';
    const data = places.data.path;
    const server = await runningServer(data);
    const { upgradeCopies } = await import('../../app/backup.js');
    const copies = upgradeCopies(config);
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
                server && `${server.url} (pid ${server.pid}); restart it after an upgrade, it runs the old version`,
              ],
            ],
            style,
          ),
          'A newer version upgrades the tables at its first start, and copies the database first.',
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

interface Staying {
  kind: 'data' | 'config' | 'logs' | 'client';
  path: string;
}

export const uninstall: Command = {
  name: 'uninstall',
  operator: true,
  summary: 'Remove the service and the cache, and show what stays and how to remove it',
  examples: ['threadkeep uninstall', 'threadkeep uninstall --json'],
  async run(invocation) {
    const { places } = await loadConfigFor(invocation);
    const service = await removeService(invocation);
    const { cache } = userFolders();
    const hadCache = existsSync(cache);
    await rm(cache, { recursive: true, force: true });
    const removed = [...(service === undefined ? [] : [service]), ...(hadCache ? [cache] : [])];
    const server = await runningServer(places.data.path);
    const folders: Staying[] = [
      { kind: 'data', path: places.data.path },
      ...(places.config === undefined ? [] : [{ kind: 'config' as const, path: places.config.path }]),
      { kind: 'logs', path: places.logs.path },
    ];
    const stays = [...folders.filter(({ path }) => existsSync(path)), ...(await connectedClients())];
    const command = 'npm uninstall -g threadkeep';
    const json = { status: 'ok', removed, stays, command, ...(server === undefined ? {} : { server }) };
    return {
      json,
      text(style) {
        const row = ({ kind, path }: Staying): [string, string] => [
          kind,
          kind === 'client' ? `${path}  ${style.faint('(delete the entry threadkeep in it)')}` : path,
        ];
        return [
          removed.length === 0 ? 'There was no service and no cache.' : `Removed:\n  ${removed.join('\n  ')}`,
          stays.length === 0 ? 'Nothing else is left.' : `What stays:\n${columns(stays.map(row), style)}`,
          ...(server === undefined
            ? []
            : [`A server is still running; stop it with: ${commandLine(['kill', String(server.pid)])}`]),
          `To remove the program: ${command}`,
        ].join('\n\n');
      },
    };
  },
};

/**
 * Client settings that still refer to Threadkeep: `connect --write` added them, and only their owner should remove
 * them.
 */
async function connectedClients(): Promise<Staying[]> {
  const files = [...Object.values(clients), ...Object.values(hooks)].flatMap(({ file }) =>
    file === undefined ? [] : [file()],
  );
  const found: Staying[] = [];
  for (const path of new Set(files)) {
    // A client that is not installed has no settings file.
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.includes('threadkeep')) found.push({ kind: 'client', path });
  }
  return found;
}
