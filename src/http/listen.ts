import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { StartupError } from '../model/errors.js';

export interface Listening {
  url: string;
  /** Stops accepting connections, finishes accepted requests, then resolves. */
  close(): Promise<void>;
}

/** How long shutdown waits for requests that do not end. */
const patience = 30_000;

export interface ListenLimits {
  maxHeaderBytes: number;
  /** Time limits for the headers and for the whole request with its body, in milliseconds. */
  headersTimeout: number;
  requestTimeout: number;
  /** How long a client may go without reading any of its answer. */
  responseTimeout: number;
  maxConnections: number;
}

export async function listen(
  app: Pick<Hono, 'fetch'>,
  address: { host: string; port: number },
  limits: ListenLimits,
): Promise<Listening> {
  const { maxHeaderBytes: maxHeaderSize, headersTimeout, requestTimeout, maxConnections } = limits;
  // How often Node looks for clients that send their request too slowly.
  const connectionsCheckingInterval = Math.min(1_000, headersTimeout);
  const serverOptions = { maxHeaderSize, headersTimeout, requestTimeout, connectionsCheckingInterval };
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
  server.maxConnections = maxConnections;
  server.maxHeadersCount = 200;
  // Longer than clients keep idle connections, so that the server does not close one just as a request arrives.
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
  /** Closes idle connections now and the others after their last answer. */
  windDown(): void;
}

/**
 * Counts the open requests of each connection. Node would wait for keep-alive connections and for those a browser
 * opened in advance, which delays shutdown by seconds.
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
 * Disconnects clients that do not read their answers, because unread answers hold memory and store resources. Applies
 * only while data is waiting, so an idle stream may stay open.
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
      // Bytes handed to the operating system; the rest is still in our memory.
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
