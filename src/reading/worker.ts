import { parentPort, workerData } from 'node:worker_threads';
import { openModel } from './model.js';
import type { Reply, Request } from './protocol.js';

const model = openModel(workerData as string);
// Whoever asks first gets the failure.
model.catch(() => undefined);

parentPort?.on('message', async (request: Request) => {
  const reply = (message: Reply): void => parentPort?.postMessage(message);
  try {
    const { read, rank, tag } = await model;
    if (request.kind === 'read') reply({ kind: 'read', readings: read(request.question, request.windows) });
    else if (request.kind === 'rank') reply({ kind: 'rank', scores: rank(request.question, request.windows) });
    else reply({ kind: 'tag', facts: tag(request.message, request.before) });
  } catch (error) {
    reply({ kind: 'failed', message: error instanceof Error ? error.message : 'unknown' });
  }
});
