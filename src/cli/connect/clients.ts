import { homedir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { isObject } from '../../model/json.js';

/** How a client reaches the memory: an address, or a program that it starts. */
export type Server =
  | { kind: 'http'; url: string; headers?: Record<string, string> }
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string> };

/** One client as data: where it keeps its servers and how an entry looks there. */
export interface Client {
  title: string;
  /** Its settings; absent for a client that is set up on its own pages. */
  file?: () => string;
  /** The part of the file that lists servers; in TOML, `[section.name]`. */
  section: string;
  format: 'json' | 'toml' | 'yaml';
  entry(server: Server): object;
  /** The client's own command that adds the same entry, where it has one. */
  command?: (name: string, server: Server) => string[];
  /** It starts servers itself and cannot be given an address in this file. */
  stdioOnly?: true;
  /** The entry is pasted into a page of its settings: there is no file to write. */
  pasted?: true;
  /** What to do when the entry is there. */
  next: string;
}

/** What the entry is called in the settings of every client. */
export const entryName = 'threadkeep';

export const clients: Readonly<Record<string, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    // Beside its folder, or inside of one that was put elsewhere.
    file: () => join(process.env.CLAUDE_CONFIG_DIR || homedir(), '.claude.json'),
    section: 'mcpServers',
    format: 'json',
    entry: typed,
    command: (name, server) => [
      ...['claude', 'mcp', 'add', '--scope', 'user'],
      ...(server.kind === 'http'
        ? ['--transport', 'http', name, server.url, ...headerOptions('--header', server)]
        : [...environmentOptions('--env', server), name, '--', server.command, ...server.args]),
    ],
    next: 'Start Claude Code again; /mcp shows the connection.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: () => join(applicationData(), 'Claude', 'claude_desktop_config.json'),
    section: 'mcpServers',
    format: 'json',
    entry: plain,
    stdioOnly: true,
    next: 'Quit Claude Desktop and start it again; the tools are under the + of a chat.',
  },
  codex: {
    title: 'Codex',
    file: () => programPlace('.codex/config.toml'),
    section: 'mcp_servers',
    format: 'toml',
    // Codex takes no token in its file, only the name of a variable that holds it.
    entry: (server) =>
      server.kind === 'http'
        ? { url: server.url, ...(server.headers === undefined ? {} : { bearer_token_env_var: 'MEMORY_ACCESS_TOKEN' }) }
        : plain(server),
    command: (name, server) => [
      ...['codex', 'mcp', 'add', name],
      ...(server.kind === 'http'
        ? ['--url', server.url]
        : [...environmentOptions('--env', server), '--', server.command, ...server.args]),
    ],
    next: 'Start Codex again; /mcp shows the connection.',
  },
  cursor: {
    title: 'Cursor',
    file: () => join(homedir(), '.cursor', 'mcp.json'),
    section: 'mcpServers',
    format: 'json',
    entry: plain,
    next: 'Turn it on under Settings, MCP.',
  },
  vscode: {
    title: 'VS Code',
    file: () => join(applicationData(), 'Code', 'User', 'mcp.json'),
    section: 'servers',
    format: 'json',
    entry: typed,
    command: (name, server) => ['code', '--add-mcp', JSON.stringify({ name, ...typed(server) })],
    next: 'Run "MCP: List Servers" from the command palette and start it.',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    file: () => join(homedir(), '.gemini', 'settings.json'),
    section: 'mcpServers',
    format: 'json',
    // `url` means the older transport there.
    entry: (server) => (server.kind === 'http' ? { httpUrl: server.url, ...headersOf(server) } : plain(server)),
    command: (name, server) => [
      ...['gemini', 'mcp', 'add', '--scope', 'user'],
      ...(server.kind === 'http'
        ? ['--transport', 'http', ...headerOptions('--header', server), name, server.url]
        : [...environmentOptions('--env', server), name, server.command, ...server.args]),
    ],
    next: 'Start Gemini CLI again; /mcp shows the connection.',
  },
  windsurf: {
    title: 'Windsurf',
    file: () => join(homedir(), '.codeium', 'windsurf', 'mcp_config.json'),
    section: 'mcpServers',
    format: 'json',
    entry: (server) => (server.kind === 'http' ? { serverUrl: server.url, ...headersOf(server) } : plain(server)),
    next: 'In Cascade, open the MCP servers and refresh.',
  },
  zed: {
    title: 'Zed',
    file: () => join(zedFolder(), 'settings.json'),
    section: 'context_servers',
    format: 'json',
    entry: plain,
    next: 'The settings of the agent panel show the server with a green dot.',
  },
  cline: {
    title: 'Cline',
    file: () =>
      join(
        ...[applicationData(), 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings'],
        'cline_mcp_settings.json',
      ),
    section: 'mcpServers',
    format: 'json',
    entry: (server) => (server.kind === 'http' ? { type: 'streamableHttp', ...plain(server) } : plain(server)),
    next: 'In Cline, open MCP Servers, Configure: it is in the list.',
  },
  opencode: {
    title: 'opencode',
    file: () => join(configFolder(), 'opencode', 'opencode.json'),
    section: 'mcp',
    format: 'json',
    entry: (server) =>
      server.kind === 'http'
        ? { type: 'remote', url: server.url, ...headersOf(server), enabled: true }
        : { type: 'local', command: [server.command, ...server.args], environment: server.env, enabled: true },
    next: 'Start opencode again.',
  },
  'copilot-cli': {
    title: 'GitHub Copilot CLI',
    file: () => join(homedir(), '.copilot', 'mcp-config.json'),
    section: 'mcpServers',
    format: 'json',
    entry: (server) => ({ type: server.kind === 'http' ? 'http' : 'local', ...plain(server), tools: ['*'] }),
    next: 'Start Copilot CLI again; /mcp show lists it.',
  },
  jetbrains: {
    title: 'JetBrains AI Assistant',
    section: 'mcpServers',
    format: 'json',
    entry: plain,
    pasted: true,
    next: 'In the IDE: Settings, Tools, AI Assistant, Model Context Protocol (MCP), Add, As JSON.',
  },
  goose: {
    title: 'Goose',
    file: () =>
      process.platform === 'win32'
        ? join(applicationData(), 'Block', 'goose', 'config', 'config.yaml')
        : join(configFolder(), 'goose', 'config.yaml'),
    section: 'extensions',
    format: 'yaml',
    entry: (server) => ({
      ...(server.kind === 'http'
        ? { type: 'streamable_http', uri: server.url, ...headersOf(server) }
        : { type: 'stdio', cmd: server.command, args: server.args, envs: server.env }),
      name: 'threadkeep',
      description: 'Your memory of AI conversations',
      enabled: true,
      timeout: 300,
    }),
    next: 'Start a new session of Goose.',
  },
  amp: {
    title: 'Amp',
    file: () => join(configFolder(), 'amp', 'settings.json'),
    section: 'amp.mcpServers',
    format: 'json',
    entry: plain,
    next: 'Start Amp again; `amp mcp list` shows it.',
  },
  warp: {
    title: 'Warp',
    section: 'mcpServers',
    format: 'json',
    entry: plain,
    pasted: true,
    next: 'In Warp: Settings, AI, Manage MCP servers, Add, and paste it.',
  },
  chatgpt: {
    title: 'ChatGPT',
    section: '',
    format: 'json',
    entry: typed,
    next: 'In ChatGPT: Settings, Apps & Connectors, Advanced, switch Developer mode on; then Create, with this address as the MCP server URL. ChatGPT reaches only public https addresses: put Threadkeep behind one with authentication, and set api.public_base_url to it.',
  },
};

function plain(server: Server): object {
  if (server.kind === 'http') return { url: server.url, ...headersOf(server) };
  const { command, args, env } = server;
  return { command, args, env };
}

function typed(server: Server): object {
  return { type: server.kind, ...plain(server) };
}

function headersOf({ headers }: { headers?: Record<string, string> }): object {
  return headers === undefined ? {} : { headers };
}

function headerOptions(flag: string, { headers = {} }: { headers?: Record<string, string> }): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [flag, `${name}: ${value}`]);
}

function environmentOptions(flag: string, { env }: { env: Record<string, string> }): string[] {
  return Object.entries(env).flatMap(([name, value]) => [flag, `${name}=${value}`]);
}

/** Where desktop programs keep their settings on this system. */
function applicationData(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
}

/** Where programs of the command line keep theirs, on every system. */
function configFolder(): string {
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
}

function zedFolder(): string {
  return process.platform === 'win32' ? join(applicationData(), 'Zed') : join(configFolder(), 'zed');
}

/** The entry as it stands in the client's file, and nothing around it. */
export function snippetOf(client: Client, name: string, entry: object): string {
  if (client.format === 'yaml') return stringify({ [client.section]: { [name]: entry } }).trimEnd();
  if (client.format === 'toml') return tomlTable(`${client.section}.${name}`, entry);
  return JSON.stringify({ [client.section]: { [name]: entry } }, null, 2);
}

export function tomlTable(header: string, entry: object): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return [`[${header}]`, ...lines].join('\n');
}

/** A text in JSON is one in TOML too; the others are built from it. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key} = ${tomlValue(each)}`)
    .join(', ')} }`;
}

/** Programs whose folder a person may have put elsewhere, by its usual name in the home folder. */
const variables: Readonly<Record<string, string>> = { '.claude': 'CLAUDE_CONFIG_DIR', '.codex': 'CODEX_HOME' };

/** Where a program keeps what usually is at this place below the home folder, in the program's own understanding. */
export function programPlace(
  place: string,
  { home = homedir(), environment = process.env }: { home?: string; environment?: NodeJS.ProcessEnv } = {},
): string {
  const [first = '', ...rest] = place.split('/');
  // An empty variable counts as none, as it does for the programs.
  const moved = environment[variables[first] ?? ''] || undefined;
  return moved === undefined ? join(home, place) : join(moved, ...rest);
}
