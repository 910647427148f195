import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server';
import { isObject } from '../model/json.js';
import { statelessVersions } from './server.js';

/** JSON-RPC error codes used before a method is looked at. */
export const rpcCodes = { parseError: -32_700, invalidRequest: -32_600, invalidParams: -32_602, refused: -32_000 };

/** A transport error: an HTTP status with a JSON-RPC error that belongs to no request. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  { id = null, headers = {} }: { id?: string | number | null; headers?: Record<string, string> } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers });
}

/** Reads one JSON-RPC message, or returns the error response. */
export async function readMessage(request: Request, maxBytes: number): Promise<Record<string, unknown> | Response> {
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
export function accepts({ headers }: Request): { json: boolean; stream: boolean } {
  const accepted = headers.get('accept')?.toLowerCase() ?? '*/*';
  const anything = accepted.includes('*/*');
  return {
    json: anything || accepted.includes('application/json') || accepted.includes('application/*'),
    stream: anything || accepted.includes('text/event-stream') || accepted.includes('text/*'),
  };
}

/** The same request for the SDK's transport: the body is already read, and the Accept header is handled here. */
export function withoutBody({ url, method, headers }: Request): Request {
  const copied = new Headers(headers);
  copied.set('accept', method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream');
  return new Request(url, { method, headers: copied });
}

export function idOf(message: Record<string, unknown> | undefined): string | number | null {
  const id = message?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The stateless era has no sessions, so its clients get "method not found" instead of a missing-session error. */
export function missingSession(request: Request, id: string | number | null): Response {
  const stateless = statelessVersions.includes(request.headers.get('mcp-protocol-version') ?? '');
  if (stateless && request.method !== 'POST') return notAllowed('POST');
  const message = 'Missing session ID: send initialize first, then its Mcp-Session-Id header with every request';
  return rpcError(400, rpcCodes.invalidRequest, message, { id });
}

export function notAllowed(allow: string): Response {
  return rpcError(405, rpcCodes.refused, `Use ${allow} here`, { headers: { allow } });
}

/** Converts an event stream into the one JSON answer it contains, for a client that accepts only JSON. */
export async function asJson(response: Response): Promise<Response> {
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
export async function asStream(response: Response): Promise<Response> {
  if (response.status !== 200 || response.headers.get('content-type') !== 'application/json') return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/event-stream');
  headers.set('cache-control', 'no-cache, no-transform');
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, { headers });
}
