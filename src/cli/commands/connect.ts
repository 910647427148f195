import { fileURLToPath } from 'node:url';
import type { LoadedConfig } from '../../config/load.js';
import { invalidInput } from '../../model/errors.js';
import type { Command, Result } from '../command.js';
import { type Client, clients, type Server } from '../connect/clients.js';
import { loadConfigFor } from '../open.js';
import { commandLine } from '../shell.js';
import type { Style } from '../style.js';

interface ConnectOptions {
  write?: boolean;
  stdio?: boolean;
  url?: string;
  hooks?: boolean;
}

const entryName = 'threadkeep';

export const connect: Command<ConnectOptions> = {
  name: 'connect',
  operator: true,
  arguments: [{ name: '<client>', text: Object.keys(clients).join(', ') }],
  summary: 'Show how a client is connected over MCP, or add it to its settings',
  options: [
    { flags: '--write', text: "Add it to the client's settings, keeping a copy of what was there" },
    { flags: '--hooks', text: 'Let the client hand over each session when it ends, instead of connecting over MCP' },
    { flags: '--stdio', text: 'Let the client start `threadkeep mcp` instead of using a running server' },
    {
      flags: '--url <address>',
      text: 'The address of the server (default: api.public_base_url, else api.host and port)',
    },
  ],
  examples: [
    'threadkeep connect claude-code',
    'threadkeep connect cursor --write',
    'threadkeep connect codex --stdio',
    'threadkeep connect claude-code --hooks --write',
  ],
  async run(invocation) {
    const { args, options } = invocation;
    const [name = ''] = args;
    const client = clients[name];
    if (client === undefined) throw invalidInput('<client>', `must be one of: ${Object.keys(clients).join(', ')}`);
    const loaded = await loadConfigFor(invocation);
    if (options.hooks === true) return connectHooks(name, client, { loaded, write: options.write === true });
    const server = serverFor(client, options, loaded);
    const { snippetOf } = await import('../connect/snippet.js');
    const entry = client.entry(server);
    const shown = {
      status: 'ok',
      client: name,
      transport: server.kind,
      ...(client.file === undefined ? {} : { file: client.file() }),
      snippet: client.file === undefined && server.kind === 'http' ? server.url : snippetOf(client, entryName, entry),
      ...(client.command === undefined ? {} : { command: commandLine(client.command(entryName, server)) }),
      next: client.next,
    };
    if (options.write !== true) return { json: shown, text: (style) => advice(client, shown, style) };
    const written = await write(client, entry);
    return { json: { ...shown, ...written }, text: () => report(client, { ...shown, ...written }) };
  },
};

/** Capture without a model's help: the client itself calls us when a turn or a session ends. */
async function connectHooks(
  name: string,
  client: Client,
  { loaded, write }: { loaded: LoadedConfig; write: boolean },
): Promise<Result> {
  const { hooks } = await import('../connect/hooks.js');
  const found = hooks[name];
  if (found === undefined)
    throw invalidInput('--hooks', `does not fit: ${client.title} has none; run \`threadkeep watch\``);
  const program = fileURLToPath(new URL('../../main.js', import.meta.url));
  const { file } = loaded.source;
  // Whole paths: the client runs it in the folder of whatever is being worked on.
  const place = [...(file === undefined ? [] : ['--config', file]), '--data-dir', loaded.config.paths.data_dir];
  const command = commandLine([process.execPath, program, 'import', name, '--hook', '--quiet', ...place]);
  const snippet = JSON.stringify(found.add({}, command), null, 2);
  const shown = { status: 'ok', client: name, file: found.file(), snippet, command };
  const { next } = found;
  if (!write)
    return { json: shown, text: (style) => `In ${shown.file}:\n\n${style.strong(snippet)}\n\nOr let --write add it.` };
  const { changeSettings } = await import('../connect/write-settings.js');
  const { settingsOf, settingsText } = await import('../connect/add-entry.js');
  const written = await changeSettings(found.file(), (settings) =>
    settingsText(found.add(settingsOf(settings), command), settings),
  );
  return { json: { ...shown, ...written }, text: () => report(client, { ...shown, ...written, next }) };
}

/** An address where the client takes one, so that all clients share one server; else the program to start. */
function serverFor(client: Client, options: ConnectOptions, loaded: LoadedConfig): Server {
  const { config, source } = loaded;
  if (client.file === undefined && options.stdio === true) {
    throw invalidInput('--stdio', `does not fit: ${client.title} cannot start programs`);
  }
  if (options.stdio !== true && client.stdioOnly !== true) {
    const base = addressGiven(options.url) ?? config.api.public_base_url ?? addressOf(config.api);
    const url = `${base.replace(/\/+$/, '').replace(/\/mcp$/, '')}/mcp`;
    const bearer = config.api.auth === 'bearer_token' ? { headers: { Authorization: 'Bearer <ACCESS_TOKEN>' } } : {};
    return { kind: 'http', url, ...bearer };
  }
  const program = fileURLToPath(new URL('../../main.js', import.meta.url));
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [program, 'mcp', ...(source.file === undefined ? [] : ['--config', source.file])],
    // Whole paths: a client starts programs wherever it likes.
    env: { THREADKEEP_PATHS__DATA_DIR: config.paths.data_dir, THREADKEEP_PATHS__LOGS_DIR: config.paths.logs_dir },
  };
}

function addressGiven(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { protocol, search, hash } = URL.canParse(url) ? new URL(url) : { protocol: '', search: '', hash: '' };
  if (/^https?:$/.test(protocol) && search === '' && hash === '') return url;
  throw invalidInput('--url', 'must be an address such as https://memory.example.org');
}

/** As a client on this machine reaches it. */
function addressOf({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function write(client: Client, entry: object) {
  if (client.file === undefined) throw invalidInput('--write', `does not fit: ${client.title} has no settings file`);
  const [{ withEntry }, { changeSettings }] = await Promise.all([
    import('../connect/add-entry.js'),
    import('../connect/write-settings.js'),
  ]);
  return changeSettings(client.file(), (settings) => withEntry(settings, client, entryName, entry));
}

interface Shown {
  file?: string;
  snippet: string;
  command?: string;
  next: string;
}

function advice(client: Client, { file, snippet, command, next }: Shown, style: Style): string {
  const place = file === undefined ? `The address for ${client.title}:` : `For ${client.title}, in ${file}:`;
  const easier = [
    ...(command === undefined ? [] : [`The same by its own command:\n  ${command}`]),
    ...(file === undefined ? [] : ['Or let --write add it.']),
  ];
  return [place, style.strong(snippet), ...easier, next].join('\n\n');
}

function report(
  client: Client,
  { file, backup, changed, next }: Shown & { changed: boolean; backup?: string },
): string {
  if (!changed) return `${client.title} is connected already (${file}).`;
  const kept = backup === undefined ? '' : `\nWhat was there is kept as ${backup}.`;
  return `Added to ${file}.${kept}\n${next}`;
}
