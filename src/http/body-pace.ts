import type { IncomingMessage } from 'node:http';
import { MemoryError } from '../model/errors.js';
import type { RouteContext } from './admission.js';

/** What is read of a request of Node.js. */
export type Incoming = Pick<IncomingMessage, 'complete' | 'readableLength'> & {
  socket: Pick<IncomingMessage['socket'], 'bytesRead'>;
};

/** Slower than any network in use. */
const leastBytesPerSecond = 10_000;

/**
 * Handles a request without a token, for a service that asks for none, and gives up when its body stalls: otherwise
 * idle connections would hold every place until Node's limit, which is long enough for a large import. A short body must
 * arrive within `milliseconds`, a longer one at a steady pace. On time-out the connection is closed after the answer.
 */
export async function atPace(
  context: Pick<RouteContext, 'env' | 'header'>,
  milliseconds: number,
  handle: () => Response | Promise<Response>,
): Promise<Response> {
  const { incoming } = (context.env ?? {}) as { incoming?: Incoming };
  if (incoming === undefined || incoming.complete) return handle();
  const answer = Promise.resolve(handle());
  // It rejects when the connection ends, and by then the result is no longer used.
  answer.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    let received = incoming.socket.bytesRead;
    const look = (): void => {
      if (incoming.complete) clearInterval(timer);
      const arrived = incoming.socket.bytesRead - received;
      received += arrived;
      // Bytes that wait to be read are our delay, not the client's.
      const isLate = arrived < (leastBytesPerSecond * milliseconds) / 1_000 && incoming.readableLength === 0;
      if (incoming.complete || !isLate) return;
      context.header('connection', 'close');
      const seconds = milliseconds / 1_000;
      reject(new MemoryError('invalid_input', `The body stalled for ${seconds} seconds; send it again`));
    };
    // What arrived while the process was busy is read before it is counted.
    timer = setInterval(() => setImmediate(look), milliseconds);
  });
  try {
    return await Promise.race([answer, stalled]);
  } finally {
    clearInterval(timer);
  }
}
