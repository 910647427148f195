import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextPass } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFolderLock, LOCK_FOLDER } from '../../../src/stores/shared/folder-lock.js';

/* Two locks over one folder stand for two processes. */

describe('the lock over a folder that several processes write', () => {
  let path: string;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'threadkeep-'));
  });
  afterEach(() => rm(path, { recursive: true, force: true }));

  const marks = () => readdir(join(path, LOCK_FOLDER));

  it('never lets a clean-up run beside a write or another clean-up, and writes run beside each other', async () => {
    const locks = [createFolderLock(path), createFolderLock(path), createFolderLock(path)];
    const running = { writes: 0, cleanUps: 0 };
    const seen: string[] = [];
    let together = 0;
    const write = async () => {
      running.writes += 1;
      together = Math.max(together, running.writes);
      if (running.cleanUps > 0) seen.push('a write during a clean-up');
      for (let pass = 0; pass < 20; pass++) await nextPass();
      running.writes -= 1;
    };
    const cleanUp = async () => {
      running.cleanUps += 1;
      if (running.cleanUps > 1 || running.writes > 0) seen.push('a clean-up beside something');
      for (let pass = 0; pass < 20; pass++) await nextPass();
      running.cleanUps -= 1;
    };
    await Promise.all(
      locks.flatMap((lock) => [
        ...Array.from({ length: 12 }, () => lock.shared(write)),
        ...Array.from({ length: 4 }, () => lock.exclusive(cleanUp)),
        ...Array.from({ length: 12 }, () => lock.shared(write)),
      ]),
    );
    expect(seen).toEqual([]);
    expect(together).toBeGreaterThan(1);
    expect(await marks()).toEqual([]);
  });

  it('leaves no mark when the work fails, and tells why it failed', async () => {
    const lock = createFolderLock(path);
    const failing = () => Promise.reject(new Error('no space'));
    await expect(lock.shared(failing)).rejects.toThrow('no space');
    await expect(lock.exclusive(failing)).rejects.toThrow('no space');
    expect(await marks()).toEqual([]);
  });

  it('does not wait for processes that are gone', async () => {
    await mkdir(join(path, LOCK_FOLDER));
    // No process has such a number, on any system.
    const dead = `4194999@${hostname()}@a`;
    const elsewhere = join(path, LOCK_FOLDER, '12@another-machine@b');
    for (const name of [dead, `cleaning@${dead}`]) await writeFile(join(path, LOCK_FOLDER, name), '');
    await writeFile(elsewhere, '');
    await utimes(elsewhere, new Date(0), new Date(0));
    const lock = createFolderLock(path);
    expect(await lock.exclusive(async () => 'cleaned')).toBe('cleaned');
    expect(await lock.shared(async () => 'written')).toBe('written');
    expect(await marks()).toEqual([]);
  });

  it('does not wait for an earlier process whose number another has now, as after a restart in a container', async () => {
    await mkdir(join(path, LOCK_FOLDER));
    for (const name of [`${process.pid}@${hostname()}@a`, `cleaning@${process.pid}@${hostname()}@b`]) {
      const mark = join(path, LOCK_FOLDER, name);
      await writeFile(mark, '');
      await utimes(mark, new Date(0), new Date(0));
    }
    const lock = createFolderLock(path);
    expect(await lock.shared(async () => 'written')).toBe('written');
    expect(await lock.exclusive(async () => 'cleaned')).toBe('cleaned');
    expect(await marks()).toEqual([]);
  });

  it('waits for work that takes long, because its mark is renewed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const working = createFolderLock(path);
    let end = (): void => undefined;
    const work = working.shared(() => new Promise<void>((resolve) => (end = resolve)));
    await expect.poll(() => marks().catch(() => [])).toHaveLength(1);
    const mark = join(path, LOCK_FOLDER, (await marks())[0] ?? '');
    await utimes(mark, new Date(0), new Date(0));
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(async () => (await stat(mark)).mtimeMs).toBeGreaterThan(0);
    end();
    await work;
    expect(vi.getTimerCount()).toBe(0);
  });
});
