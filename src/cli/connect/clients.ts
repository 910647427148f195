import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Config } from '../../config/schema.js';
import { isObject } from '../../model/json.js';

/** How a client reaches the memory: a URL, or a program that it starts. */
export type Server =
  | { kind: 'http'; url: string; headers?: Record<string, string> }
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string> };

/** One client as data: where it lists its MCP servers, and the format of an entry. */
export interface Client {
  title: string;
  /** Its settings file; absent for a client that is configured on its own pages. */
  file?: () => string;
  /** The part of the file that lists servers; in TOML, `[section.name]`. */
  section: string;
  format: 'json' | 'toml' | 'yaml';
  entry(server: Server): object;
  /** The client's own command that adds the same entry, if it has one. */
  command?: (name: string, server: Server) => string[];
  /** The client starts servers itself; its file accepts no URL. */
  stdioOnly?: true;
  /** The entry is pasted into a settings page: there is no file to write. */
  pasted?: true;
  /** What to do after adding the entry. */
  next: string;
}

/** The name of the entry in the settings of every client. */
export const entryName = 'threadkeep';

export const clients: Readonly<Record<string, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    // In the home folder, or in the folder the variable names.
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
    next: 'Restart Claude Code; /mcp shows the connection.',
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
    // Codex accepts no token in its file, only the name of an environment variable.
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
    next: 'Restart Codex; /mcp shows the connection.',
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
    // In Gemini CLI, `url` means the older transport.
    entry: (server) => (server.kind === 'http' ? { httpUrl: server.url, ...headersOf(server) } : plain(server)),
    command: (name, server) => [
      ...['gemini', 'mcp', 'add', '--scope', 'user'],
      ...(server.kind === 'http'
        ? ['--transport', 'http', ...headerOptions('--header', server), name, server.url]
        : [...environmentOptions('--env', server), name, server.command, ...server.args]),
    ],
    next: 'Restart Gemini CLI; /mcp shows the connection.',
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
    next: 'Restart opencode.',
  },
  'copilot-cli': {
    title: 'GitHub Copilot CLI',
    file: () => programPlace('.copilot/mcp-config.json'),
    section: 'mcpServers',
    format: 'json',
    entry: (server) => ({ type: server.kind === 'http' ? 'http' : 'local', ...plain(server), tools: ['*'] }),
    next: 'Restart Copilot CLI; /mcp show lists it.',
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
    next: 'Start a new Goose session.',
  },
  amp: {
    title: 'Amp',
    file: () => join(configFolder(), 'amp', 'settings.json'),
    section: 'amp.mcpServers',
    format: 'json',
    entry: plain,
    next: 'Restart Amp; `amp mcp list` shows it.',
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

/** The settings folder of desktop programs on this system. */
function applicationData(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
}

/** The settings folder of command-line programs, on every system. */
function configFolder(): string {
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
}

function zedFolder(): string {
  return process.platform === 'win32' ? join(applicationData(), 'Zed') : join(configFolder(), 'zed');
}

/** The entry in the client's file format, without anything around it. */
export function snippetOf(client: Client, name: string, entry: object): string {
  if (client.format === 'yaml') return stringify({ [client.section]: { [name]: entry } }).trimEnd();
  if (client.format === 'toml') return tomlTable(`${client.section}.${name}`, entry);
  return JSON.stringify({ [client.section]: { [name]: entry } }, null, 2);
}

export function tomlTable(header: string, entry: object): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return [`[${header}]`, ...lines].join('\n');
}

/** JSON strings are valid TOML strings; the other values are built from them. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key} = ${tomlValue(each)}`)
    .join(', ')} }`;
}

/** Environment variables that move a program's folder, by its default name in the home folder. */
const variables: Readonly<Record<string, string>> = {
  '.claude': 'CLAUDE_CONFIG_DIR',
  '.codex': 'CODEX_HOME',
  '.copilot': 'COPILOT_HOME',
};

/** Resolves a path below the home folder the way the program itself does. */
export function programPlace(
  place: string,
  { home = homedir(), environment = process.env }: { home?: string; environment?: NodeJS.ProcessEnv } = {},
): string {
  const [first = '', ...rest] = place.split('/');
  // Empty variables count as unset, as they do for the programs.
  const moved = environment[variables[first] ?? ''] || undefined;
  return moved === undefined ? join(home, place) : join(moved, ...rest);
}

type Http = Extract<Server, { kind: 'http' }>;
type Stdio = Extract<Server, { kind: 'stdio' }>;

/** The MCP endpoint below an address, with a place for the token where one is needed. */
export function httpServer(base: string, { api }: Pick<Config, 'api'>): Http {
  const url = `${base.replace(/\/+$/, '').replace(/\/mcp$/, '')}/mcp`;
  const bearer = api.auth === 'bearer_token' ? { headers: { Authorization: 'Bearer <ACCESS_TOKEN>' } } : {};
  return { kind: 'http', url, ...bearer };
}

/** `threadkeep mcp` on the same data. Absolute paths, because a client may start programs in any working directory. */
export function stdioServer({ paths }: Pick<Config, 'paths'>, configFile: string | undefined): Stdio {
  const [command = '', ...program] = programCall();
  return {
    kind: 'stdio',
    command,
    args: [...program, 'mcp', ...(configFile === undefined ? [] : ['--config', configFile])],
    env: { THREADKEEP_PATHS__DATA_DIR: paths.dataDir, THREADKEEP_PATHS__LOGS_DIR: paths.logsDir },
  };
}

/** A copy that npx created for this run may be deleted later, so the entry calls npx again. */
export function programCall(program = fileURLToPath(new URL('../../main.js', import.meta.url))): string[] {
  return /[\\/](_npx|dlx-?[^\\/]*)[\\/]/.test(program) ? ['npx', '-y', 'threadkeep'] : [process.execPath, program];
}

/** The address at which a client on this machine reaches the server. */
export function addressOf({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Folders that the system empties at a restart or after some time. */
const emptied = ['/tmp', '/var/tmp', '/dev/shm', '/private/tmp', '/private/var/tmp', '/var/folders'];

/**
 * The first path in a command that is inside a temporary folder. Undefined if the settings file itself is in one,
 * because then it does not outlive the path.
 */
export function temporaryPath(words: readonly string[], settingsFile: string | undefined): string | undefined {
  if (settingsFile !== undefined && isTemporary(settingsFile)) return undefined;
  return words.find((word) => isAbsolute(word) && isTemporary(word));
}

/** The paths and commands of this machine in a client's entry. */
export function wordsOf(server: Server): string[] {
  return server.kind === 'stdio' ? [server.command, ...server.args, ...Object.values(server.env)] : [];
}

function isTemporary(path: string): boolean {
  const folders = [tmpdir(), ...(process.platform === 'win32' ? [] : emptied)];
  const spellings = [path, realPath(path)];
  return folders.some((folder) =>
    [folder, realPath(folder)].some((root) => spellings.some((each) => isWithin(each, root))),
  );
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return !inside.startsWith('..') && !isAbsolute(inside);
}

/** Resolves symbolic links, as far as the path exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    // A path that does not exist yet is not a link.
    return above === path ? path : `${realPath(above)}${path.slice(above.length)}`;
  }
}
