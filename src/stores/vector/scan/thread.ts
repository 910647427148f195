import { Worker } from 'node:worker_threads';
import type { SharedBlock } from './kernel.js';
import type { Scan, ScanAnswer } from './protocol.js';

export interface Scanner {
  /** The inner product of the query with each of the first `rows` rows; one scan at a time, in the order asked. */
  products(block: SharedBlock, query: Float32Array, rows: number): Promise<Float32Array>;
  /** Ends the thread when it has done what was asked; the next scan starts another. */
  stop(): Promise<void>;
}

/** Scans beside the event loop, in a thread that starts with the first scan and keeps no idle process alive. */
export function createScanner(): Scanner {
  let worker: Worker | undefined;
  let told: SharedBlock | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function started(): Worker {
    if (worker !== undefined) return worker;
    // The process's own flags (loaders, inspectors) are not for this thread.
    const thread = new Worker(new URL('./worker.js', import.meta.url), { execArgv: [] });
    thread.unref();
    // Whoever waits hears of its end through `ask`; without anybody waiting there is nothing to tell.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      if (worker === thread) worker = undefined;
    });
    worker = thread;
    told = undefined;
    return thread;
  }

  async function scan(block: SharedBlock, query: Float32Array, rows: number): Promise<Float32Array> {
    const thread = started();
    const out = new SharedArrayBuffer(rows * Float32Array.BYTES_PER_ELEMENT);
    const request: Scan = { query, rows, out, ...(told === block ? {} : { block }) };
    told = block;
    const answer = await ask(thread, request);
    if ('failed' in answer) throw new Error(`The scan of the vectors failed: ${answer.failed}`);
    return new Float32Array(out);
  }

  return {
    products(block, query, rows) {
      const result = last.then(() => scan(block, query, rows));
      last = result.catch(() => undefined);
      return result;
    },

    async stop() {
      await last;
      await worker?.terminate();
    },
  };
}

function ask(thread: Worker, request: Scan): Promise<ScanAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      thread.off('message', answered);
      thread.off('exit', ended);
      thread.unref();
      then();
    };
    const answered = (answer: ScanAnswer) => settle(() => resolve(answer));
    const ended = () => settle(() => reject(new Error('The thread that scans the vectors has ended.')));
    thread.on('message', answered);
    thread.on('exit', ended);
    // A process does not end while it waits for an answer.
    thread.ref();
    thread.postMessage(request);
  });
}
