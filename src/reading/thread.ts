import { Worker } from 'node:worker_threads';
import { MemoryError } from '../model/errors.js';
import type { Reply, Request } from './protocol.js';

/** One thread with the reading model in it. */
export interface ReadingThread {
  /** Answers in the order of the requests. Fails when the thread ends before, or cannot do what is asked. */
  ask(request: Request): Promise<Reply>;
  close(): Promise<void>;
}

/**
 * A thread that is started by its first request. It keeps no idle process alive; when it dies, what it was asked fails
 * and the next request starts another.
 */
export function openThread(path: string): ReadingThread {
  interface Waiting {
    settle: (reply: Reply) => void;
    fail: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let thread: Worker | undefined;

  function started(): Worker {
    if (thread !== undefined) return thread;
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: path });
    worker.on('message', (reply: Reply) => {
      const first = waiting.shift();
      if (waiting.length === 0) worker.unref();
      if (reply.kind === 'failed') first?.fail(unavailable());
      else first?.settle(reply);
    });
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (thread === worker) thread = undefined;
      const left = waiting;
      waiting = [];
      for (const { fail } of left) fail(unavailable());
    });
    thread = worker;
    return worker;
  }

  return {
    ask(request) {
      return new Promise((settle, fail) => {
        waiting.push({ settle, fail });
        const worker = started();
        // A process does not end while it waits for an answer.
        worker.ref();
        worker.postMessage(request);
      });
    },
    async close() {
      await thread?.terminate();
    },
  };
}

export function unavailable(): MemoryError {
  return new MemoryError('internal_error', 'The reading model stopped before it answered.');
}
