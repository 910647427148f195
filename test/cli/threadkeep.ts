import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CallOptions {
  stdin?: string | Uint8Array;
  /** The test writes to the program's input, and ends it, itself. */
  keepOpen?: boolean;
  /** What is undefined here is not set. */
  environment?: Record<string, string | undefined>;
}

/** A folder to run in, with the given files; gone after the test. */
export async function aFolder(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

/** Variables that lead to the folders of other programs, and of this one. */
const notForTests = /^(?:THREADKEEP_|CODEX_HOME$|CLAUDE_CONFIG_DIR$)/;

/** A configuration file of the test may name the folders itself. */
function placesIn(folder: string): Record<string, string> {
  // One cache for all: it contains nothing of the tests.
  const cache = join(tmpdir(), 'threadkeep-tests-cache');
  const own = {
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_CACHE_HOME: cache,
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  const text = existsSync(join(folder, 'config.yaml')) ? readFileSync(join(folder, 'config.yaml'), 'utf8') : '';
  if (text.includes('data_dir')) return own;
  return { ...own, THREADKEEP_PATHS__DATA_DIR: join(folder, 'data'), THREADKEEP_PATHS__LOGS_DIR: join(folder, 'logs') };
}

/** The memory of the person who runs the tests is not touched; what a test says about places wins. */
function environmentIn(folder: string, { environment = {} }: CallOptions): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(([name]) => !notForTests.test(name));
  return { ...Object.fromEntries(others), ...placesIn(folder), ...environment };
}

/** Starts the built program, apart from the environment of the test run. */
export function start(folder: string, args: readonly string[], options: CallOptions = {}) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: environmentIn(folder, options),
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => {
    printed.stdout += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    printed.stderr += part.toString();
  });
  // A program that does not read its input may be gone before it is written.
  child.stdin.on('error', () => {});
  if (options.keepOpen !== true) child.stdin.end(options.stdin ?? '');
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...printed }));
  return { child, ended, firstOutput: () => once(child.stdout, 'data').then(() => printed.stdout) };
}

/** The ES modules of a process of its own, while it runs one command. */
export async function modulesOf(folder: string, args: readonly string[], options: CallOptions = {}): Promise<string[]> {
  const environment = { ...options.environment, NODE_OPTIONS: `--import=${await noteModules(folder)}` };
  const { code, stderr } = await start(folder, args, { ...options, environment }).ended;
  if (code !== 0) throw new Error(stderr);
  return [...new Set(readFileSync(join(folder, 'loaded'), 'utf8').trim().split('\n'))];
}

async function noteModules(folder: string): Promise<string> {
  const hooks = `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.startsWith('file:')) appendFileSync(${JSON.stringify(join(folder, 'loaded'))}, url + '\\n');
  return next(url, context);
}`;
  await writeFile(join(folder, 'hooks.mjs'), hooks);
  const register = `import { register } from 'node:module'; register(${JSON.stringify(`file://${join(folder, 'hooks.mjs')}`)});`;
  await writeFile(join(folder, 'register.mjs'), register);
  return `file://${join(folder, 'register.mjs')}`;
}

/** Processes that wait for a command. */
const idle: ChildProcess[] = [];

/** These serve until they are told to end, and end their process themselves. */
const lasting = /^(?:mcp|serve|watch)$/;

/**
 * Runs one command to its end, in a process that may have run others before. `start(…).ended` runs it in a process of
 * its own.
 */
export async function threadkeep(folder: string, args: readonly string[], options: CallOptions = {}): Promise<Ended> {
  if (options.keepOpen === true || args.some((word) => lasting.test(word))) return start(folder, args, options).ended;
  const environment = environmentIn(folder, options);
  for (const [name, value] of Object.entries(environment)) if (value === undefined) delete environment[name];
  return runInHost({ program, folder, args, environment, stdin: Buffer.from(options.stdin ?? '') });
}

/** A program that runs to its end in a process that has run others before, with this environment alone. */
export async function runInHost(call: {
  /** The command line, or a module that uses the library. */
  program: string;
  folder: string;
  args: readonly string[];
  environment: Record<string, string | undefined>;
  stdin?: Buffer;
}): Promise<Ended> {
  const host = idle.pop() ?? fork(new URL('./command-host.mjs', import.meta.url), { serialization: 'advanced' });
  host.ref();
  host.channel?.ref();
  const answer = new Promise<HostAnswer>((resolve, reject) => {
    host.once('message', (message: HostAnswer) => resolve(message));
    host.once('exit', (code) => reject(new Error(`the process of the command ended with ${code}`)));
  });
  host.send({ stdin: Buffer.alloc(0), ...call });
  const { code, stdout, stderr } = await answer.finally(() => host.removeAllListeners());
  if (host.connected) {
    host.unref();
    host.channel?.unref();
    idle.push(host);
  }
  return { code, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** What test/cli/command-host.mjs answers. */
interface HostAnswer {
  code: number;
  stdout: Buffer;
  stderr: Buffer;
}

/** Runs one command with `--json`; its standard output must be one JSON document. */
export async function threadkeepJson(folder: string, args: readonly string[], options: CallOptions = {}) {
  const { stdout, ...rest } = await threadkeep(folder, [...args, '--json'], options);
  return { ...rest, json: JSON.parse(stdout) as Record<string, unknown> };
}
