// Starts the service with `npm start` in an empty folder of data, runs the README's curl lines against it, and compares
// their output with the README's, ids and times aside. Fails loudly when anything differs.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './ready.mjs';

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-smoke-'));
const port = 8000;
const server = spawn('npm', ['start', '--', '--port', String(port)], {
  cwd: root,
  // A group of its own, so that it can be stopped as Ctrl+C in a terminal stops it.
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
  env: {
    ...process.env,
    THREADKEEP_PATHS__DATA_DIR: join(folder, 'data'),
    THREADKEEP_PATHS__LOGS_DIR: join(folder, 'logs'),
  },
});
let printed = '';
server.stdout.on('data', (data) => {
  printed += data;
});
server.stderr.on('data', (data) => {
  printed += data;
});

try {
  await until(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).ok, 120_000);
  const examples = readmeExamples();
  if (examples.length < 2) throw new Error('the README holds fewer than two curl examples with output');
  for (const { command, output } of examples) {
    const result = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    const got = JSON.parse(result.stdout);
    const wanted = JSON.parse(output);
    if (JSON.stringify(settle(got)) !== JSON.stringify(settle(wanted))) {
      throw new Error(`${command}\nanswered\n${JSON.stringify(got, null, 2)}\nbut the README says\n${output}`);
    }
    console.log(`ok: ${command.split('\n')[0]}`);
  }
  process.kill(-server.pid, 'SIGINT');
  await until(async () => printed.includes('server_stopped'), 30_000);
  console.log(`${examples.length} passed, 0 failed`);
} catch (error) {
  process.kill(-server.pid, 'SIGKILL');
  console.error(printed);
  console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Each `curl` in a shell block, and the JSON block after it. */
function readmeExamples() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const pairs = readme.matchAll(/```sh\n(curl [\s\S]*?)```\n+```json\n([\s\S]*?)```/g);
  return [...pairs].map(([, command, output]) => ({ command: command.trim(), output }));
}

/** Ids and times differ from run to run. */
function settle(value) {
  if (Array.isArray(value)) return value.map(settle);
  if (typeof value === 'string') {
    return value
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>');
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, settle(each)]));
}

async function until(condition, patience) {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    if (await condition().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('waited in vain');
}
