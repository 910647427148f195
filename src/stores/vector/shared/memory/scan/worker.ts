import { parentPort } from 'node:worker_threads';
import { openKernel, type Products, type Scan, type ScanAnswer, type ScannedRows, selectRows } from './scanner.js';

let known: { products: Promise<Products>; columns: ScannedRows['columns'] } | undefined;

parentPort?.on('message', async ({ told, codes, rows, selection }: Scan) => {
  const answer = (message: ScanAnswer) => parentPort?.postMessage(message);
  try {
    if (told !== undefined) known = { products: openKernel(told.block), columns: told.columns };
    if (known === undefined) throw new Error('no rows were loaded');
    const made = new Int32Array(rows);
    (await known.products)(codes, rows, made);
    answer({ places: selectRows(made, known.columns, selection) });
  } catch (error) {
    answer({ failed: error instanceof Error ? error.message : 'unknown' });
  }
});
