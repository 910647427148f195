// Installs once and builds when sources changed, so that `npm start` and `npm test` need no step before them.
// Uses nothing but Node: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Makes node_modules match the lockfile; does nothing when it does. */
export function makeInstalled() {
  requireNode(20, 19);
  const stamp = join(root, 'node_modules', '.threadkeep-installed');
  const wanted = digest([join(root, 'package-lock.json')]);
  if (read(stamp) !== wanted) {
    say('Installing packages (once) …');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    writeFileSync(stamp, wanted);
  }
}

/** Makes node_modules and dist match the lockfile and the sources; does nothing when they do. */
export function makeReady() {
  makeInstalled();
  const built = join(root, 'dist', '.built');
  const sources = digest([
    join(root, 'tsconfig.json'),
    join(root, 'tsconfig.sdk.json'),
    join(root, 'package-lock.json'),
    join(root, 'scripts', 'bundle.mjs'),
    ...filesIn(join(root, 'src')),
    ...filesIn(join(root, 'console')),
  ]);
  if (read(built) !== sources) {
    say('Building …');
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(root, 'tsconfig.json')]);
    // Types ship for the library alone; its files declare theirs without reading the rest of the source.
    run(process.execPath, [
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      '-p',
      join(root, 'tsconfig.sdk.json'),
    ]);
    run(process.execPath, [
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      '-c',
      join(root, 'console', 'vite.config.ts'),
      '--logLevel',
      'warn',
    ]);
    run(process.execPath, [join(root, 'scripts', 'bundle.mjs')]);
    writeFileSync(built, sources);
  }
}

/** Runs a program to its end with our own input and output; its failure is ours. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['inherit', 2, 'inherit'], ...options });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/**
 * Every commit waits for the disk, and most tests commit often, so their folders are in memory where Linux has room for
 * them. A `TMPDIR` in the environment wins.
 */
export function folderInMemory() {
  const memory = '/dev/shm';
  if (process.env.TMPDIR !== undefined) return undefined;
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize <= 4 * 2 ** 30) return undefined;
    const folder = mkdtempSync(join(memory, 'threadkeep-tests-'));
    // As the usual folder is: some tests go on as another user.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    // Another system, or a container without it.
    return undefined;
  }
}

function requireNode(major, minor) {
  const [hasMajor, hasMinor] = process.versions.node.split('.').map(Number);
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return;
  process.stderr.write(`Threadkeep needs Node ${major}.${minor} or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function digest(files) {
  const hash = createHash('sha256').update(process.versions.modules).update(process.arch);
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) makeReady();
