import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DamagedIndex } from '../../contract.js';

const ATTEMPTS = 10;

/**
 * Retries a write when another writer committed first or cleaned up what it was reading. A failed attempt should leave
 * nothing in the table, but only LanceDB knows: on a retry `again` is true, and the write must be idempotent.
 */
export async function committed<Result>(write: (again: boolean) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(attempt > 1);
    } catch (error) {
      if (attempt === ATTEMPTS || !isOvertaken(error)) throw error;
      // Random waits (jitter), so that two writers do not collide again.
      await pause(Math.random() * 10 * attempt);
    }
  }
}

/**
 * Retries a read when the version it was reading is cleaned up, because a newer one exists then. Also retries while
 * another process is still creating the table, which has a name before it is readable.
 */
export async function ofNewest<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (attempt === ATTEMPTS || !isGone(error)) throw error;
      await pause(10 * (attempt - 1));
    }
  }
}

/** For background work: losing a race leaves the table intact, and the next round tries again. */
export async function unlessOvertaken(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
}

function isOvertaken(error: unknown): boolean {
  // LanceDB panics when the base version of a write is cleaned up before its commit.
  const conflict = /commit conflict|too many concurrent writers|incompatible transaction|panic in async function/i;
  return isGone(error) || conflict.test(messageOf(error));
}

function isGone(error: unknown): boolean {
  return /not found/i.test(messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** Missing permissions, a full disk or too few file handles do not mean that the files are damaged. */
const OUR_SIDE =
  /permission denied|read-only file|no space left|too many open files|os error (1|5|12|13|23|24|28|30|122)\b/i;

/**
 * Turns LanceDB's errors about unreadable files into DamagedIndex. Without a table of ours nothing can be damaged: then
 * the path itself is wrong.
 */
export async function orDamaged<Result>(tableFolder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DamagedIndex || !(error instanceof Error) || OUR_SIDE.test(error.message)) throw error;
    if (!existsSync(tableFolder)) throw error;
    throw new DamagedIndex('The files of the vector index cannot be read.', error);
  }
}

/** Retries once, because another process may remove an old version's files while they are being read. */
export async function unlessCleaned(verify: () => Promise<void>): Promise<void> {
  try {
    await verify();
  } catch {
    await verify();
  }
}
