import { parentPort } from 'node:worker_threads';
import { openKernel, type Products } from './kernel.js';
import type { Scan, ScanAnswer } from './protocol.js';

let products: Promise<Products> | undefined;

parentPort?.on('message', async ({ block, query, rows, out }: Scan) => {
  const answer = (message: ScanAnswer) => parentPort?.postMessage(message);
  try {
    if (block !== undefined) products = openKernel(block);
    (await products)?.(query, rows, new Float32Array(out));
    answer({ done: true });
  } catch (error) {
    answer({ failed: error instanceof Error ? error.message : 'unknown' });
  }
});
