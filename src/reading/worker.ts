import { parentPort, workerData } from 'node:worker_threads';
import { openModel } from './model.js';
import type { ModelPlace, Reply, Request } from './open.js';
import type { RankedWindow } from './read-windows.js';

const { path, cache } = workerData as ModelPlace;
const model = openModel(path, { cache });
// The failure is reported to the first request; this handler only prevents an unhandled rejection.
model.catch(() => undefined);

/** The ranking of the last request, kept until the next one. */
let ranked: RankedWindow[] = [];

parentPort?.on('message', async (request: Request) => {
  const reply = (message: Reply): void => parentPort?.postMessage(message);
  try {
    const opened = await model;
    const kept = ranked;
    ranked = [];
    switch (request.kind) {
      case 'read':
        return reply({ kind: 'read', readings: opened.read(request.question, request.windows) });
      case 'rank':
        ranked = opened.rank(request.question, request.windows);
        return reply({ kind: 'rank', scores: ranked.map(({ score }) => score) });
      case 'finish': {
        const chosen = request.places.flatMap((place) => kept[place] ?? []);
        if (chosen.length < request.places.length) throw new Error('nothing was ranked before');
        return reply({ kind: 'read', readings: chosen.map((window) => window.read()) });
      }
      case 'tag':
        return reply({ kind: 'tag', facts: opened.tag(request.message, request.before) });
      case 'question':
        return reply({ kind: 'vectors', vectors: [opened.questionVector(request.question)] });
      case 'messages':
        return reply({ kind: 'vectors', vectors: opened.messageVectors(request.messages) });
    }
  } catch (error) {
    reply({ kind: 'failed', message: error instanceof Error ? error.message : 'unknown' });
  }
});
