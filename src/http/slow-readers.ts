import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Cuts off clients that ask and do not read: an answer that waits to be taken holds memory and a place in the store.
 * Only where something waits: a stream without news may stay quiet for as long as it likes.
 */
export function cutOffSlowReaders(server: Server, timeout: number): void {
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
