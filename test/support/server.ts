import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serve } from '../../src/app/serve.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { configIn } from './service.js';

export type TestServer = Awaited<ReturnType<typeof startServer>>;

/** The real server on a free port of this machine. */
export async function startServer(overrides: ConfigInput = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-server-'));
  const api = { port: 0, ...overrides.api };
  const observability = { log_level: 'error', log_format: 'json', ...overrides.observability } as const;
  const serving = await serve(await configIn(folder, { ...overrides, api, observability }));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= serving.close();
    return closing;
  };
  return {
    folder,
    url: serving.url,
    close,
    async remove(): Promise<void> {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
    logText: () => readFile(join(folder, 'logs', 'threadkeep.log'), 'utf8'),
    post: (path: string, body: unknown): Promise<Response> =>
      fetch(`${serving.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

/** The same, closed and removed when the test ends. */
export async function aServer(overrides: ConfigInput = {}): Promise<TestServer> {
  const server = await startServer(overrides);
  onTestFinished(server.remove);
  return server;
}

/** A connection to speak HTTP by hand, for what a well-behaved client cannot do. */
export async function dial(url: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (part: Buffer) => {
    received += part.toString('latin1');
  });
  // A server that has answered may close while we still write; the answer is what counts.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  onTestFinished(() => {
    socket.destroy();
  });
  return {
    socket,
    closed,
    send: (...parts: string[]): boolean => socket.write(parts.join('')),
    received: () => received,
    /** The status of the first answer; 0 while there is none. */
    status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0),
    body: () => received.slice(received.indexOf('\r\n\r\n') + 4),
  };
}

/** The head of a POST of JSON, for `dial`. */
export function postHead(path: string, ...headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json', ...headers, '', ''].join(
    '\r\n',
  );
}
