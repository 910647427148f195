import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLogFile } from '../../src/observability/logger.js';
import { soon } from '../support/patience.js';

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-log-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('openLogFile', () => {
  it('makes the folder and keeps what was there', async () => {
    const folder = join(await aFolder(), 'deep', 'logs');
    for (const line of ['first', 'second']) {
      const file = openLogFile(folder);
      file.write(line);
      await file.close();
    }
    expect(await readFile(join(folder, 'threadkeep.log'), 'utf8')).toBe('first\nsecond\n');
  });

  it.skipIf(process.platform === 'win32')("is its owner's alone", async () => {
    const folder = join(await aFolder(), 'logs');
    const file = openLogFile(folder);
    file.write('line');
    await file.close();
    const modes = await Promise.all(
      [folder, join(folder, 'threadkeep.log')].map(async (path) => (await stat(path)).mode),
    );
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it('moves a file that has grown and keeps three of them', async () => {
    const folder = await aFolder();
    const path = join(folder, 'threadkeep.log');
    for (const number of [1, 2, 3, 4, 5]) {
      await writeFile(path, `start ${number}`);
      await truncate(path, 10 * 1024 * 1024);
      const file = openLogFile(folder);
      file.write(`new ${number}`);
      await file.close();
    }
    expect((await readdir(folder)).sort()).toEqual([
      'threadkeep.log',
      'threadkeep.log.1',
      'threadkeep.log.2',
      'threadkeep.log.3',
    ]);
    expect(await readFile(path, 'utf8')).toBe('new 5\n');
    expect((await readFile(`${path}.3`, 'utf8')).slice(0, 7)).toBe('start 3');
  });

  it('moves the file while it is written', async () => {
    const folder = await aFolder();
    const path = join(folder, 'threadkeep.log');
    const file = openLogFile(folder);
    file.write('x'.repeat(10 * 1024 * 1024));
    await expect.poll(async () => (await stat(path)).size, soon).toBe(10 * 1024 * 1024 + 1);
    file.write('after');
    await file.close();
    expect((await readdir(folder)).sort()).toEqual(['threadkeep.log', 'threadkeep.log.1']);
    expect(await readFile(path, 'utf8')).toBe('after\n');
  });

  it('costs log lines and nothing else when the folder cannot be used', async () => {
    const occupied = join(await aFolder(), 'occupied');
    await writeFile(occupied, 'a file, not a folder');
    const file = openLogFile(occupied);
    file.write('lost');
    await file.close();
    expect(await readFile(occupied, 'utf8')).toBe('a file, not a folder');
  });

  it('is tried again when the folder can be used later, at most every ten seconds', async () => {
    const place = join(await aFolder(), 'logs');
    await writeFile(place, 'a file, not a folder');
    let now = 0;
    const file = openLogFile(place, () => now);
    await rm(place);
    file.write('too soon');
    now = 10_000;
    file.write('kept');
    await file.close();
    expect(await readFile(join(place, 'threadkeep.log'), 'utf8')).toBe('kept\n');
  });
});
