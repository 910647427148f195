import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigInput } from '../../src/config/schema.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Program {
  child: ChildProcess;
  folder: string;
  /** Its first line on standard output. */
  firstLine: Promise<string>;
  /** Lines of the log that hold one of the words, at most a few. */
  told: string[];
  logBytes(): number;
  /** Megabytes now and at most; 0 where the system does not tell. */
  memory(): { now: number; peak: number };
  stop(): Promise<void>;
}

/** The real binary in a process of its own, so that its memory is its own and its log is what an operator sees. */
export async function startProgram(
  args: string[],
  config: ConfigInput,
  forbidden: readonly string[],
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-fuzz-'));
  // JSON is YAML.
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config));
  const child = spawn(process.execPath, [main, ...args, '--data', 'data'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const told: string[] = [];
  let bytes = 0;
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    bytes += part.length;
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (told.length < 5 && forbidden.some((word) => line.includes(word))) told.push(line.slice(0, 2_000));
    }
  });
  const exited = once(child, 'exit');
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(String(data).split('\n')[0] ?? ''));
    exited.then(([code]) => reject(new Error(`the program ended with ${code}: ${rest}`)));
  });
  // Whoever does not wait for it must not be told of its end.
  firstLine.catch(() => undefined);
  return {
    child,
    folder,
    firstLine,
    told,
    logBytes: () => bytes,
    memory: () => ({ now: megabytes(child.pid, 'VmRSS'), peak: megabytes(child.pid, 'VmHWM') }),
    async stop() {
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(hard);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function megabytes(pid: number | undefined, field: string): number {
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Math.round(Number(found?.[1] ?? 0) / 1_024);
  } catch {
    // Not Linux, or the process is gone: the other checks tell.
    return 0;
  }
}
