// What a person waits for at the keyboard, and an assistant at the end of a turn: the median of 20 runs of each, beside an
// empty Node. Processor time is what counts on a busy machine.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const runs = 20;

export async function benchCommandLine() {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-'));
  const data = ['--data', join(folder, 'data')];
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), XDG_CONFIG_HOME: join(folder, 'config') };
  const run = (args, input = '') => {
    const { status } = spawnSync(process.execPath, args, {
      cwd: folder,
      env,
      input,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  };
  const results = {};
  const measure = async (name, args, { goal, input, apart = 0 } = {}) => {
    run(args, input);
    const times = [];
    for (let at = 0; at < runs; at++) {
      await delay(apart);
      const from = { wall: performance.now(), processor: childrenMs() };
      run(args, input);
      times.push({ wall: performance.now() - from.wall, processor: childrenMs() - from.processor });
    }
    results[name] = { wall: median(times.map(({ wall }) => wall)) };
    const processor = median(times.map((time) => time.processor));
    if (Number.isFinite(processor)) results[name].processor = processor;
    const shown = Object.entries(results[name]).map(([what, ms]) => `${String(ms).padStart(5)} ms ${what}`);
    console.log(`${name.padEnd(24)} ${shown.join('  ')}${goal === undefined ? '' : `   goal < ${goal} ms`}`);
  };
  const search = [main, 'search', 'lighthouse', ...data];
  const ask = [main, 'ask', 'What does the keeper paint?', ...data];
  try {
    run([main, 'ingest', '-', ...data], '[{"role":"user","text":"The lighthouse keeper paints seagulls."}]');
    await measure('node -e 0', ['-e', '0']);
    await measure('--version', [main, '--version'], { goal: 120 });
    // The process that reads the session goes on after the hook has ended; turns end seconds apart, so it is over by then.
    const hook = [main, 'import', 'claude-code', '--hook', '--quiet', '--data-dir', join(folder, 'data')];
    const stop = { hook_event_name: 'Stop', transcript_path: join(folder, 'session.jsonl') };
    await measure('hook at the end of a turn', hook, { goal: 150, input: JSON.stringify(stop), apart: 1_500 });
    await measure('search, no server', search, { goal: 900 });
    await measure('ask, no server', ask, { goal: 900 });
    const server = spawn(process.execPath, [main, 'serve', '--port', '0', '--json', ...data], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(server.stdout, 'data');
    await measure('search, with a server', search, { goal: 200 });
    await measure('ask, with a server', ask, { goal: 200 });
    server.kill('SIGTERM');
    await once(server, 'exit');
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time of the processes that have ended and were waited for, in steps of 10 ms; NaN where there is no /proc. */
function childrenMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}

function median(values) {
  const sorted = values.sort((a, b) => a - b);
  return Math.round((sorted[runs / 2 - 1] + sorted[runs / 2]) / 2);
}
