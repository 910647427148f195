import { setTimeout as delay } from 'node:timers/promises';
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  readRequestBody,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { localPrincipal } from '../auth/access.js';
import type { Principal } from '../model/access.js';
import { isObject } from '../model/json.js';
import type { Observer } from '../observability/observer.js';
import { statelessVersions } from './server.js';
import { createSeenClients, createSessions, type SeenClient, type Session } from './sessions.js';
import { createExchanges, whenSent } from './transport.js';

export interface McpEndpoint {
  /** Handles one HTTP request to `/mcp` for the authenticated caller. */
  fetch(request: Request, caller: Caller): Promise<Response>;
  /** The programs that have used it for this user since the server started, the latest first. */
  seenFor(userId: string): SeenClient[];
  /** Ends waiting streams, lets calls finish, then ends every session. */
  close(): Promise<void>;
}

interface EndpointParts {
  createServer: () => Server;
  settings: { maxSessions: number; maxSessionsPerUser: number; sessionIdleMs: number; maxBodyBytes: number };
  observer: Observer;
  now: () => number;
}

/** How long shutdown waits for calls that do not end. */
const patience = 10_000;

type Message = Record<string, unknown>;

/**
 * Streamable HTTP for both protocol eras at one address: requests with their own `_meta` envelope are answered
 * statelessly, all others belong to a session. The SDK handles the protocol; session ownership, session limits and body
 * size are handled here.
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
    const leaving = disconnectSignal(request);
    const given: McpHandlerRequestOptions = { parsedBody: message, authInfo: authInfoOf(caller, leaving.signal) };
    seen.note(userOf(caller), message);
    // A subscription lasts until the client disconnects, so shutdown does not wait for it.
    if (message.method === 'subscriptions/listen') return handler.fetch(request, given);
    const done = exchanges.begin();
    try {
      const answer = await handler.fetch(request, given);
      return whenSent(accepts(request).stream ? await asStream(answer) : answer, done, leaving.left);
    } catch (error) {
      done();
      throw error;
    }
  }

  async function inSession(session: Session, request: Request, caller: Caller, message?: Message): Promise<Response> {
    const id = message?.method === undefined ? null : idOf(message);
    // Answers are matched by request id: if two requests shared one, the first would never be answered.
    if (id !== null && session.answering.has(id)) {
      return rpcError(400, rpcCodes.invalidRequest, 'A request with this id is still being answered', { id });
    }
    if (id !== null) session.answering.add(id);
    const free = sessions.use(session);
    const done = message === undefined ? () => {} : exchanges.begin();
    const leaving = disconnectSignal(request);
    const authInfo = authInfoOf(caller, leaving.signal);
    const given = { authInfo, ...(message === undefined ? {} : { parsedBody: message }) };
    const end = (): void => {
      if (id !== null) session.answering.delete(id);
      free();
      done();
    };
    try {
      return whenSent(await session.transport.handleRequest(withoutBody(request), given), end, leaving.left);
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
        'Too many sessions are active (mcp.max_sessions, mcp.max_sessions_per_user)',
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
    // Also for another caller's session, so as not to reveal that it exists.
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

/** The caller of a request, as authenticated by the HTTP adapter; the token id is present only with a token. */
export interface Caller {
  principal: Principal;
  tokenId?: string;
}

/** Callers with the same key may use the same session. */
function ownerKey({ principal, tokenId = '' }: Caller): string {
  return `${principal.userId}\n${tokenId}`;
}

/** The user whose sessions are counted together, across all their tokens. */
function userOf({ principal }: Caller): string {
  return principal.userId;
}

/** Passed through the SDK to the handlers. The token itself is left out: nothing behind the adapter needs it. */
function authInfoOf({ principal }: Caller, gone: AbortSignal): AuthInfo {
  return { token: '', clientId: principal.userId, scopes: [...principal.scopes], extra: { principal, gone } };
}

/**
 * Aborts when the client closes the connection before it has its answer. Answers are not kept for a client that
 * reconnects, so there is no point in finishing the work.
 */
function disconnectSignal(request: Request): { signal: AbortSignal; left: () => void } {
  const leaving = new AbortController();
  return { signal: AbortSignal.any([request.signal, leaving.signal]), left: () => leaving.abort() };
}

/** Aborts when the client cancels a request or is gone. */
export function givenUp({ mcpReq, http }: ServerContext): AbortSignal {
  const gone = http?.authInfo?.extra?.gone;
  return gone instanceof AbortSignal ? AbortSignal.any([mcpReq.signal, gone]) : mcpReq.signal;
}

/** Over HTTP the authenticated caller; over stdio the user who runs the process. */
export function principalOf({ http }: ServerContext): Principal {
  if (http === undefined) return localPrincipal;
  const principal = http.authInfo?.extra?.principal as Principal | undefined;
  if (principal === undefined) throw new Error('an MCP request arrived over HTTP without a caller');
  return principal;
}

/** JSON-RPC error codes used before a method is looked at. */
const rpcCodes = { parseError: -32_700, invalidRequest: -32_600, invalidParams: -32_602, refused: -32_000 };

/** A transport error: an HTTP status with a JSON-RPC error that belongs to no request. */
function rpcError(
  status: number,
  code: number,
  message: string,
  { id = null, headers = {} }: { id?: string | number | null; headers?: Record<string, string> } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers });
}

/** Reads one JSON-RPC message, or returns the error response. */
async function readMessage(request: Request, maxBytes: number): Promise<Record<string, unknown> | Response> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return rpcError(415, rpcCodes.refused, 'Send JSON with the header Content-Type: application/json');
  }
  let body: Awaited<ReturnType<typeof readRequestBody>>;
  try {
    body = await readRequestBody(request, maxBytes);
  } catch {
    // The client disconnected and will not see this answer.
    return rpcError(400, rpcCodes.parseError, 'The body was not received completely');
  }
  if (body.tooLarge) {
    // The rest of the body is not read, so the connection cannot be reused.
    const headers = { connection: 'close' };
    return rpcError(413, rpcCodes.refused, `The body is larger than ${maxBytes} bytes`, { headers });
  }
  let message: unknown;
  try {
    message = JSON.parse(body.text);
  } catch {
    // The parser's own message quotes the text around the error, which may be private.
    return rpcError(400, rpcCodes.parseError, 'The body is not valid JSON');
  }
  if (Array.isArray(message))
    return rpcError(400, rpcCodes.invalidRequest, 'Send one message per request, not a batch');
  const isMessage = isObject(message) && message.jsonrpc === '2.0';
  return isMessage ? (message as Record<string, unknown>) : rpcError(400, rpcCodes.invalidRequest, notAMessage);
}

const notAMessage = 'The body is not a JSON-RPC 2.0 message';

/** The formats a client accepts. Without the header, or with `*`, all of them. */
function accepts({ headers }: Request): { json: boolean; stream: boolean } {
  const accepted = headers.get('accept')?.toLowerCase() ?? '*/*';
  const anything = accepted.includes('*/*');
  return {
    json: anything || accepted.includes('application/json') || accepted.includes('application/*'),
    stream: anything || accepted.includes('text/event-stream') || accepted.includes('text/*'),
  };
}

/** The same request for the SDK's transport: the body is already read, and the Accept header is handled here. */
function withoutBody({ url, method, headers }: Request): Request {
  const copied = new Headers(headers);
  copied.set('accept', method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream');
  return new Request(url, { method, headers: copied });
}

function idOf(message: Record<string, unknown> | undefined): string | number | null {
  const id = message?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The stateless era has no sessions, so its clients get "method not found" instead of a missing-session error. */
function missingSession(request: Request, id: string | number | null): Response {
  const stateless = statelessVersions.includes(request.headers.get('mcp-protocol-version') ?? '');
  if (stateless && request.method !== 'POST') return notAllowed('POST');
  const message = 'Missing session ID: send initialize first, then its Mcp-Session-Id header with every request';
  return rpcError(400, rpcCodes.invalidRequest, message, { id });
}

function notAllowed(allow: string): Response {
  return rpcError(405, rpcCodes.refused, `Use ${allow} here`, { headers: { allow } });
}

/** Converts an event stream into the one JSON answer it contains, for a client that accepts only JSON. */
async function asJson(response: Response): Promise<Response> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return new Response(answerIn(await response.text()), { status: response.status, headers });
}

/** Drops notifications before the answer: a single JSON body has no place for them. */
function answerIn(events: string): string | null {
  const messages = events
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
  return messages.find((text) => isAnswer(JSON.parse(text))) ?? null;
}

function isAnswer(message: unknown): boolean {
  return isObject(message) && ('result' in message || 'error' in message);
}

/** Converts JSON into an event stream, for a client that accepts only streams. An error keeps its status and body. */
async function asStream(response: Response): Promise<Response> {
  if (response.status !== 200 || response.headers.get('content-type') !== 'application/json') return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/event-stream');
  headers.set('cache-control', 'no-cache, no-transform');
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, { headers });
}
