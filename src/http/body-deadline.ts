import { MemoryError } from '../model/errors.js';
import type { Request } from './route.js';

/**
 * A body of somebody who has shown no token, given up when it does not come in time: Node's own limit is long enough for
 * a large import. The connection ends with the answer, because the rest of the body could follow at any time.
 */
export async function inTime<Body>(context: Request, given: Promise<Body>): Promise<Body> {
  const reading = given.catch(notWhole);
  const milliseconds = context.get('bodyTimeoutMs');
  if (milliseconds === undefined) return reading;
  // It fails when the connection ends, and nobody waits for it any more.
  reading.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      context.header('connection', 'close');
      const seconds = milliseconds / 1_000;
      reject(new MemoryError('invalid_input', `The body was not received within ${seconds} seconds; send it again`));
    }, milliseconds);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The client hung up: nobody reads this answer, and it is no fault of ours to report. */
function notWhole(cause: unknown): never {
  if (cause instanceof MemoryError) throw cause;
  throw new MemoryError('invalid_input', 'The body was not received whole', { cause });
}
