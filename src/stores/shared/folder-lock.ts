import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createReadWriteLock } from '../../concurrency/locks.js';

/*
 * A read-write lock over a folder that several processes share. LanceDB detects conflicting commits by the versions
 * between them. A clean-up that removes such a version during a commit hides the conflict: a compaction then restores
 * a deleted row or drops a new one. So nothing is cleaned up while any process writes.
 *
 * Every write holds a mark file while it runs; a clean-up creates its own, then waits until those of other processes
 * are gone. A writer first creates its mark and then checks for clean-ups, so that one of the two always sees the
 * other.
 */

export const LOCK_FOLDER = '.writing';
const CLEANING = 'cleaning';
const WAIT_MILLISECONDS = 5;
/**
 * A mark is renewed while its work continues. One that has not been renewed for this long was left behind, even if a
 * process with its pid runs: in a container, the next process often has the same pid.
 */
const RENEW_MILLISECONDS = 5_000;
const PATIENCE_MILLISECONDS = 30_000;

export function createFolderLock(path: string) {
  const own = createReadWriteLock();
  const folder = join(path, LOCK_FOLDER);
  const machine = hostname().replaceAll('@', '-');
  const renewals = new Map<string, NodeJS.Timeout>();

  return {
    /** For writes, which may run concurrently. */
    shared: <Result>(work: () => Promise<Result>): Promise<Result> => own.shared(() => marked(work)),
    /** For a clean-up, which runs alone. */
    exclusive: <Result>(work: () => Promise<Result>): Promise<Result> => own.exclusive(() => alone(work)),
  };

  async function marked<Result>(work: () => Promise<Result>): Promise<Result> {
    const name = `${process.pid}@${machine}@${randomUUID()}`;
    await leave(name);
    while ((await held()).some(isCleaning)) {
      await take(name);
      await pause(WAIT_MILLISECONDS);
      await leave(name);
    }
    try {
      return await work();
    } finally {
      await take(name);
    }
  }

  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const name = `${CLEANING}@${process.pid}@${machine}@${randomUUID()}`;
    const isOther = (each: string): boolean => each !== name && isCleaning(each);
    await leave(name);
    while ((await held()).some(isOther)) {
      await take(name);
      // Random waits (jitter), so that two clean-ups do not yield to each other forever.
      await pause(Math.random() * 4 * WAIT_MILLISECONDS);
      await leave(name);
    }
    try {
      while ((await held()).some((each) => !isCleaning(each))) await pause(WAIT_MILLISECONDS);
      return await work();
    } finally {
      await take(name);
    }
  }

  /** Never creates the folder itself: if the store was removed, an empty folder would hide that. */
  async function leave(name: string): Promise<void> {
    await mkdir(folder).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
    await writeFile(join(folder, name), '');
    if (!renewals.has(name)) renewals.set(name, setInterval(() => void renew(name), RENEW_MILLISECONDS).unref());
  }

  async function renew(name: string): Promise<void> {
    const now = new Date();
    // Another process took the lock in the meantime, or the folder is missing; the work itself reports that.
    await utimes(join(folder, name), now, now).catch(() => undefined);
  }

  function take(name: string): Promise<void> {
    clearInterval(renewals.get(name));
    renewals.delete(name);
    return rm(join(folder, name), { force: true });
  }

  /** The marks of running processes; those left behind by others are removed. */
  async function held(): Promise<string[]> {
    const names = await readdir(folder);
    const abandoned = await Promise.all(names.map(isAbandoned));
    await Promise.all(names.filter((_, index) => abandoned[index]).map(take));
    return names.filter((_, index) => !abandoned[index]);
  }

  async function isAbandoned(name: string): Promise<boolean> {
    const [, pid = '', host] = /^(?:cleaning@)?(\d+)@([^@]*)@/.exec(name) ?? [];
    if (host === machine && !isRunning(Number(pid))) return true;
    try {
      return Date.now() - (await stat(join(folder, name))).mtimeMs > PATIENCE_MILLISECONDS;
    } catch {
      // It was removed in the meantime.
      return true;
    }
  }
}

function isCleaning(name: string): boolean {
  return name.startsWith(`${CLEANING}@`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user: it cannot be signalled, but it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
