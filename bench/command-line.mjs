// What a person waits for at the keyboard: the median of 20 runs of each, beside an empty Node.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const measure = (name, args, goal) => {
    run(args);
    const times = Array.from({ length: runs }, () => {
      const from = performance.now();
      run(args);
      return performance.now() - from;
    }).sort((a, b) => a - b);
    results[name] = Math.round((times[runs / 2 - 1] + times[runs / 2]) / 2);
    console.log(
      `${name.padEnd(24)} ${String(results[name]).padStart(5)} ms${goal === undefined ? '' : `   goal < ${goal} ms`}`,
    );
  };
  const search = [main, 'search', 'lighthouse', ...data];
  const ask = [main, 'ask', 'What does the keeper paint?', ...data];
  try {
    run([main, 'ingest', '-', ...data], '[{"role":"user","text":"The lighthouse keeper paints seagulls."}]');
    measure('node -e 0', ['-e', '0']);
    measure('--version', [main, '--version'], 120);
    measure('search, no server', search, 900);
    measure('ask, no server', ask, 900);
    const server = spawn(process.execPath, [main, 'serve', '--port', '0', '--json', ...data], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(server.stdout, 'data');
    measure('search, with a server', search, 200);
    measure('ask, with a server', ask, 200);
    server.kill('SIGTERM');
    await once(server, 'exit');
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
