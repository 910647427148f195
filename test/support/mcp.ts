import type { Answer, Body } from './service.js';

/** A service without a socket, or a server behind `fetch`. */
export interface Reachable {
  app: { request(path: string, init?: RequestInit): Response | Promise<Response> };
}

export const json = { 'content-type': 'application/json' };
export const both = { ...json, accept: 'application/json, text/event-stream' };

/** The `_meta` that every request of the stateless era carries. */
export const stateless = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const opening = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

/** One message to `/mcp`, the answer read from its `data:` line or its JSON. */
export async function post(
  service: Reachable,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const response = await service.app.request('/mcp', { method: 'POST', headers: { ...both, ...headers }, body });
  const text = await response.text();
  // Only a line feed ends a line of a stream; JSON may hold other separators as they are.
  const data =
    text
      .split('\n')
      .find((line) => line.startsWith('data: '))
      ?.slice('data: '.length) ?? text;
  return { status: response.status, headers: response.headers, body: data === '' ? {} : JSON.parse(data) };
}

/** A session as a client without any comfort keeps it: it never sends `notifications/initialized`. */
export async function aSession(service: Reachable, params: Body = opening) {
  const opened = await post(service, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const id = opened.headers.get('mcp-session-id') ?? '';
  let next = 1;
  const request = async (method: string, given: Body = {}): Promise<Body> => {
    const message = { jsonrpc: '2.0', id: next++, method, params: given };
    return (await post(service, message, { 'mcp-session-id': id })).body;
  };
  return {
    id,
    opened: opened.body,
    /** The whole JSON-RPC answer. */
    request,
    /** The result, or the test fails. */
    async result(method: string, given: Body = {}): Promise<Body> {
      const answer = await request(method, given);
      if (answer.result === undefined) throw new Error(`${method} answered ${JSON.stringify(answer.error)}`);
      return answer.result as Body;
    },
    /** The envelope of a tool. */
    async call(name: string, given: Body = {}): Promise<Body> {
      const { result } = (await request('tools/call', { name, arguments: given })) as { result: Body };
      return result.structuredContent as Body;
    },
  };
}

/** A request of the stateless era with the headers that repeat it. */
export function postStateless(
  service: Reachable,
  method: string,
  params: Body = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const name = typeof params.name === 'string' ? params.name : params.uri;
  return post(
    service,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: stateless } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
  );
}
