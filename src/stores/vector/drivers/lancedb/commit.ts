import { setTimeout as pause } from 'node:timers/promises';

const ATTEMPTS = 10;

/**
 * Runs a write again when another writer committed first, or cleaned up what it was reading. Nothing of a lost attempt
 * should be in the table, but only LanceDB knows: `again` is true then, and the write must bear to be made twice.
 */
export async function committed<Result>(write: (again: boolean) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(attempt > 1);
    } catch (error) {
      if (attempt === ATTEMPTS || !isOvertaken(error)) throw error;
      // Unequal waits, so that two writers do not meet again.
      await pause(Math.random() * 10 * attempt);
    }
  }
}

/**
 * Runs a reading again when the version it was reading is cleaned up: there is a newer one then. Nor can a table be read at
 * once that another process is making at this moment: it has a name before it is there.
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

/** For background work: a lost race leaves the table as good as it was, and the next round tries again. */
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
  // It panics where the version that a write began from is cleaned up before its commit.
  const conflict = /commit conflict|too many concurrent writers|incompatible transaction|panic in async function/i;
  return isGone(error) || conflict.test(messageOf(error));
}

function isGone(error: unknown): boolean {
  return /not found/i.test(messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
