// The service as its users meet it: the built binary in an empty folder, over HTTP.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** `settings` are pairs of a configuration key and its value; everything else keeps its default. */
export async function startService(folder, settings = [], { token } = {}) {
  const child = spawn(process.execPath, [main, 'serve', '--data', 'data', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...withoutOurs(process.env), THREADKEEP_OBSERVABILITY__LOG_LEVEL: 'warn', ...variablesOf(settings) },
  });
  const url = await new Promise((found, failed) => {
    createInterface(child.stdout).once('line', (line) => {
      const { url, error } = JSON.parse(line);
      if (url) found(url);
      else failed(new Error(`the service did not start: ${JSON.stringify(error ?? line)}`));
    });
    child.once('exit', (code) => failed(new Error(`the service ended with ${code}`)));
  });
  const post = async (path, body) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  return {
    pid: child.pid,
    url,
    insert: (conversation) => post('/memory/insert', conversation),
    search: (input) => post('/memory/search', input),
    ask: (input) => post('/memory/ask', input),
    stop() {
      return new Promise((stopped) => {
        if (child.exitCode !== null) return stopped();
        child.once('exit', stopped);
        child.kill('SIGTERM');
      });
    },
  };
}

/** `key=value` as typed. A relative path means the folder it was typed in, not the one the service runs in. */
export function parseSetting(text) {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`--set needs key=value, not ${text}`);
  const value = text.slice(at + 1);
  return [text.slice(0, at), /^\.\.?\//.test(value) ? resolve(value) : value];
}

function variablesOf(settings) {
  return Object.fromEntries(
    settings.map(([key, value]) => [`THREADKEEP_${key.replaceAll('.', '__').toUpperCase()}`, value]),
  );
}

/** What happens to be set in this shell must not change what is measured. */
function withoutOurs(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^threadkeep_/i.test(name)));
}
