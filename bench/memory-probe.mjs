// Loaded into the measured service before anything else: on SIGUSR2 every thread tells what its own heap holds.
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads, { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

const channel = new BroadcastChannel('threadkeep-bench-memory');
channel.unref();

if (isMainThread && process.env.MEMORY_REPORT !== undefined) {
  const names = new Map();
  // Our worker threads are started without the flags of the process, so each is given this probe.
  const Original = workerThreads.Worker;
  workerThreads.Worker = class extends Original {
    constructor(file, options = {}) {
      super(file, { ...options, execArgv: ['--import', import.meta.url] });
      names.set(this.threadId, String(file).split('/').slice(-3).join('/'));
    }
  };
  syncBuiltinESMExports();
  let told = [];
  channel.onmessage = ({ data }) => {
    if (data.heap !== undefined) told.push({ thread: names.get(data.id) ?? String(data.id), ...data.heap });
  };
  process.on('SIGUSR2', () => {
    told = [{ thread: 'main', ...heapOfThisThread() }];
    channel.postMessage({ ask: true });
    setTimeout(() => writeFileSync(process.env.MEMORY_REPORT, JSON.stringify(told)), 500);
  });
} else {
  channel.onmessage = ({ data }) => {
    if (data.ask) channel.postMessage({ id: threadId, heap: heapOfThisThread() });
  };
}

function heapOfThisThread() {
  const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const inMiB = (bytes) => Math.round(bytes / 104_857.6) / 10;
  return {
    heap: inMiB(heapTotal),
    used: inMiB(heapUsed),
    external: inMiB(external),
    arrayBuffers: inMiB(arrayBuffers),
  };
}
