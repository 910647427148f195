import { Worker } from 'node:worker_threads';
import { MemoryError } from '../model/errors.js';
import type { Reader } from './contract.js';
import type { Reply, Request } from './protocol.js';

/** A request that waits for the thread. */
interface Job {
  request: Request;
  settle: (reply: Reply) => void;
  fail: (error: unknown) => void;
}

/**
 * The reading model in a thread of its own, started by the first request. The thread gets one request at a time, so that
 * a question goes before the messages that wait to be tagged. It keeps no idle process alive; when it dies, its request
 * fails and the next one starts another.
 */
export function openReader(path: string): Reader {
  const questions: Job[] = [];
  const messages: Job[] = [];
  let thread: Worker | undefined;
  let current: Job | undefined;
  let isClosed = false;

  function started(): Worker {
    if (thread !== undefined) return thread;
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: path });
    worker.on('message', (reply: Reply) => {
      const job = current;
      current = undefined;
      job?.settle(reply);
      next();
    });
    const ended = (): void => {
      if (thread === worker) thread = undefined;
      const job = current;
      current = undefined;
      job?.fail(unavailable());
      if (!isClosed) next();
    };
    worker.on('error', () => undefined);
    worker.on('exit', ended);
    worker.unref();
    thread = worker;
    return worker;
  }

  function next(): void {
    if (current !== undefined) return;
    current = questions.shift() ?? messages.shift();
    if (current === undefined) {
      thread?.unref();
      return;
    }
    const worker = started();
    // A process does not end while it waits for an answer.
    worker.ref();
    worker.postMessage(current.request);
  }

  function ask(queue: Job[], request: Request, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    if (isClosed) throw unavailable();
    return new Promise((settle, fail) => {
      const job = { request, settle, fail };
      const abort = (): void => {
        const at = queue.indexOf(job);
        if (at >= 0) queue.splice(at, 1);
        fail(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(job);
      next();
    });
  }

  return {
    async read(question, windows, { signal } = {}) {
      if (windows.length === 0) return [];
      const reply = await ask(questions, { kind: 'read', question, windows }, signal);
      if (reply.kind !== 'read') throw unavailable();
      return reply.readings;
    },
    async rank(question, windows, { signal } = {}) {
      if (windows.length === 0) return [];
      const reply = await ask(questions, { kind: 'rank', question, windows }, signal);
      if (reply.kind !== 'rank') throw unavailable();
      return reply.scores;
    },
    async tag(message, before) {
      const reply = await ask(messages, { kind: 'tag', message, before });
      if (reply.kind !== 'tag') throw unavailable();
      return reply.facts;
    },
    async close() {
      isClosed = true;
      for (const { fail } of [...questions.splice(0), ...messages.splice(0)]) fail(unavailable());
      await thread?.terminate();
    },
  };
}

function unavailable(): MemoryError {
  return new MemoryError('internal_error', 'The reading model stopped before it answered.');
}
