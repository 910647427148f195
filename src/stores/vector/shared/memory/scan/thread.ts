import { Worker } from 'node:worker_threads';
import type { CodedQuery, Scan, ScanAnswer, ScannedRows, Selection } from './select.js';

export interface Scanner {
  /** The rows among the first `rows` that may be among the nearest; one scan at a time, in order. */
  near(scanned: ScannedRows, query: CodedQuery, options: NearOptions): Promise<Int32Array>;
  /** Ends the thread after pending work; the next scan starts another. */
  stop(): Promise<void>;
}

type NearOptions = Omit<Selection, 'query'> & { rows: number };

/**
 * Scans outside the event loop, in a thread that starts with the first scan and does not keep an idle process alive.
 */
export function createScanner(): Scanner {
  let worker: Worker | undefined;
  let told: ScannedRows | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function started(): Worker {
    if (worker !== undefined) return worker;
    // The process's own flags (loaders, inspectors) do not apply to this thread.
    const thread = new Worker(new URL('./worker.js', import.meta.url), { execArgv: [] });
    thread.unref();
    // Pending calls are rejected through `ask`; without any there is nothing to report.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      if (worker === thread) worker = undefined;
    });
    worker = thread;
    told = undefined;
    return thread;
  }

  async function scan(scanned: ScannedRows, query: CodedQuery, options: NearOptions): Promise<Int32Array> {
    const thread = started();
    const { codes, ...measures } = query;
    const { rows, ...rest } = options;
    const request: Scan = { codes, rows, selection: { ...rest, query: measures } };
    const answer = await ask(thread, told === scanned ? request : { ...request, told: scanned });
    told = scanned;
    if ('failed' in answer) throw new Error(`The scan of the vectors failed: ${answer.failed}`);
    return answer.places;
  }

  return {
    near(scanned, query, options) {
      const result = last.then(() => scan(scanned, query, options));
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
    // Keeps the process alive while it waits for an answer.
    thread.ref();
    thread.postMessage(request);
  });
}
