// The real server with faults on purpose around its stores, for scripts/soak.mjs: started with `fork`, led by messages.
import { readdirSync } from 'node:fs';
import { serve } from '../../dist/app/serve.js';
import { loadConfig } from '../../dist/config/load.js';
import { createFaults } from '../support/faults/faults.mjs';

const faults = createFaults({ seed: Number(process.argv[2] ?? 1) });
const { config } = await loadConfig({ cwd: process.cwd(), environment: {} });
const serving = await serve(config, faults.around);

/** What must not grow, after everything that is garbage is gone. */
function look() {
  globalThis.gc?.();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss, heapUsed, arrayBuffers, handles: readdirSync('/proc/self/fd').length };
}

const orders = {
  set: (rules) => faults.set(...rules),
  clear: () => faults.clear(),
  look,
  close: async () => {
    await serving.close();
    setImmediate(() => process.disconnect());
  },
};

process.on('message', async ({ number, order, argument }) => {
  process.send({ number, answer: await orders[order](argument) });
});
// Whoever led it is gone.
process.on('disconnect', () => process.exit());
process.send({ url: serving.url });
