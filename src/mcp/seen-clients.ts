import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { isObject } from '../model/json.js';

/** A program that has used the endpoint since the server started, by the name it gives itself. */
export interface SeenClient {
  name: string;
  version?: string;
  last_seen: string;
}

export interface SeenClients {
  /** Remembers the client that a message names; returns its name, for the later messages of a session. */
  note(userId: string, message: object): string | undefined;
  /** A session that this client opened was used again. */
  touch(userId: string, name: string | undefined): void;
  /** The clients of one user, the latest first. */
  of(userId: string): SeenClient[];
}

/** Both are caps on what a client can make the server remember. */
const longestName = 100;
const mostClients = 500;

/** In memory alone: which programs a person uses is not written to disk. */
export function createSeenClients(now: () => number): SeenClients {
  const seen = new Map<string, SeenClient & { userId: string }>();
  const remember = (userId: string, client: Omit<SeenClient, 'last_seen'>): void => {
    const key = `${userId}\n${client.name}`;
    seen.delete(key);
    seen.set(key, { userId, ...client, last_seen: new Date(now()).toISOString() });
    const [oldest] = seen.keys();
    if (seen.size > mostClients && oldest !== undefined) seen.delete(oldest);
  };
  return {
    note(userId, message) {
      const client = clientIn(message);
      if (client !== undefined) remember(userId, client);
      return client?.name;
    },
    touch(userId, name) {
      const known = name === undefined ? undefined : seen.get(`${userId}\n${name}`);
      if (known === undefined) return;
      const { name: same, version } = known;
      remember(userId, { name: same, ...(version === undefined ? {} : { version }) });
    },
    of: (userId) =>
      [...seen.values()]
        .filter((each) => each.userId === userId)
        .map(({ userId: _, ...client }) => client)
        .reverse(),
  };
}

/** `initialize` carries it as a parameter, a stateless request in its envelope. */
function clientIn(message: object): Omit<SeenClient, 'last_seen'> | undefined {
  const params = isObject(message) && isObject(message.params) ? message.params : {};
  const meta = isObject(params._meta) ? params._meta : {};
  const info = params.clientInfo ?? meta[CLIENT_INFO_META_KEY];
  if (!isObject(info) || typeof info.name !== 'string' || info.name.trim() === '') return undefined;
  const { name, version } = info;
  return {
    name: name.slice(0, longestName),
    ...(typeof version === 'string' ? { version: version.slice(0, longestName) } : {}),
  };
}
