import { Worker } from 'node:worker_threads';
import { MemoryError, StartupError } from '../../model/errors.js';
import { linkAbort } from '../request.js';
import type { Reply, Request } from './serve.js';

interface EmbeddingWorker<Ready> {
  /** Starts the thread if it is not running. Throws `StartupError` when the model cannot be opened. */
  open(): Promise<Ready>;
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** A pending call. */
interface Call {
  next(): { texts: string[]; take: (vectors: Float32Array) => void } | undefined;
  finish: () => void;
  fail: (error: unknown) => void;
}

/**
 * Runs a model in a worker thread. Calls are interleaved in portions, so that a question does not wait for a large
 * import. The thread keeps the process alive only while it has work. If it dies, its pending calls fail and the next
 * call starts another thread.
 */
export function createEmbeddingWorker<Data, Ready>(options: {
  entry: URL;
  data: Data;
  portion: PortionSize;
  /** Ends the thread after this idle time; absent: it stays, because the model takes long to open. */
  idleMs?: number;
}): EmbeddingWorker<Ready> {
  let idle: NodeJS.Timeout | undefined;
  let running: ReturnType<typeof startThread<Ready>> | undefined;
  let isClosed = false;
  const calls: Call[] = [];
  let isBusy = false;

  function thread() {
    if (isClosed) throw new MemoryError('embedding_unavailable', 'The embedding model is closed.');
    clearTimeout(idle);
    if (running === undefined || running.isOver()) running = startThread<Ready>(options.entry, options.data);
    return running;
  }

  /** The next call starts another thread at once, even while this one is ending. */
  function retire(): void {
    const ended = running;
    running = undefined;
    void ended?.end();
  }

  /** Sends one portion at a time: the thread is sequential anyway, and a newer call may take the next slot. */
  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let call = calls.shift(); call !== undefined; call = calls.shift()) {
      const portion = call.next();
      if (portion === undefined) {
        call.finish();
        continue;
      }
      try {
        portion.take(await thread().ask(portion.texts));
        calls.push(call);
      } catch (error) {
        call.fail(error);
      }
    }
    isBusy = false;
    if (options.idleMs !== undefined) idle = setTimeout(retire, options.idleMs).unref();
  }

  return {
    open: async () => thread().ready,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      thread();
      const wanted = portionsOf(texts, options.portion);
      const abort = linkAbort([signal]);
      try {
        await new Promise<void>((finish, fail) => {
          const next = () => (abort.signal.aborted ? undefined : wanted.next());
          const call = { next, finish, fail };
          abort.signal.addEventListener('abort', () => {
            // An aborted call leaves the queue at once, even while the thread is busy.
            if (calls.includes(call)) calls.splice(calls.indexOf(call), 1);
            fail(abort.signal.reason);
          });
          calls.push(call);
          void work();
        });
        return wanted.vectors;
      } finally {
        abort.release();
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await running?.end();
    },
  };
}

/** Iterates over the texts in portions and stores each vector at the index of its text. */
function portionsOf(texts: readonly string[], size: PortionSize) {
  const vectors: Float32Array[] = Array(texts.length);
  const rest = portions(texts, size);
  return {
    vectors,
    next(): ReturnType<Call['next']> {
      const { value: positions } = rest.next();
      if (positions === undefined) return undefined;
      const take = (joined: Float32Array) => {
        const dimension = joined.length / positions.length;
        for (const [place, position] of positions.entries()) {
          vectors[position] = joined.subarray(place * dimension, (place + 1) * dimension);
        }
      };
      return { texts: positions.map((position) => texts[position] ?? ''), take };
    },
  };
}

function startThread<Ready>(entry: URL, data: unknown) {
  const worker = new Worker(entry, { workerData: data });
  const asked = new Map<number, { resolve: (vectors: Float32Array) => void; reject: (error: unknown) => void }>();
  let isOver = false;
  let next = 0;
  let settle: { resolve: (ready: Ready) => void; reject: (error: unknown) => void };
  const ready = new Promise<Ready>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Pending calls receive the failure; this handler only prevents an unhandled rejection.
  ready.catch(() => undefined);

  function end(error: unknown): void {
    isOver = true;
    settle.reject(error);
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  }

  worker.on('message', (reply: Reply<Ready>) => {
    switch (reply.kind) {
      case 'ready':
        if (asked.size === 0) worker.unref();
        return settle.resolve(reply.ready);
      case 'refused': {
        const { code, message, hint, cause } = reply;
        return end(new StartupError(code, message, { ...(hint === undefined ? {} : { hint }), cause }));
      }
      case 'vectors':
      case 'failed': {
        const waiting = asked.get(reply.id);
        asked.delete(reply.id);
        if (asked.size === 0) worker.unref();
        return reply.kind === 'vectors' ? waiting?.resolve(reply.vectors) : waiting?.reject(broken(reply.cause));
      }
      default:
        return reply satisfies never;
    }
  });
  worker.on('error', (error) => end(broken(error)));
  worker.on('exit', () => end(broken('the thread ended')));

  return {
    ready,
    isOver: () => isOver,
    async ask(texts: string[]): Promise<Float32Array> {
      await ready;
      if (isOver) throw broken('the thread ended');
      return new Promise((resolve, reject) => {
        const request: Request = { id: next++, texts };
        asked.set(request.id, { resolve, reject });
        worker.ref();
        worker.postMessage(request);
      });
    },
    async end() {
      await worker.terminate();
    },
  };
}

function broken(cause: unknown): MemoryError {
  return new MemoryError('embedding_unavailable', 'The embedding model failed: see the log for the cause.', { cause });
}

/** The maximum size of one message to the worker. */
interface PortionSize {
  texts: number;
  characters: number;
  /** A model that reads only the beginning of a text takes no longer for the rest. */
  charactersRead: number;
}

/** Sorting more texts at once would block the event loop. */
const sortedTogether = 2_000;

/**
 * Groups the indexes of the texts into portions, lazily. Texts of similar length are grouped to reduce padding; a call
 * with one short text waits for at most one portion of another call.
 */
export function* portions(texts: readonly string[], size: PortionSize): Generator<number[], void, void> {
  const lengthOf = (position: number) => Math.min(texts[position]?.length ?? 0, size.charactersRead);
  for (let begin = 0; begin < texts.length; begin += sortedTogether) {
    const count = Math.min(sortedTogether, texts.length - begin);
    const order = Array.from({ length: count }, (_, place) => begin + place);
    order.sort((one, other) => lengthOf(one) - lengthOf(other));
    let portion: number[] = [];
    let characters = 0;
    for (const position of order) {
      const length = lengthOf(position);
      if (portion.length > 0 && (portion.length >= size.texts || characters + length > size.characters)) {
        yield portion;
        portion = [];
        characters = 0;
      }
      portion.push(position);
      characters += length;
    }
    yield portion;
  }
}

/** Throws `StartupError` when a thread that starts later finds different files than the embedder was opened with. */
export function checkUnchanged(opened: string, found: string): void {
  if (opened === found) return;
  throw new StartupError('reindex_required', 'The files of the embedding model changed while the service runs.', {
    hint: 'Restart the service and follow its instructions.',
  });
}

/** Throws `StartupError` when the configured dimension differs from the model's. */
export function checkDimension(model: string, { configured, actual }: { configured: number; actual: number }): void {
  if (configured === actual) return;
  throw new StartupError('config_invalid', `The model ${model} has ${actual} dimensions.`, {
    hint: `Set providers.embedding_dimension to ${actual}.`,
  });
}
