import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { StartupError } from '../model/errors.js';

export interface Listening {
  url: string;
  /** Accepts nothing new, finishes what was accepted, then resolves. */
  close(): Promise<void>;
}

/** How long a shutdown waits for requests that do not end. */
const patience = 30_000;

export interface ListenLimits {
  maxHeaderBytes: number;
  /** For the headers, and for the whole request with its body, in milliseconds. */
  headersTimeout: number;
  requestTimeout: number;
  /** How long a client may leave an answer lying without taking any of it. */
  responseTimeout: number;
  maxConnections: number;
}

export async function listen(
  app: Pick<Hono, 'fetch'>,
  address: { host: string; port: number },
  limits: ListenLimits,
): Promise<Listening> {
  const { maxHeaderBytes: maxHeaderSize, headersTimeout, requestTimeout, maxConnections } = limits;
  // A client that sends its request drop by drop is cut off; Node looks for such clients this often.
  const connectionsCheckingInterval = Math.min(1_000, headersTimeout);
  const serverOptions = { maxHeaderSize, headersTimeout, requestTimeout, connectionsCheckingInterval };
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
  server.maxConnections = maxConnections;
  server.maxHeadersCount = 200;
  // Longer than clients keep an idle connection: the one who ends it first must not be us, or a request meets its end.
  server.keepAliveTimeout = 75_000;
  const connections = trackConnections(server);
  cutOffSlowReaders(server, limits.responseTimeout);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(explain(cause, address)));
    server.listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { url: `http://${host}:${port}`, close: () => closeServer(server, connections) };
}

interface Connections {
  /** Ends those without an open request now, and each other one with its last answer. */
  windDown(): void;
}

/**
 * Node waits for connections that have asked nothing yet, as a browser opens them in advance, and for clients that keep
 * one for later: a shutdown would take seconds for nothing. So we count the open requests of each connection ourselves.
 */
function trackConnections(server: Server): Connections {
  const openRequests = new Map<Socket, number>();
  let windingDown = false;

  function change(socket: Socket, by: number): void {
    const before = openRequests.get(socket);
    if (before === undefined) return;
    openRequests.set(socket, before + by);
    if (windingDown && before + by === 0) socket.destroySoon();
  }

  server.on('connection', (socket) => {
    openRequests.set(socket, 0);
    socket.once('close', () => openRequests.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    change(socket, 1);
    response.once('close', () => change(socket, -1));
  });
  return {
    windDown() {
      windingDown = true;
      for (const socket of openRequests.keys()) change(socket, 0);
    },
  };
}

function closeServer(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), patience);
    force.unref();
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    connections.windDown();
  });
}

function explain(cause: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  if (cause.code === 'EADDRINUSE') {
    return new StartupError('address_in_use', `Port ${port} on ${host} is in use.`, {
      hint: `Another server may be running; choose another port, for example: npm start -- --port ${port + 1}`,
      cause,
    });
  }
  return new StartupError('address_in_use', `Cannot listen on ${host}:${port} (${cause.code ?? 'unknown reason'}).`, {
    hint: 'Check api.host and api.port, or --host and --port.',
    cause,
  });
}

/**
 * Cuts off clients that ask and do not read: an answer that waits to be taken holds memory and a place in the store.
 * Only where something waits: a stream without news may stay quiet for as long as it likes.
 */
function cutOffSlowReaders(server: Server, timeout: number): void {
  const waiting = new Map<Socket, { taken: number; since: number }>();
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      waiting.delete(socket);
    });
  });

  function look(): void {
    const now = performance.now();
    for (const socket of open) {
      // What has left this process; the rest of what was written still lies in our memory.
      const taken = socket.bytesWritten - socket.writableLength;
      const before = waiting.get(socket);
      if (socket.writableLength === 0) waiting.delete(socket);
      else if (before?.taken !== taken) waiting.set(socket, { taken, since: now });
      else if (now - before.since >= timeout) socket.destroy();
    }
  }

  const timer = setInterval(look, Math.min(1_000, timeout / 2)).unref();
  server.once('close', () => clearInterval(timer));
}
