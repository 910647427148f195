import { rpcCodes, rpcError } from './rpc-response.js';
import { statelessVersions } from './server.js';

/** What a client can read. Without the header, or with a star, anything goes. */
export function accepts({ headers }: Request): { json: boolean; stream: boolean } {
  const accepted = headers.get('accept')?.toLowerCase() ?? '*/*';
  const anything = accepted.includes('*/*');
  return {
    json: anything || accepted.includes('application/json') || accepted.includes('application/*'),
    stream: anything || accepted.includes('text/event-stream') || accepted.includes('text/*'),
  };
}

/** The same request for the SDK's transport: its body is read already, and what the client accepts is looked at here. */
export function withoutBody({ url, method, headers }: Request): Request {
  const copied = new Headers(headers);
  copied.set('accept', method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream');
  return new Request(url, { method, headers: copied });
}

export function idOf(message: Record<string, unknown> | undefined): string | number | null {
  const id = message?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The stateless era knows no sessions, so its clients are told that there is no such method rather than what is missing. */
export function missingSession(request: Request, id: string | number | null): Response {
  const stateless = statelessVersions.includes(request.headers.get('mcp-protocol-version') ?? '');
  if (stateless && request.method !== 'POST') return notAllowed('POST');
  const message = 'Missing session ID: send initialize first, then its Mcp-Session-Id header with every request';
  return rpcError(400, rpcCodes.invalidRequest, message, { id });
}

export function notAllowed(allow: string): Response {
  return rpcError(405, rpcCodes.refused, `Use ${allow} here`, { headers: { allow } });
}
