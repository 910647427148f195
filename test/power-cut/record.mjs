/**
 * Records a real server at work: the binary runs with shim.c preloaded, this client sends it one operation after another and
 * writes a mark behind each answer. A mark says what must be readable from then on, as statements that yield 1.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDisk } from './disk.mjs';
import { markBytes, readRecords } from './recording.mjs';
import { sendOperations } from './workload.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, '..', '..', 'dist', 'main.js');
export const databaseName = 'metadata.sqlite3';

/** Why nothing can be recorded here; undefined when it can. */
export function whyNoRecording() {
  if (process.platform !== 'linux') return `recording preloads a library, which is done on Linux only`;
  const compiler = spawnSync(compilerName(), ['--version'], { stdio: 'ignore' });
  return compiler.status === 0 ? undefined : `there is no C compiler (${compilerName()})`;
}

/**
 * One recording in a folder of its own, which is removed again: the bytes of the log.
 * `rounds` says how much is asked of the server.
 */
export async function record(folder, { seed, rounds }) {
  mkdirSync(folder, { recursive: true });
  const root = realpathSync(folder);
  try {
    for (let attempt = 1; ; attempt++) {
      const { bytes, faithful } = await recordOnce(join(root, `${attempt}`), { seed, rounds });
      if (faithful) return bytes;
      if (attempt === 5) throw new Error('the replayed files differ from the real ones after five recordings');
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function recordOnce(root, { seed, rounds }) {
  const place = join(root, 'home');
  mkdirSync(place, { recursive: true });
  const library = join(root, 'shim.so');
  const log = join(root, 'log');
  compile(library);
  writeFileSync(log, '');
  const file = openSync(log, 'a');
  const environment = {
    ...process.env,
    THREADKEEP_PATHS__DATA_DIR: './data',
    THREADKEEP_PATHS__LOGS_DIR: './logs',
    LD_PRELOAD: library,
    RECORDED_LOG: log,
    RECORDED_FOLDER: place,
    RECORDED_NAME: databaseName,
    THREADKEEP_MEMORY__INSERT_POLICY: 'review_pending',
    THREADKEEP_STORAGE__ALLOW_TRUSTED_APPENDS: 'true',
    THREADKEEP_OBSERVABILITY__LOG_LEVEL: 'error',
  };
  try {
    const mark = (value) => writeSync(file, markBytes(value));
    const run = (...args) => runCommand(args, { cwd: place, env: environment });
    await sendOperations({ start: () => startServer(place, environment), mark, run, seed, rounds });
  } finally {
    closeSync(file);
  }
  const bytes = readFileSync(log);
  return { bytes, faithful: isFaithful(bytes, place) };
}

/** A kill may fall between a write and its record. Such a recording would blame the store for our own gap. */
function isFaithful(bytes, place) {
  const disk = createDisk();
  for (const each of readRecords(bytes)) disk.apply(each);
  // The shared index is written through a mapping.
  const files = disk.current().filter(({ name }) => !name.endsWith('-shm'));
  return files.length > 0 && files.every(({ name, content }) => content.equals(readFileSync(join(place, name))));
}

function compile(output) {
  const args = ['-Wall', '-Werror', '-shared', '-fPIC', '-O2', '-o', output, join(here, 'shim.c'), '-ldl', '-lpthread'];
  const result = spawnSync(compilerName(), args, { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`the recorder could not be compiled: ${result.stderr}`);
}

function compilerName() {
  return process.env.CC ?? 'cc';
}

function startServer(cwd, env) {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--json'], { cwd, env, stdio: 'pipe' });
  let printed = '';
  child.stderr.on('data', (data) => {
    printed += data;
  });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  const end = (signal) => {
    child.kill(signal);
    return exited;
  };
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (data) => {
      const { url } = JSON.parse(String(data));
      resolve({ post: (path, body) => post(url + path, body), stop: () => end('SIGTERM'), kill: () => end('SIGKILL') });
    });
    exited.then((code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
}

async function post(url, body) {
  const isText = typeof body === 'string';
  const headers = { 'content-type': isText ? 'application/octet-stream' : 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: isText ? body : JSON.stringify(body) });
  const result = await answer.json();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(result)}`);
  return result;
}

function runCommand(args, options) {
  const result = spawnSync(process.execPath, [main, ...args, '--json'], { ...options, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${args.join(' ')} ended with ${result.status}: ${result.stderr}`);
  return JSON.parse(result.stdout);
}
