// The ring of importing and keeping: what is too long for `npm test`. A large export in little memory, as a zip and over
// standard input; imports killed at many moments, on the command line and over HTTP; every part of a sealed backup.
//   node scripts/rings/keeping.mjs [--megabytes 200]
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { folderInMemory, makeReady, root } from '../ready.mjs';

makeReady();
const { exportOf } = await import('../../bench/exports.mjs');
const { zipOf } = await import('../../bench/zip.mjs');

const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '200' } } });
const megabytes = Number(values.megabytes);
/** MB. The heap may hold 256; the rest is code, the embedding model's table, SQLite's pages and the stream's pieces. */
const heap = 256;
const mostResident = 400;
const main = join(root, 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'threadkeep-keeping-'));
let failed = false;

// Reading keeps one core busy and the kills another: side by side they take as long as the longer one.
const [keptWhole] = await Promise.all([keptThroughKills(), largeExports()]);
process.exitCode = failed || !keptWhole ? 1 : 0;

async function largeExports() {
  try {
    const chats = made('chatgpt');
    const zip = join(folder, 'export.zip');
    await pipeline(Readable.from(zipOf('conversations.json', chats.file.read())), createWriteStream(zip));
    await inLittleMemory('chatgpt, zip', ['chatgpt', zip], { conversations: chats.conversations });
    const lines = made('json');
    await inLittleMemory('json lines, standard input', ['json', '-'], {
      conversations: lines.conversations,
      input: lines.file.read(),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the tests of imports and backups pass with the moments and bytes that `npm test` leaves out. */
function keptThroughKills() {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const tests = ['test/crash/import.test.ts', 'test/backup/backup.test.ts'];
  // A kill loses nothing that was written, so the folders may be in memory.
  const memory = folderInMemory();
  const child = spawn(process.execPath, [vitest, 'run', ...tests], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(memory === undefined ? {} : { TMPDIR: memory }), KEEPING_RING: '1' },
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
      resolve(code === 0);
    });
  });
}

function made(format) {
  return exportOf(format, megabytes, { words: 20, made: 300 });
}

/** Reads everything and stores nothing, so that what is measured is what reading needs. */
async function inLittleMemory(title, args, { conversations, input }) {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heap}`, main, 'import', ...args, '--dry-run', '--json', '--data', 'data'],
    {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  let peak = 0;
  child.stdout.on('data', (part) => {
    printed += part;
  });
  const watching = setInterval(() => {
    peak = Math.max(peak, residentOf(child.pid));
  }, 100);
  const ended = new Promise((resolve) => child.on('close', resolve));
  await pipeline(Readable.from(input ?? []), child.stdin).catch(() => {});
  const code = await ended;
  clearInterval(watching);
  const seconds = (performance.now() - started) / 1000;
  const read = code === 0 ? JSON.parse(printed).read : 0;
  const fine = read === conversations() && peak <= mostResident;
  failed ||= !fine;
  console.log(
    `${title}: ${read} of ${conversations()} conversations of ${megabytes} MB in ${seconds.toFixed(0)} s, ` +
      `at most ${peak} MB resident (bound ${mostResident})${fine ? '' : '  FAILED'}`,
  );
}

/** Linux; elsewhere unknown, and then nothing is said about it. */
function residentOf(pid) {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
