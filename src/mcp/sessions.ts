import { randomUUID } from 'node:crypto';
import {
  CLIENT_INFO_META_KEY,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isObject } from '../model/json.js';
import type { Observer } from '../observability/observer.js';
import { outsideRequests } from '../observability/request-context.js';
import { withResourceCode } from './transport.js';

export interface Session {
  id: string;
  /** The owner: everyone else gets "not found". */
  owner: string;
  /** The user whose session quota it counts against. */
  user: string;
  /** The name that the client reports. */
  client?: string | undefined;
  transport: WebStandardStreamableHTTPServerTransport;
  server: Server;
  lastUsed: number;
  /** Requests and streams in progress: such a session is neither idle nor evicted. */
  busy: number;
  /** The ids of requests in progress. */
  answering: Set<string | number>;
}

export interface SessionParts {
  createServer: () => Server;
  settings: { maxSessions: number; maxSessionsPerUser: number; sessionIdleMs: number };
  observer: Observer;
  now: () => number;
}

export type Sessions = ReturnType<typeof createSessions>;

const sweepEvery = 60_000;

function isIdle({ busy }: Session): boolean {
  return busy === 0;
}

/** The session has an open stream and no request in progress. */
function isListening({ answering }: Session): boolean {
  return answering.size === 0;
}

/**
 * The sessions of this process, limited in number and kept only in memory: after a restart an old id is unknown, which
 * tells the client to initialise again. Many clients never end their sessions, so at the limit one is evicted: one of
 * the same user if they are over their quota, otherwise one of the user with the most.
 */
export function createSessions({ createServer, settings, observer, now }: SessionParts) {
  const sessions = new Map<string, Session>();
  let sweeper: NodeJS.Timeout | undefined;

  function isExpired({ busy, lastUsed }: Session): boolean {
    return busy === 0 && now() - lastUsed >= settings.sessionIdleMs;
  }

  async function end(session: Session): Promise<void> {
    sessions.delete(session.id);
    if (sessions.size === 0) {
      clearInterval(sweeper);
      sweeper = undefined;
    }
    await session.server.close();
  }

  async function sweep(): Promise<void> {
    const expired = [...sessions.values()].filter(isExpired);
    await Promise.all(expired.map(end));
    if (expired.length > 0)
      observer.log('debug', 'mcp_sessions_expired', { ended: expired.length, left: sessions.size });
  }

  function byUser(): Map<string, Session[]> {
    const found = new Map<string, Session[]>();
    for (const session of sessions.values()) {
      const theirs = found.get(session.user);
      if (theirs === undefined) found.set(session.user, [session]);
      else theirs.push(session);
    }
    return found;
  }

  /** The session to evict so that this user can open another; undefined when every candidate is busy. */
  function leastNeeded(user: string): Session | undefined {
    const held = byUser();
    const own = held.get(user) ?? [];
    // Use moves a session to the end of the map, so the first idle one is the least recently used.
    if (own.length >= settings.maxSessionsPerUser) return own.find(isIdle);
    const heaviest = [...held.values()].sort((one, other) => other.length - one.length);
    for (const theirs of heaviest) {
      const idle = theirs.find(isIdle);
      if (idle !== undefined) return idle;
      // Idle streams must not let one user lock out all others.
      const listening = theirs.length > own.length + 1 ? theirs.find(isListening) : undefined;
      if (listening !== undefined) return listening;
    }
    return undefined;
  }

  /** False when no session can be evicted. Synchronous, so that concurrent callers do not claim the same slot. */
  function makeRoom(user: string): boolean {
    const own = [...sessions.values()].filter((session) => session.user === user).length;
    if (sessions.size < settings.maxSessions && own < settings.maxSessionsPerUser) return true;
    const oldest = leastNeeded(user);
    if (oldest === undefined) return false;
    end(oldest).catch((error: unknown) => observer.log('warn', 'mcp_session_not_closed', {}, error));
    observer.log('info', 'mcp_session_evicted', { sessions: sessions.size });
    return true;
  }

  return {
    size: () => sessions.size,
    sweep,

    /** Opens a session; undefined when the limit is reached and none is idle. */
    async open(owner: string, user: string): Promise<Session | undefined> {
      const id = randomUUID().replaceAll('-', '');
      const http = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
      const transport = withResourceCode(http, () => true);
      const server = createServer();
      await server.connect(transport);
      if (!makeRoom(user)) {
        await server.close();
        return undefined;
      }
      const session: Session = { id, owner, user, transport, server, lastUsed: now(), busy: 0, answering: new Set() };
      sessions.set(id, session);
      // Also called when the client ends the session.
      server.onclose = () => sessions.delete(id);
      sweeper ??= setInterval(() => outsideRequests(sweep), Math.min(sweepEvery, settings.sessionIdleMs)).unref();
      return session;
    },

    async find(id: string, owner: string): Promise<Session | undefined> {
      const session = sessions.get(id);
      if (session === undefined || session.owner !== owner) return undefined;
      if (!isExpired(session)) return session;
      await end(session);
      return undefined;
    },

    /** Marks it as in use until the returned function is called. */
    use(session: Session): () => void {
      session.busy += 1;
      return () => {
        session.busy -= 1;
        session.lastUsed = now();
        if (!sessions.delete(session.id)) return;
        sessions.set(session.id, session);
      };
    },

    end,

    /** Ends idle streams, which would delay shutdown; requests in progress continue. */
    endStreams(): void {
      for (const { transport } of sessions.values()) transport.closeStandaloneSSEStream();
    },

    async close(): Promise<void> {
      clearInterval(sweeper);
      await Promise.all([...sessions.values()].map(end));
    },
  };
}

/** A program that has used the endpoint since the server started, by the name it reports. */
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

/** Both limit how much a client can make the server remember. */
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
