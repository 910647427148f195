import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { changeSettings, hasEntry, withEntry, withoutEntry } from '../cli/connect/add-entry.js';
import {
  type Client,
  clients,
  entryName,
  httpServer,
  type Server,
  snippetOf,
  stdioServer,
  temporaryPath,
  wordsOf,
} from '../cli/connect/clients.js';
import { commandLine } from '../cli/terminal.js';
import type { Config } from '../config/schema.js';
import { isLoopback } from '../http/admission.js';
import type { McpEndpoint } from '../mcp/endpoint.js';
import type { SeenClient } from '../mcp/sessions.js';
import { MemoryError } from '../model/errors.js';

/** A client that can be connected, with what to put into its settings. */
export interface ListedClient {
  client: string;
  title: string;
  transport: Server['kind'];
  /** Only an address, for a client that is configured on its own page. */
  snippet: string;
  /** The client's own command that adds the same entry. */
  command?: string;
  next: string;
  /** The path of its settings; only if this server may write them. */
  file?: string;
  /** Its settings are on this machine. */
  installed?: boolean;
  /** Its settings have the entry. */
  connected?: boolean;
  /** When it last used the endpoint; absent when it has not since the server started. */
  last_seen?: string;
}

export interface ClientList {
  status: 'ok';
  /** The MCP endpoint. */
  url: string;
  /** Whether `POST /clients/{client}/connect` works here. */
  may_write: boolean;
  clients: ListedClient[];
  /** Other programs that use the endpoint, by the name they report. */
  others: SeenClient[];
}

export interface ClientConnections {
  /** The names of the clients with a settings file; the others are configured on their own pages. */
  writable: readonly string[];
  list(userId: string): Promise<ClientList>;
  /** Adds the entry to the client's settings and keeps a copy of the old file. */
  connect(client: string): Promise<object>;
  /** Removes the entry. */
  disconnect(client: string): Promise<object>;
}

interface ConnectionParts {
  config: Config;
  configFile: string | undefined;
  mcp: Pick<McpEndpoint, 'seenFor'> | undefined;
  /** The address this server listens on. Never one that a request names: it ends up in the settings of other programs. */
  ownUrl: () => string;
}

/** The names that clients report over MCP, where they differ from those in our table. */
const ownNames: Readonly<Record<string, RegExp>> = {
  'claude-desktop': /^claude-ai$/i,
  codex: /^codex/i,
  cursor: /^cursor/i,
  vscode: /^visual studio code/i,
  'gemini-cli': /^gemini-cli/i,
  windsurf: /^windsurf/i,
  'copilot-cli': /^github-copilot/i,
  jetbrains: /^jetbrains|intellij/i,
  amp: /^amp\b/i,
  chatgpt: /^openai-mcp|^chatgpt/i,
};

export function createClientConnections(parts: ConnectionParts): ClientConnections {
  const { config, configFile, mcp, ownUrl } = parts;
  const http = () => httpServer(config.api.publicBaseUrl ?? ownUrl(), config);
  const serverOf = (client: Client): Server => (client.stdioOnly === true ? stdioServer(config, configFile) : http());
  // Only if the caller is the person whose home folder this is. An entry that contains a token needs the token.
  const mayWrite = config.api.auth === 'none' && isLoopback(config.api.host) && !config.storage.dryRun;

  const writable = (name: string): { client: Client; file: string } => {
    const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
    if (client === undefined) throw new MemoryError('not_found', 'There is no such client; GET /clients lists them');
    const file = client.file?.();
    if (!mayWrite) {
      const message = 'This server does not write the settings of other programs; copy the snippet instead';
      throw new MemoryError('permission_denied', message);
    }
    if (file === undefined) {
      throw new MemoryError('conflict', `${client.title} has no settings file; copy the snippet instead`);
    }
    return { client, file };
  };

  return {
    writable: Object.keys(clients).filter((name) => clients[name]?.file !== undefined),

    async list(userId) {
      const seen = mcp?.seenFor(userId) ?? [];
      // An entry that starts a program contains folders of this machine, which are of no use to users of a shared
      // server.
      const shown = Object.entries(clients).filter(([, client]) => mayWrite || client.stdioOnly !== true);
      const listed = await Promise.all(
        shown.map(async ([name, client]): Promise<ListedClient> => {
          const server = serverOf(client);
          const last = seen.find((each) => isNamed(each.name, name, client));
          return {
            client: name,
            title: client.title,
            transport: server.kind,
            snippet: shownSnippet(client, server),
            ...(client.command === undefined ? {} : { command: commandLine(client.command(entryName, server)) }),
            next: client.next,
            ...(mayWrite ? await stateOf(client) : {}),
            ...(last === undefined ? {} : { last_seen: last.last_seen }),
          };
        }),
      );
      const isListed = ({ name: own }: SeenClient): boolean =>
        Object.entries(clients).some(([name, client]) => isNamed(own, name, client));
      return {
        status: 'ok',
        url: http().url,
        may_write: mayWrite,
        clients: listed,
        others: seen.filter((each) => !isListed(each)),
      };
    },

    async connect(name) {
      const { client, file } = writable(name);
      const server = serverOf(client);
      if (temporaryPath(wordsOf(server), file) !== undefined) {
        const message = `The settings would name a temporary folder; \`threadkeep connect ${name} --write --yes\` writes them all the same`;
        throw new MemoryError('conflict', message);
      }
      const entry = client.entry(server);
      const written = await changeSettings(file, (settings) => withEntry(settings, client, entryName, entry));
      return { status: 'ok', client: name, file, ...written, next: client.next };
    },

    async disconnect(name) {
      const { client, file } = writable(name);
      const { changed } = await changeSettings(file, (settings) => withoutEntry(settings, client, entryName));
      return { status: 'ok', client: name, file, changed };
    },
  };
}

function shownSnippet(client: Client, server: Server): string {
  const isAddress = client.file === undefined && client.pasted !== true && server.kind === 'http';
  return isAddress ? server.url : snippetOf(client, entryName, client.entry(server));
}

function isNamed(own: string, name: string, { title }: Client): boolean {
  return ownNames[name]?.test(own) === true || [name, title.toLowerCase()].includes(own.toLowerCase());
}

async function stateOf(client: Client): Promise<Pick<ListedClient, 'file' | 'installed' | 'connected'>> {
  const file = client.file?.();
  if (file === undefined) return {};
  const settings = await readFile(file, 'utf8').catch(() => undefined);
  const folder = dirname(file);
  // For a file directly in the home folder, only the file itself shows that the client is installed.
  const installed = settings !== undefined || (folder !== homedir() && (await isThere(folder)));
  return { file, installed, connected: settings !== undefined && holdsEntry(settings, client) };
}

function holdsEntry(settings: string, client: Client): boolean {
  try {
    return hasEntry(settings, client, entryName);
  } catch {
    // Settings that cannot be read count as having no entry; connecting reports what is wrong with them.
    return false;
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
