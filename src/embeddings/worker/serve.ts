import { parentPort, workerData } from 'node:worker_threads';
import { type StartupCode, StartupError } from '../../model/errors.js';

/** Runs in the worker thread: opens the model, then handles requests one by one. */
export async function serveEmbeddings<Data, Ready>(
  open: (data: Data) => Promise<{ ready: Ready; embed: (texts: string[]) => Promise<Float32Array[]> }>,
): Promise<void> {
  if (parentPort === null) throw new Error('an embedding worker runs in a thread of its own');
  const port = parentPort;
  const say = (reply: Reply<Ready>, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer);
  try {
    const { ready, embed } = await open(workerData as Data);
    port.on('message', ({ id, texts }: Request) => {
      embed(texts)
        .then((vectors) => {
          const joined = join(vectors);
          say({ kind: 'vectors', id, vectors: joined }, [joined.buffer]);
        })
        .catch((error: unknown) => say({ kind: 'failed', id, cause: String(error) }));
    });
    say({ kind: 'ready', ready });
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const { code, message, hint, cause } = error;
    say({ kind: 'refused', code, message, hint, cause: String(cause ?? '') });
  }
}

function join(vectors: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const dimension = vectors[0]?.length ?? 0;
  const joined = new Float32Array(vectors.length * dimension);
  for (const [place, vector] of vectors.entries()) joined.set(vector, place * dimension);
  return joined;
}

/** To the worker: texts to embed. */
export interface Request {
  id: number;
  texts: string[];
}

/** From the worker: first whether it is ready, then one reply for each request. */
export type Reply<Ready> =
  | { kind: 'ready'; ready: Ready }
  | { kind: 'refused'; code: StartupCode; message: string; hint: string | undefined; cause: string }
  /** The vectors of the request, concatenated. */
  | { kind: 'vectors'; id: number; vectors: Float32Array }
  | { kind: 'failed'; id: number; cause: string };
