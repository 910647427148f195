import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userFolders } from '../../config/places.js';
import { MemoryError } from '../../model/errors.js';
import type { Command, Invocation } from '../command.js';
import { exitCodes } from '../exit.js';
import { loadConfigFor } from '../open.js';
import { runningServer } from '../perform.js';
import { columns, commandLine } from '../terminal.js';

/** The command that installs Threadkeep as a background service, and the files that systemd and launchd need for it. */

export const serviceInstall: Command<{ noStart?: boolean; start?: boolean; port?: number; watch?: boolean }> = {
  name: 'service install',
  operator: true,
  summary: 'Install the server as a background service that survives a restart (systemd, launchd, Windows tasks)',
  options: [
    { flags: '--port <n>', text: 'The port to listen on (default: api.port, 8000)', kind: 'count' },
    { flags: '--watch', text: 'Let it follow the assistants on this machine and store every new message' },
    { flags: '--no-start', text: 'Write the service file without starting it' },
  ],
  examples: [
    'threadkeep service install',
    'threadkeep service install --watch',
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
        `${files.file} is written, but \`${commandLine(failed)}\` failed; run it in your own login session`,
      );
    }
    const json = { status: 'ok', kind: files.kind, file: files.file, started: start, commands };
    const next = start
      ? 'It is running. `threadkeep service status` shows its state.'
      : `Start it with:\n  ${commands.join('\n  ')}`;
    const also =
      invocation.options.watch === true
        ? 'It follows the assistants on this machine.'
        : 'With --watch it also follows the assistants on this machine.';
    return { json, text: () => `Wrote ${files.file}\n${next}\n${also}` };
  },
};

export const serviceUninstall: Command = {
  name: 'service uninstall',
  operator: true,
  summary: 'Stop the background service and remove its file; your data stays',
  examples: ['threadkeep service uninstall'],
  async run(invocation) {
    const { files, data } = await serviceFor(invocation);
    if ((await removeService(invocation)) === undefined)
      throw new MemoryError('not_found', `No service is installed: ${files.file} does not exist`);
    const json = { status: 'ok', removed: files.file, data };
    return { json, text: () => `Removed ${files.file}\nYour data stays in ${data}` };
  },
};

/** Stops the service and removes its file; returns the file, or undefined when no service is installed. */
export async function removeService(invocation: Invocation): Promise<string | undefined> {
  const { files } = await serviceFor(invocation);
  if (!existsSync(files.file)) return undefined;
  // Stopping fails if the service is not running; it is removed anyway.
  firstFailure(files.uninstall);
  await rm(files.file, { force: true });
  return files.file;
}

export const serviceStatus: Command = {
  name: 'service status',
  operator: true,
  summary: 'Show whether the service is installed and the server answers',
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
  summary: 'Print the last lines of the server log',
  options: [{ flags: '--lines <n>', text: 'How many lines (default: 50)', kind: 'count' }],
  examples: ['threadkeep service logs', 'threadkeep service logs --lines 500'],
  async run(invocation) {
    const { config } = await loadConfigFor(invocation);
    const file = join(config.paths.logsDir, 'threadkeep.log');
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

async function serviceFor(
  invocation: Invocation<{ port?: number; watch?: boolean }>,
): Promise<{ files: ServiceFiles; data: string }> {
  const { config, source, places } = await loadConfigFor(invocation);
  const program = fileURLToPath(new URL('../../main.js', import.meta.url));
  const { port, watch } = invocation.options;
  // Absolute paths: a service has no particular working directory and none of this terminal's environment variables.
  const command = [
    process.execPath,
    program,
    'serve',
    '--quiet',
    ...(source.file === undefined ? [] : ['--config', source.file]),
    '--data',
    places.data.path,
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(watch === true ? ['--watch'] : []),
  ];
  const own = userFolders();
  const configHome = process.platform === 'win32' ? own.config : dirname(own.config);
  const files = serviceFiles(process.platform, { command, home: homedir(), configHome, logs: config.paths.logsDir });
  return { files, data: places.data.path };
}

function firstFailure(commands: readonly (readonly string[])[]): readonly string[] | undefined {
  return commands.find(([program = '', ...args]) => spawnSync(program, args, { stdio: 'ignore' }).status !== 0);
}

/** How an operating system runs a user's service: the file to write, and the commands that activate it. */
interface ServiceFiles {
  kind: 'systemd' | 'launchd' | 'windows';
  file: string;
  content: string;
  install: readonly (readonly string[])[];
  uninstall: readonly (readonly string[])[];
  status: readonly string[];
}

interface Program {
  /** The command that starts the server. */
  command: readonly string[];
  home: string;
  configHome: string;
  /** The output file on systems without a journal. */
  logs: string;
}

export function serviceFiles(platform: NodeJS.Platform, program: Program): ServiceFiles {
  if (platform === 'darwin') return launchd(program);
  return platform === 'win32' ? windows(program) : systemd(program);
}

const unit = 'threadkeep.service';

function systemd({ command, configHome }: Program): ServiceFiles {
  const control = ['systemctl', '--user'];
  return {
    kind: 'systemd',
    file: posix.join(configHome, 'systemd', 'user', unit),
    content: `[Unit]
Description=Threadkeep, a memory for AI conversations
After=network.target

[Service]
ExecStart=${command.map(systemdWord).join(' ')}
Environment=MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=262144
Restart=on-failure
RestartSec=5
# As configured it cannot start: trying again would not help.
RestartPreventExitStatus=78

[Install]
WantedBy=default.target
`,
    install: [
      [...control, 'daemon-reload'],
      [...control, 'enable', '--now', unit],
    ],
    uninstall: [[...control, 'disable', '--now', unit]],
    status: [...control, '--no-pager', 'status', unit],
  };
}

/** Percent signs, dollar signs and backslashes are special in a systemd unit. */
function systemdWord(word: string): string {
  const safe = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@+=:,./-]+$/.test(safe) ? safe : `"${safe}"`;
}

const label = 'dev.threadkeep.server';

function launchd({ command, home, logs }: Program): ServiceFiles {
  const file = posix.join(home, 'Library', 'LaunchAgents', `${label}.plist`);
  const words = command.map((word) => `    <string>${xml(word)}</string>`).join('\n');
  const output = xml(posix.join(logs, 'service.log'));
  return {
    kind: 'launchd',
    file,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>StandardOutPath</key>
  <string>${output}</string>
  <key>StandardErrorPath</key>
  <string>${output}</string>
</dict>
</plist>
`,
    install: [['launchctl', 'load', '-w', file]],
    uninstall: [['launchctl', 'unload', '-w', file]],
    status: ['launchctl', 'list', label],
  };
}

const task = 'Threadkeep';

function windows({ command, configHome }: Program): ServiceFiles {
  const file = win32.join(configHome, 'service.xml');
  const [program = '', ...args] = command;
  const words = args.map((word) => (/[\s"]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word)).join(' ');
  return {
    kind: 'windows',
    file,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>
  </Settings>
  <Actions><Exec><Command>${xml(program)}</Command><Arguments>${xml(words)}</Arguments></Exec></Actions>
</Task>
`,
    install: [
      ['schtasks', '/Create', '/TN', task, '/XML', file, '/F'],
      ['schtasks', '/Run', '/TN', task],
    ],
    uninstall: [
      ['schtasks', '/End', '/TN', task],
      ['schtasks', '/Delete', '/TN', task, '/F'],
    ],
    status: ['schtasks', '/Query', '/TN', task],
  };
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
