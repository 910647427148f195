import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Observer } from '../observability/observer.js';
import { withResourceCode } from './resource-code.js';
import { sessionVersions } from './server.js';

export interface StdioParts {
  createServer: () => Server;
  observer: Observer;
  maxMessageBytes: number;
  input: Readable;
  output: Writable;
}

/** Both eras over one pair of streams; the first message decides which. The output carries the protocol and nothing else. */
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
