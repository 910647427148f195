import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Server {
  post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** A POST of a file of JSON. */
  upload(path: string, content: string): Promise<{ status: number; body: Record<string, unknown> }>;
  get(path: string): Promise<Record<string, unknown>>;
  /** SIGKILL, and wait until the process is really gone. */
  kill(): Promise<void>;
  /** SIGTERM: the exit code. */
  stop(): Promise<number | null>;
}

/**
 * The real binary on a free port, over a data folder that may be left as a crash left it. `user` runs it as somebody else,
 * whom file permissions bind.
 */
export async function startServer(folder: string, { user }: { user?: number } = {}): Promise<Server> {
  const child = spawn(process.execPath, [main, 'serve', '--data', 'data', '--port', '0', '--json'], {
    cwd: folder,
    // Stores are compared fact by fact, and tagging would add some at any time.
    env: {
      ...process.env,
      // Another user may not look into the home folder of whoever runs the tests.
      HOME: folder,
      XDG_CONFIG_HOME: '',
      THREADKEEP_OBSERVABILITY__LOG_LEVEL: 'warn',
      THREADKEEP_MODELS__TAGGER: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  let printed = '';
  child.stderr.on('data', (data) => {
    printed += data;
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  const url = await addressOf(child, () => printed);
  /** A server that dies of itself must say why in the test's failure. */
  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(url + path, init).catch((cause) => {
      throw new Error(`no answer to ${path}; exit ${child.exitCode} ${child.signalCode}; ${printed}`, { cause });
    });
  const send = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(path, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return {
    post: (path, body) => send(path, JSON.stringify(body)),
    upload: (path, content) => send(path, content),
    async get(path) {
      return (await (await ask(path)).json()) as Record<string, unknown>;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

function addressOf(child: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (data) => {
      const { url } = JSON.parse(String(data)) as { url?: string };
      if (url === undefined) reject(new Error(`the server did not start: ${data}`));
      else resolve(url);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed()}`)));
  });
}
