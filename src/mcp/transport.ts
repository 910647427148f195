import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Observer } from '../observability/observer.js';
import { sessionVersions } from './server.js';

export interface StdioParts {
  createServer: () => Server;
  observer: Observer;
  maxMessageBytes: number;
  input: Readable;
  output: Writable;
}

/**
 * Serves both protocol eras over one pair of streams; the first message decides which. Only the protocol is written to
 * the output.
 */
export function serveOverStdio(parts: StdioParts): StdioServerHandle {
  const { createServer, observer, maxMessageBytes, input, output } = parts;
  let server: Server | undefined;
  const open = (): Server => {
    server = createServer();
    return server;
  };
  const hasSessions = (): boolean => sessionVersions.includes(server?.getNegotiatedProtocolVersion() ?? '');
  const streams = new StdioServerTransport(input, output, { maxBufferSize: maxMessageBytes });
  return serveStdio(open, {
    transport: withResourceCode(streams, hasSessions),
    onerror: (error) => observer.log('debug', 'mcp_message_refused', { reason: error.name }),
  });
}

/** Counts answers in progress, so that shutdown and session expiry wait for them. */
export function createExchanges() {
  let open = 0;
  let waiting: (() => void)[] = [];

  function ended(): void {
    open -= 1;
    if (open > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    begin(): () => void {
      open += 1;
      return once(ended);
    },

    /** Resolves when no answer is in progress. */
    idle(): Promise<void> {
      return open === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** Calls back once when the body is fully sent or the client has disconnected; `left` only in the second case. */
export function whenSent(response: Response, callBack: () => void, left: () => void = () => {}): Response {
  const done = once(callBack);
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done: isEnd } = await reader.read();
        if (!isEnd) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      done();
    },
    cancel(reason) {
      left();
      done();
      return reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

function once(run: () => void): () => void {
  let ran = false;
  return () => {
    if (ran) return;
    ran = true;
    run();
  };
}

/** The error code for a missing resource in the revisions with sessions; the stateless one uses -32602. */
const resourceNotFound = -32002;
const invalidParams = -32602;

/**
 * Gives a missing resource the error code of the negotiated revision. The SDK always writes the newest revision's code,
 * so the outgoing answer is changed.
 */
export function withResourceCode<Sent extends Transport>(transport: Sent, hasSessions: () => boolean): Sent {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(hasSessions() ? inSessionTerms(message) : message, options);
  return transport;
}

function inSessionTerms(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== invalidParams) return message;
  const { data } = message.error;
  // The SDK marks a missing resource by data that contains only its URI.
  const isMissing = typeof data === 'object' && data !== null && Object.keys(data).join() === 'uri';
  return isMissing ? { ...message, error: { ...message.error, code: resourceNotFound } } : message;
}
