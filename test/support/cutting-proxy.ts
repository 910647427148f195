import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CuttingProxy {
  port: number;
  /** Ends every connection at once, as a server that dies does, and takes no new ones. */
  cut(): Promise<void>;
  /** Takes connections and passes nothing on, as a network that loses everything does. */
  stall(): void;
  /** Works again; what was held back goes on. */
  restore(): Promise<void>;
  connections(): number;
}

/** A TCP proxy in front of a real server, in the hands of a test. Closed when the test ends. */
export async function aCuttingProxy(target: { port: number }): Promise<CuttingProxy> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let stalled = false;
  const server = createServer((near) => {
    const far = connect(target.port, '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.pipe(far);
    far.pipe(near);
    if (stalled) hold(pair);
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const endAll = (): void => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    pairs.clear();
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      if (!server.listening) return resolve();
      server.close(() => resolve());
      endAll();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  onTestFinished(close);
  return {
    port,
    cut: close,
    stall() {
      stalled = true;
      for (const pair of pairs) hold(pair);
    },
    async restore() {
      stalled = false;
      for (const { near, far } of pairs) {
        near.pipe(far);
        far.pipe(near);
      }
      if (!server.listening) await listen(port);
    },
    connections: () => pairs.size,
  };
}

function hold({ near, far }: { near: Socket; far: Socket }): void {
  near.unpipe(far);
  far.unpipe(near);
  near.pause();
  far.pause();
}
