// The service as its users meet it: the built binary, over HTTP.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export async function startService(folder) {
  const started = performance.now();
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, THREADKEEP_OBSERVABILITY__LOG_LEVEL: 'warn' },
  });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(JSON.parse(String(data)).url));
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const startMs = performance.now() - started;
  const post = async (path, body) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return text;
  };
  return {
    startMs,
    insert: (conversation) => post('/memory/insert', conversation),
    search: (query) => post('/memory/search', { query, top_k: 10 }),
    /** Peak and present resident memory in MiB (Linux; elsewhere unknown). */
    memory() {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        const of = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
        return { rss: of('VmRSS'), peak: of('VmHWM') };
      } catch {
        return { rss: Number.NaN, peak: Number.NaN };
      }
    },
    stop() {
      return new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      });
    },
  };
}
