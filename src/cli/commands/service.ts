import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userFolders } from '../../config/places.js';
import { MemoryError } from '../../model/errors.js';
import type { Command, Invocation } from '../command.js';
import { exitCodes } from '../exit.js';
import { loadConfigFor } from '../open.js';
import { runningServer } from '../perform.js';
import { type ServiceFiles, serviceFiles } from '../service-files.js';
import { columns, commandLine } from '../terminal.js';

export const serviceInstall: Command<{ noStart?: boolean; start?: boolean; port?: number }> = {
  name: 'service install',
  operator: true,
  summary: 'Keep the server running for you, also after a restart (systemd, launchd, Windows tasks)',
  options: [
    { flags: '--port <n>', text: 'The port to listen on (default: api.port, 8000)', kind: 'count' },
    { flags: '--no-start', text: 'Write the file and start nothing' },
  ],
  examples: [
    'threadkeep service install',
    'threadkeep service install --no-start',
    'threadkeep --data ~/memory service install',
  ],
  async run(invocation) {
    const { files } = await serviceFor(invocation);
    await mkdir(dirname(files.file), { recursive: true });
    await writeFile(files.file, files.content);
    const commands = files.install.map((words) => commandLine(words));
    const start = invocation.options.start !== false;
    const failed = start ? firstFailure(files.install) : undefined;
    if (failed !== undefined) {
      throw new MemoryError(
        'internal_error',
        `${files.file} is written, but \`${commandLine(failed)}\` failed; run it where you are signed in`,
      );
    }
    const json = { status: 'ok', kind: files.kind, file: files.file, started: start, commands };
    const next = start
      ? 'It runs. `threadkeep service status` tells how it does.'
      : `Start it with:\n  ${commands.join('\n  ')}`;
    return { json, text: () => `Wrote ${files.file}\n${next}` };
  },
};

export const serviceUninstall: Command = {
  name: 'service uninstall',
  operator: true,
  summary: 'Stop the server that service install set up, and remove its file; the memory stays',
  examples: ['threadkeep service uninstall'],
  async run(invocation) {
    const { files, data } = await serviceFor(invocation);
    if ((await removeService(invocation)) === undefined)
      throw new MemoryError('not_found', `There is no service: ${files.file} does not exist`);
    const json = { status: 'ok', removed: files.file, data };
    return { json, text: () => `Removed ${files.file}\nThe memory stays in ${data}` };
  },
};

/** Stops the service and removes its file; answers which, or undefined where there is none. */
export async function removeService(invocation: Invocation): Promise<string | undefined> {
  const { files } = await serviceFor(invocation);
  if (!existsSync(files.file)) return undefined;
  // One that does not run cannot be stopped, and goes all the same.
  firstFailure(files.uninstall);
  await rm(files.file, { force: true });
  return files.file;
}

export const serviceStatus: Command = {
  name: 'service status',
  operator: true,
  summary: 'Say whether the service is installed and the server answers',
  examples: ['threadkeep service status', 'threadkeep service status --json'],
  async run(invocation) {
    const { files, data } = await serviceFor(invocation);
    const server = await runningServer(data);
    const installed = existsSync(files.file);
    return {
      json: {
        status: 'ok',
        kind: files.kind,
        installed,
        file: files.file,
        ...(server === undefined ? {} : { server }),
      },
      text: (style) =>
        columns(
          [
            ['service', installed ? files.file : 'not installed'],
            ['server', server === undefined ? 'does not answer' : `${server.url} (pid ${server.pid})`],
            ['data', data],
            ['more', installed ? commandLine(files.status) : undefined],
          ],
          style,
        ),
      exit: server === undefined ? exitCodes.service : exitCodes.ok,
    };
  },
};

export const serviceLogs: Command<{ lines?: number }> = {
  name: 'service logs',
  operator: true,
  summary: 'Print the end of the log of the server',
  options: [{ flags: '--lines <n>', text: 'How many lines (default: 50)', kind: 'count' }],
  examples: ['threadkeep service logs', 'threadkeep service logs --lines 500'],
  async run(invocation) {
    const { config } = await loadConfigFor(invocation);
    const file = join(config.paths.logs_dir, 'threadkeep.log');
    const text = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new MemoryError('not_found', `The log ${file} cannot be read: no server has run yet`, { cause });
    });
    const lines = text
      .trimEnd()
      .split('\n')
      .slice(-(invocation.options.lines ?? 50));
    return { json: { status: 'ok', file, lines }, text: () => lines.join('\n') };
  },
};

async function serviceFor(invocation: Invocation<{ port?: number }>): Promise<{ files: ServiceFiles; data: string }> {
  const { config, source, places } = await loadConfigFor(invocation);
  const program = fileURLToPath(new URL('../../main.js', import.meta.url));
  const { port } = invocation.options;
  // Whole paths: a service starts in no particular folder, and with none of the variables of this terminal.
  const command = [
    process.execPath,
    program,
    'serve',
    '--quiet',
    ...(source.file === undefined ? [] : ['--config', source.file]),
    '--data',
    places.data.path,
    ...(port === undefined ? [] : ['--port', String(port)]),
  ];
  const own = userFolders();
  const configHome = process.platform === 'win32' ? own.config : dirname(own.config);
  const files = serviceFiles(process.platform, { command, home: homedir(), configHome, logs: config.paths.logs_dir });
  return { files, data: places.data.path };
}

function firstFailure(commands: readonly (readonly string[])[]): readonly string[] | undefined {
  return commands.find(([program = '', ...args]) => spawnSync(program, args, { stdio: 'ignore' }).status !== 0);
}
