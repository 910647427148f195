import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { userFolders } from '../../config/user-folders.js';
import type { Command } from '../command.js';
import { clients } from '../connect/clients.js';
import { hooks } from '../connect/hooks.js';
import { runningServer } from '../local-server.js';
import { loadConfigFor } from '../open.js';
import { commandLine } from '../shell.js';
import { columns } from '../style.js';
import { removeService } from './service.js';

interface Staying {
  kind: 'data' | 'config' | 'logs' | 'client';
  path: string;
}

export const uninstall: Command = {
  name: 'uninstall',
  operator: true,
  summary: 'Remove the service and the cache, and say what stays and how to remove it',
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
            : [`A server still runs; end it with: ${commandLine(['kill', String(server.pid)])}`]),
          `To remove the program: ${command}`,
        ].join('\n\n');
      },
    };
  },
};

/** The settings of other programs that name us: `connect --write` put us there, and only their owner takes us out. */
async function connectedClients(): Promise<Staying[]> {
  const files = [...Object.values(clients), ...Object.values(hooks)].flatMap(({ file }) =>
    file === undefined ? [] : [file()],
  );
  const found: Staying[] = [];
  for (const path of new Set(files)) {
    // A client that is not there has no settings.
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.includes('threadkeep')) found.push({ kind: 'client', path });
  }
  return found;
}
