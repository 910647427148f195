import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/*
 * How long the event loop of this process is held. The monitor of Node.js tells it by the clock, and so counts what other
 * processes do on a busy machine. Where Linux tells the processor time of the main thread, that of each turn of the loop is
 * measured as well, and the smaller of the two counts: work of ours that holds the loop shows in both.
 */

const ofMainThread = `/proc/self/task/${process.pid}/schedstat`;

/** Milliseconds that the main thread has run; undefined where the system does not tell. */
function processorTime(): number | undefined {
  try {
    return Number(readFileSync(ofMainThread, 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return undefined;
  }
}

/** Milliseconds of the longest turn of the event loop while something is done. */
export async function longestSlice(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let longest = 0;
  let isRunning = true;
  let last = processorTime();
  const ended = new Promise<void>((resolve) => {
    const turn = (): void => {
      const now = processorTime();
      longest = now === undefined || last === undefined ? Number.POSITIVE_INFINITY : Math.max(longest, now - last);
      last = now;
      if (isRunning) setImmediate(turn);
      else resolve();
    };
    setImmediate(turn);
  });
  delay.enable();
  // The monitor sees a turn only between two of its own ticks.
  const ticked = async (): Promise<void> => {
    for (const { count } = delay; delay.count === count; ) await new Promise((resolve) => setImmediate(resolve));
  };
  await ticked();
  try {
    await work();
    await ticked();
  } finally {
    isRunning = false;
    await ended;
    delay.disable();
  }
  return Math.min(longest, delay.max / 1e6);
}

export interface Sent {
  path: string;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

/** A client in a thread of its own: what it does to send and to read is no part of the server's turns. */
export function clientThread(url: string) {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', async ({ url, init }) => {
       try {
         const response = await fetch(url, init);
         const bytes = (await response.arrayBuffer()).byteLength;
         parentPort.postMessage({ status: response.status, bytes });
       } catch (error) {
         parentPort.postMessage({ status: 0, bytes: 0 });
       }
     });`,
    { eval: true },
  );
  return {
    /** Makes ready what is sent, so that nothing but the request is left to do. */
    prepare({ path, body, headers = { 'content-type': 'application/json' } }: Sent) {
      const bytes = body === undefined ? undefined : new Uint8Array(Buffer.from(body));
      const init = bytes === undefined ? {} : { method: 'POST', headers, body: bytes };
      return (): Promise<{ status: number; bytes: number }> =>
        new Promise((resolve, reject) => {
          worker.once('error', reject);
          worker.once('message', (answer: { status: number; bytes: number }) => {
            worker.off('error', reject);
            resolve(answer);
          });
          // The bytes move to the other thread; copying them would take this one's time.
          worker.postMessage({ url: `${url}${path}`, init }, bytes === undefined ? [] : [bytes.buffer]);
        });
    },
    stop: () => worker.terminate(),
  };
}
