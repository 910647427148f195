import type { LoadedConfig } from '../../config/load.js';
import { invalidInput, MemoryError } from '../../model/errors.js';
import type { Command, Result } from '../command.js';
import {
  addressOf,
  type Client,
  clients,
  entryName,
  httpServer,
  programCall,
  type Server,
  stdioServer,
  temporaryPath,
  wordsOf,
} from '../connect/clients.js';
import { loadConfigFor } from '../open.js';
import { commandLine, type Style } from '../terminal.js';

interface ConnectOptions {
  write?: boolean;
  stdio?: boolean;
  url?: string;
  hooks?: boolean;
  yes?: boolean;
  remove?: boolean;
}

const clientArgument = { name: '<client>', text: Object.keys(clients).join(', '), choices: Object.keys(clients) };

export const connect: Command<ConnectOptions> = {
  name: 'connect',
  operator: true,
  arguments: [clientArgument],
  summary: 'Show how to connect a client over MCP, or add Threadkeep to its settings',
  options: [
    { flags: '--write', text: "Add it to the client's settings, keeping a copy of the old file" },
    { flags: '--hooks', text: 'Let the client hand over each session when it ends, instead of connecting over MCP' },
    { flags: '--stdio', text: 'Let the client start `threadkeep mcp` instead of using a running server' },
    { flags: '--yes', text: 'Write it even if it names a temporary folder' },
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
    if (options.hooks === true && options.remove === true) return disconnectHooks(name, client);
    if (options.hooks === true) return connectHooks(name, client, { loaded, options });
    if (options.remove === true) return disconnect(name, client);
    const server = serverFor(client, options, loaded);
    const { snippetOf } = await import('../connect/clients.js');
    const entry = client.entry(server);
    const passing = temporaryPath(wordsOf(server), client.file?.());
    const shown = {
      status: 'ok',
      client: name,
      transport: server.kind,
      ...(client.file === undefined ? {} : { file: client.file() }),
      snippet: isAddress(client, server) ? server.url : snippetOf(client, entryName, entry),
      ...(client.command === undefined ? {} : { command: commandLine(client.command(entryName, server)) }),
      next: client.next,
      ...(await listeningAt(server)),
      ...(passing === undefined ? {} : { warning: warningOf(passing) }),
    };
    refusePassing(passing, options);
    if (options.write !== true) return { json: shown, text: (style) => advice(client, shown, style) };
    const written = await write(client, entry);
    return { json: { ...shown, ...written }, text: () => report(client, { ...shown, ...written }) };
  },
};

/** Capture without the model's involvement: the client itself calls us when a turn or a session ends. */
async function connectHooks(
  name: string,
  client: Client,
  { loaded, options }: { loaded: LoadedConfig; options: ConnectOptions },
): Promise<Result> {
  const { hooks } = await import('../connect/hooks.js');
  const found = hooks[name];
  if (found === undefined)
    throw invalidInput('--hooks', `does not work here: ${client.title} has no hooks; run \`threadkeep watch\``);
  const { file } = loaded.source;
  // Absolute paths: the client runs the hook in the current project's folder.
  const place = [...(file === undefined ? [] : ['--config', file]), '--data-dir', loaded.config.paths.dataDir];
  const words = [...programCall(), 'import', found.format, '--hook', '--quiet', ...place];
  const command = commandLine(words);
  const snippet = JSON.stringify(found.add({}, command), null, 2);
  const passing = temporaryPath(words, found.file());
  const warning = passing === undefined ? {} : { warning: warningOf(passing) };
  const shown = { status: 'ok', client: name, file: found.file(), snippet, command, ...warning };
  const { next } = found;
  refusePassing(passing, options);
  if (options.write !== true) return { json: shown, text: (style) => hookAdvice(shown, style) };
  const { changeSettings, withChanged } = await import('../connect/add-entry.js');
  const written = await changeSettings(found.file(), (settings) =>
    withChanged(settings, (all) => found.add(all, command)),
  );
  return { json: { ...shown, ...written }, text: () => report(client, { ...shown, ...written, next }) };
}

/**
 * The settings outlive a temporary folder: the client would later start a program without its data, or one that no
 * longer exists.
 */
function refusePassing(passing: string | undefined, { write, yes }: ConnectOptions): void {
  if (passing === undefined || write !== true || yes === true) return;
  throw new MemoryError(
    'invalid_input',
    `${warningOf(passing)}. Use a lasting one, for data with --data, or add --yes to write it all the same`,
  );
}

function warningOf(passing: string): string {
  return `The settings would name ${passing}, which is in a temporary folder`;
}

/** A URL if the client accepts one, so that all clients share one server; otherwise the program to start. */
function serverFor(client: Client, options: ConnectOptions, loaded: LoadedConfig): Server {
  const { config, source } = loaded;
  if (client.file === undefined && client.pasted !== true && options.stdio === true) {
    throw invalidInput('--stdio', `does not work here: ${client.title} cannot start programs`);
  }
  if (options.stdio !== true && client.stdioOnly !== true) {
    const base = addressGiven(options.url) ?? config.api.publicBaseUrl ?? addressOf(config.api);
    return httpServer(base, config);
  }
  return stdioServer(config, source.file);
}

function isAddress(client: Client, server: Server): server is Extract<Server, { kind: 'http' }> {
  return client.file === undefined && client.pasted !== true && server.kind === 'http';
}

/** Whether a server on this machine listens at the URL; remote URLs are not contacted. */
async function listeningAt(server: Server): Promise<{ listening?: boolean }> {
  if (server.kind !== 'http') return {};
  const { hostname, port, protocol } = new URL(server.url);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return {};
  const { connect: open } = await import('node:net');
  const listening = await new Promise<boolean>((resolve) => {
    const socket = open({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
    });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(500, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
  return { listening };
}

const nothingListens =
  'Nothing answers at this address yet: `threadkeep serve` starts the server, `threadkeep service install` keeps it running.';

/** Removes what `connect --write` added. */
async function disconnect(name: string, client: Client): Promise<Result> {
  const file = client.file?.();
  if (file === undefined) throw invalidInput('<client>', `has no settings file: remove it in ${client.title} itself`);
  const [{ withoutEntry }, { changeSettings }] = await Promise.all([
    import('../connect/add-entry.js'),
    import('../connect/add-entry.js'),
  ]);
  const { changed } = await changeSettings(file, (settings) => withoutEntry(settings, client, entryName));
  return removed({ name, client, file, changed });
}

async function disconnectHooks(name: string, client: Client): Promise<Result> {
  const { hooks } = await import('../connect/hooks.js');
  const found = hooks[name];
  if (found === undefined) throw invalidInput('--hooks', `does not work here: ${client.title} has no hooks`);
  const { changeSettings, wasThereBefore, withChanged } = await import('../connect/add-entry.js');
  const file = found.file();
  const isOurFile = !(await wasThereBefore(file));
  const { changed } = await changeSettings(file, (settings) =>
    // Without a file there is nothing to remove.
    settings.trim() === '' ? settings : withChanged(settings, (all) => found.remove(all, isOurFile)),
  );
  return removed({ name, client, file, changed });
}

function removed({
  name,
  client,
  file,
  changed,
}: {
  name: string;
  client: Client;
  file: string;
  changed: boolean;
}): Result {
  const text = changed ? `Removed from ${file}.` : `${client.title} was not connected (${file}).`;
  return { json: { status: 'ok', client: name, file, changed }, text: () => text };
}

export const disconnectCommand: Command<Pick<ConnectOptions, 'hooks'>> = {
  name: 'disconnect',
  operator: true,
  arguments: [clientArgument],
  summary: "Remove from a client's settings what connect added",
  options: [{ flags: '--hooks', text: 'Remove the hooks, not the MCP connection' }],
  examples: ['threadkeep disconnect cursor', 'threadkeep disconnect claude-code --hooks'],
  run: (invocation) => connect.run({ ...invocation, options: { ...invocation.options, remove: true } }),
};

function addressGiven(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { protocol, search, hash } = URL.canParse(url) ? new URL(url) : { protocol: '', search: '', hash: '' };
  if (/^https?:$/.test(protocol) && search === '' && hash === '') return url;
  throw invalidInput('--url', 'must be an address such as https://memory.example.org');
}

async function write(client: Client, entry: object) {
  if (client.file === undefined)
    throw invalidInput('--write', `does not work here: ${client.title} has no settings file`);
  const [{ withEntry }, { changeSettings }] = await Promise.all([
    import('../connect/add-entry.js'),
    import('../connect/add-entry.js'),
  ]);
  return changeSettings(client.file(), (settings) => withEntry(settings, client, entryName, entry));
}

interface Shown {
  file?: string;
  snippet: string;
  command?: string;
  next: string;
  listening?: boolean;
  warning?: string;
}

function hookAdvice({ file, snippet, warning }: Omit<Shown, 'next'>, style: Style): string {
  const parts = [`In ${file}:`, style.strong(snippet), 'Or add it with --write.'];
  return [...parts, ...(warning === undefined ? [] : [`${warning}.`])].join('\n\n');
}

function advice(client: Client, shown: Shown, style: Style): string {
  const { file, snippet, command, next, listening, warning } = shown;
  const alone = client.pasted === true ? `For ${client.title}:` : `The address for ${client.title}:`;
  const place = file === undefined ? alone : `For ${client.title}, in ${file}:`;
  const easier = [
    ...(command === undefined ? [] : [`Or with the client's own command:\n  ${command}`]),
    ...(file === undefined ? [] : ['Or add it with --write.']),
  ];
  const quiet = listening === false ? [nothingListens] : [];
  const passing = warning === undefined ? [] : [`${warning}.`];
  return [place, style.strong(snippet), ...easier, next, ...quiet, ...passing].join('\n\n');
}

function report(
  client: Client,
  { file, backup, changed, next, listening }: Shown & { changed: boolean; backup?: string },
): string {
  if (!changed) return `${client.title} is already connected (${file}).`;
  const kept = backup === undefined ? '' : `\nThe old file is kept as ${backup}.`;
  return `Added to ${file}.${kept}\n${next}${listening === false ? `\n${nothingListens}` : ''}`;
}
