import { setTimeout as delay } from 'node:timers/promises';
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { localPrincipal } from '../auth/access.js';
import type { Principal } from '../model/access.js';
import type { Observer } from '../observability/observer.js';
import {
  accepts,
  asJson,
  asStream,
  idOf,
  missingSession,
  notAllowed,
  readMessage,
  rpcCodes,
  rpcError,
  withoutBody,
} from './rpc.js';
import { createSeenClients, type SeenClient } from './seen-clients.js';
import { createSessions, type Session } from './sessions.js';
import { createExchanges, whenSent } from './transport.js';

export interface McpEndpoint {
  /** One HTTP request to `/mcp`, whoever the door found it to be from. */
  fetch(request: Request, caller: Caller): Promise<Response>;
  /** The programs that have used it for this user since the server started, the latest first. */
  seenFor(userId: string): SeenClient[];
  /** Ends waiting streams, lets calls finish, then ends every session. */
  close(): Promise<void>;
}

export interface EndpointParts {
  createServer: () => Server;
  settings: { maxSessions: number; maxSessionsPerUser: number; sessionIdleMs: number; maxBodyBytes: number };
  observer: Observer;
  now: () => number;
}

/** How long a shutdown waits for calls that do not end. */
const patience = 10_000;

type Message = Record<string, unknown>;

/**
 * Streamable HTTP for both eras of the protocol at one address: requests that carry their own `_meta` envelope are
 * answered statelessly, all others belong to a session. The SDK speaks; whose session it is, how many there are and
 * how large a body may be is decided here.
 */
export function createEndpoint(parts: EndpointParts): McpEndpoint {
  const { settings } = parts;
  const sessions = createSessions(parts);
  const seen = createSeenClients(parts.now);
  const exchanges = createExchanges();
  const onerror = (error: Error): void => parts.observer.log('debug', 'mcp_request_refused', { reason: error.name });
  const handler = createMcpHandler(parts.createServer, { legacy: 'reject', onerror });
  let closing = false;

  async function stateless(request: Request, message: Message, caller: Caller): Promise<Response> {
    const given: McpHandlerRequestOptions = { parsedBody: message, authInfo: authInfoOf(caller) };
    seen.note(userOf(caller), message);
    // A subscription lasts until the client leaves: nothing to wait for.
    if (message.method === 'subscriptions/listen') return handler.fetch(request, given);
    const done = exchanges.begin();
    try {
      const answer = await handler.fetch(request, given);
      return whenSent(accepts(request).stream ? await asStream(answer) : answer, done);
    } catch (error) {
      done();
      throw error;
    }
  }

  async function inSession(session: Session, request: Request, caller: Caller, message?: Message): Promise<Response> {
    const id = message?.method === undefined ? null : idOf(message);
    // Answers find their way by the id: of two requests under one, the first would wait for ever.
    if (id !== null && session.answering.has(id)) {
      return rpcError(400, rpcCodes.invalidRequest, 'A request with this id is still being answered', { id });
    }
    if (id !== null) session.answering.add(id);
    const free = sessions.use(session);
    const done = message === undefined ? () => {} : exchanges.begin();
    const given = { authInfo: authInfoOf(caller), ...(message === undefined ? {} : { parsedBody: message }) };
    const end = (): void => {
      if (id !== null) session.answering.delete(id);
      free();
      done();
    };
    try {
      return whenSent(await session.transport.handleRequest(withoutBody(request), given), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  async function initialize(request: Request, message: Message, caller: Caller): Promise<Response> {
    if (!isInitializeRequest(message)) {
      const text = 'initialize needs an id, protocolVersion, capabilities and clientInfo';
      return rpcError(400, rpcCodes.invalidParams, text, { id: idOf(message) });
    }
    const session = await sessions.open(ownerKey(caller), userOf(caller));
    if (session === undefined) {
      const headers = { 'retry-after': '1' };
      return rpcError(
        503,
        rpcCodes.refused,
        'Too many sessions are at work (mcp.max_sessions, mcp.max_sessions_per_user)',
        { headers },
      );
    }
    session.client = seen.note(userOf(caller), message);
    const answer = await inSession(session, request, caller, message);
    if (!answer.ok) await sessions.end(session);
    return answer;
  }

  async function withSession(request: Request, caller: Caller, message?: Message): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return missingSession(request, idOf(message));
    const session = await sessions.find(id, ownerKey(caller));
    // Also another's: whether it exists is none of the caller's business.
    if (session === undefined)
      return rpcError(404, rpcCodes.invalidRequest, 'Session not found', { id: idOf(message) });
    seen.touch(userOf(caller), session.client);
    return inSession(session, request, caller, message);
  }

  async function post(request: Request, caller: Caller): Promise<Response> {
    const { json, stream } = accepts(request);
    if (!json && !stream) return rpcError(406, rpcCodes.refused, 'Accept application/json and text/event-stream');
    const message = await readMessage(request, settings.maxBodyBytes);
    if (message instanceof Response) return message;
    if (!(await isLegacyRequest(request, message))) return stateless(request, message, caller);
    const opens = message.method === 'initialize';
    const answer = opens ? initialize(request, message, caller) : withSession(request, caller, message);
    return stream ? answer : asJson(await answer);
  }

  return {
    async fetch(request, caller) {
      if (closing)
        return rpcError(503, rpcCodes.refused, 'The server is stopping', { headers: { 'retry-after': '1' } });
      if (request.method === 'POST') return post(request, caller);
      if (request.method === 'GET' || request.method === 'DELETE') return withSession(request, caller);
      return notAllowed('GET, POST, DELETE');
    },

    seenFor: seen.of,

    async close() {
      closing = true;
      sessions.endStreams();
      await Promise.race([exchanges.idle(), delay(patience, undefined, { ref: false })]);
      await Promise.all([handler.close(), sessions.close()]);
    },
  };
}

/** Who sends a request, as the HTTP door found out; the token's id only where there is a token. */
export interface Caller {
  principal: Principal;
  tokenId?: string;
}

/** Two callers with the same key may use the same session. */
function ownerKey({ principal, tokenId = '' }: Caller): string {
  return `${principal.userId}\n${tokenId}`;
}

/** Whose sessions are counted together: a person with many tokens is still one person. */
function userOf({ principal }: Caller): string {
  return principal.userId;
}

/** The SDK hands this through to the handlers untouched. The token itself is not in it: nothing behind the door needs it. */
function authInfoOf({ principal }: Caller): AuthInfo {
  return { token: '', clientId: principal.userId, scopes: [...principal.scopes], extra: { principal } };
}

/** Over HTTP whoever the door let in; over stdio the person whose process this is. */
export function principalOf({ http }: ServerContext): Principal {
  if (http === undefined) return localPrincipal;
  const principal = http.authInfo?.extra?.principal as Principal | undefined;
  if (principal === undefined) throw new Error('an MCP request arrived over HTTP without a caller');
  return principal;
}
