// The measured service, with what only the benchmark asks of it: how long it takes to start, its processor time and memory.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../eval/service.mjs';

export async function startMeasured(folder, settings = []) {
  const started = performance.now();
  const service = await startService(folder, settings);
  return {
    ...service,
    startMs: performance.now() - started,
    memory: () => memoryOf(service.pid),
    processorMs: () => processorMsOf(service.pid),
    idle: () => untilIdle(service.pid),
  };
}

/** Peak and present resident memory in MiB (Linux; elsewhere unknown). */
export function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    return { rss: of('VmRSS'), peak: of('VmHWM') };
  } catch {
    return { rss: Number.NaN, peak: Number.NaN };
  }
}

/** What all threads of a process have used so far (Linux; elsewhere unknown). */
function processorMsOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map(
      (thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0],
    );
    return nanoseconds.reduce((sum, value) => sum + Number(value), 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Until it has used next to nothing for two seconds: what a start and a burst of writes leave to the background. */
async function untilIdle(pid) {
  for (let quiet = 0; quiet < 2; ) {
    const before = processorMsOf(pid);
    await delay(1_000);
    quiet = processorMsOf(pid) - before > 50 ? 0 : quiet + 1;
  }
}
