import { posix, win32 } from 'node:path';

/** How a system keeps a program running for a person: the file to write, and the commands that make it count. */
export interface ServiceFiles {
  kind: 'systemd' | 'launchd' | 'windows';
  file: string;
  content: string;
  install: readonly (readonly string[])[];
  uninstall: readonly (readonly string[])[];
  status: readonly string[];
}

interface Program {
  /** The words that start the server. */
  command: readonly string[];
  home: string;
  configHome: string;
  /** Where what is printed goes, where the system keeps no journal. */
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
Environment=MALLOC_ARENA_MAX=2
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

/** In a unit a percent sign, a dollar sign and a backslash mean something. */
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
