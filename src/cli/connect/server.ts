import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/schema.js';
import type { Server } from './clients.js';

type Http = Extract<Server, { kind: 'http' }>;
type Stdio = Extract<Server, { kind: 'stdio' }>;

/** The MCP endpoint below an address, with a place for the token where one is needed. */
export function httpServer(base: string, { api }: Pick<Config, 'api'>): Http {
  const url = `${base.replace(/\/+$/, '').replace(/\/mcp$/, '')}/mcp`;
  const bearer = api.auth === 'bearer_token' ? { headers: { Authorization: 'Bearer <ACCESS_TOKEN>' } } : {};
  return { kind: 'http', url, ...bearer };
}

/** `threadkeep mcp` on the same data. Whole paths: a client starts programs wherever it likes. */
export function stdioServer({ paths }: Pick<Config, 'paths'>, configFile: string | undefined): Stdio {
  const [command = '', ...program] = programCall();
  return {
    kind: 'stdio',
    command,
    args: [...program, 'mcp', ...(configFile === undefined ? [] : ['--config', configFile])],
    env: { THREADKEEP_PATHS__DATA_DIR: paths.dataDir, THREADKEEP_PATHS__LOGS_DIR: paths.logsDir },
  };
}

/** A copy that npx made for this one run may be gone tomorrow: then it is asked for anew. */
export function programCall(): string[] {
  const program = fileURLToPath(new URL('../../main.js', import.meta.url));
  return /[\\/](_npx|dlx-?[^\\/]*)[\\/]/.test(program) ? ['npx', '-y', 'threadkeep'] : [process.execPath, program];
}

/** As a client on this machine reaches it. */
export function addressOf({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
