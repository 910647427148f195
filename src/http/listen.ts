import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

export async function listen(app: Pick<Hono, 'fetch'>, address: { host: string; port: number }): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(explain(cause, address)));
    server.listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { url: `http://${host}:${port}`, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), patience);
    force.unref();
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
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
