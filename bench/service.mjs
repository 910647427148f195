// The measured service, with what only the benchmark asks of it: how long it takes to start, and its memory.
import { readFileSync } from 'node:fs';
import { startService } from '../eval/service.mjs';

export async function startMeasured(folder) {
  const started = performance.now();
  const service = await startService(folder);
  return { ...service, startMs: performance.now() - started, memory: () => memoryOf(service.pid) };
}

/** Peak and present resident memory in MiB (Linux; elsewhere unknown). */
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    return { rss: of('VmRSS'), peak: of('VmHWM') };
  } catch {
    return { rss: Number.NaN, peak: Number.NaN };
  }
}
