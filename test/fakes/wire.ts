import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface WireRequest {
  method: string;
  /** Decoded segments of the path. */
  path: string[];
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  text: string;
  /** The body as JSON, where it is any. */
  body: unknown;
}

export interface WireAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** It changed something: what `failSoon` breaks. */
  wrote?: boolean;
}

export interface Wire {
  url: string;
  port: number;
  /** What the stand-in found wrong with a request; a test ends by expecting none. */
  complaints: string[];
  /** The next write is carried out and answered with a failure, as when a connection breaks. */
  failSoon(): void;
  stop(): Promise<void>;
}

/** An HTTP service that answers as `handle` says. Whatever `handle` throws is a complaint about the request. */
export async function serveWire(handle: (request: WireRequest) => WireAnswer): Promise<Wire> {
  const complaints: string[] = [];
  let failing = false;
  const server = createServer(async (incoming, outgoing) => {
    const text = await textOf(incoming);
    const address = new URL(incoming.url ?? '/', 'http://wire');
    const path = address.pathname.split('/').slice(1).map(decodeURIComponent);
    const { method = '', headers } = incoming;
    let answer: WireAnswer;
    try {
      answer = handle({ method, path, query: address.searchParams, headers, text, body: jsonOf(text) });
    } catch (error) {
      complaints.push(`${method} ${address.pathname}: ${String(error)}`);
      answer = { status: 422, body: { error: 'the stand-in does not know this request' } };
    }
    if (failing && answer.wrote === true) {
      failing = false;
      answer = { status: 400, body: { error: 'broken on purpose' } };
    }
    outgoing.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    outgoing.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
  });
  // On a busy machine a client may pause for longer than the default of 5 s, and write to a connection that is being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    complaints,
    failSoon() {
      failing = true;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  return (incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, or nothing: the handler looks at the text.
    return undefined;
  }
}
