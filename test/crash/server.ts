import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Server {
  post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  get(path: string): Promise<Record<string, unknown>>;
  /** SIGKILL, and wait until the process is really gone. */
  kill(): Promise<void>;
}

/** The real binary on a free port, over a data folder that may be left as a crash left it. */
export async function startServer(folder: string): Promise<Server> {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--json'], {
    cwd: folder,
    env: { ...process.env, THREADKEEP_OBSERVABILITY__LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const url = await addressOf(child);
  return {
    async post(path, body) {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    async get(path) {
      return (await (await fetch(url + path)).json()) as Record<string, unknown>;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (data) => {
      printed += data;
    });
    child.stdout?.on('data', (data) => {
      const { url } = JSON.parse(String(data)) as { url?: string };
      if (url === undefined) reject(new Error(`the server did not start: ${data}`));
      else resolve(url);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
}
